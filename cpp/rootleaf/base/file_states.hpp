#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rootleaf {

/// What the system tells of a path itself, not of what a link there leads to.
struct FileState {
    bool is_absent = false;  ///< there is nothing by this path; the rest is 0
    std::uint32_t mode = 0;  ///< kind and permissions, as POSIX has them
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;  ///< since 1970
    std::int64_t changed_ns = 0;   ///< likewise, of its content or of what the system tells of it
};

/// @param path  the bytes that the system takes
/// Returns nothing where the system does not tell.
[[nodiscard]] std::optional<FileState> look_at(const std::string& path);

}  // namespace rootleaf
