#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace rootleaf {

/// A file's content as memory, for reading only.
///
/// The file must not be changed in place while it is mapped: what lies in memory would change with
/// it, and reading past a new end ends the process. Whoever replaces such a file writes another and
/// renames it (ReplacementFile); the content that is mapped then stays as it was.
class MappedFile {
public:
    /// @param path  in UTF-8 on Windows, else the bytes the system takes
    /// Throws Error(file_unreadable) where it is absent, no regular file, or cannot be mapped.
    [[nodiscard]] static std::shared_ptr<const MappedFile> open(const std::string& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile(MappedFile&&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();

    /// Starts at a multiple of the page size, or is empty.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    explicit MappedFile(std::span<std::byte> bytes) noexcept : bytes_(bytes) {}

    std::span<std::byte> bytes_;  // writable by type only: what maps and unmaps asks for it
};

}  // namespace rootleaf
