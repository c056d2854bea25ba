#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

/// A folder of its own below the system's temporary one, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device random;
        const std::filesystem::path around = std::filesystem::temp_directory_path();
        path_ = around / ("rootleaf-test-" + std::to_string(random()));
        while (!std::filesystem::create_directory(path_)) {
            path_ = around / ("rootleaf-test-" + std::to_string(random()));
        }
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }

    [[nodiscard]] std::size_t file_count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                      std::filesystem::directory_iterator()));
    }

private:
    std::filesystem::path path_;
};
