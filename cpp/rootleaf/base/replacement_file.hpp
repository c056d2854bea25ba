#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace rootleaf {

/// Writes a file that takes another's place in one step: at any moment, a kill or a power cut
/// included, the path holds the whole former content or the whole content written here.
///
/// It is written beside it as `<path>.tmp`, which is locked meanwhile: a second writer is refused
/// instead of waiting. What a killed writer leaves there, the next one takes over.
class ReplacementFile {
public:
    /// Throws Error(file_unwritable), as all that follow do.
    ///
    /// @param permissions  bits of who may read and write it, where the system has them; nothing:
    ///                     all may read it, less what the process's mask takes away
    explicit ReplacementFile(std::string path,
                             std::optional<std::uint32_t> permissions = std::nullopt);
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile(ReplacementFile&&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ReplacementFile& operator=(ReplacementFile&&) = delete;
    /// Removes what was written, unless it was committed.
    ~ReplacementFile();

    void append(std::span<const std::byte> bytes);

    /// Makes it durable, then renames it to the path, then makes the name durable.
    void commit();

private:
    [[noreturn]] void fail(int reason) const;

    struct System;
    std::string path_;
    std::string written_path_;
    std::unique_ptr<System> system_;
    bool committed_ = false;
};

}  // namespace rootleaf
