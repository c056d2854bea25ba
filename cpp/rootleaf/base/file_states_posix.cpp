#include <sys/stat.h>

#include <cerrno>

#include "rootleaf/base/file_states.hpp"

namespace rootleaf {

namespace {

std::int64_t nanoseconds(const timespec& time) {
    constexpr std::int64_t kPerSecond = 1'000'000'000;
    return static_cast<std::int64_t>(time.tv_sec) * kPerSecond +
           static_cast<std::int64_t>(time.tv_nsec);
}

}  // namespace

std::optional<FileState> look_at(const std::string& path) {
    struct stat told{};
    if (::lstat(path.c_str(), &told) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return FileState{.is_absent = true};
        }
        return std::nullopt;
    }
#ifdef __APPLE__
    const timespec& modified = told.st_mtimespec;
    const timespec& changed = told.st_ctimespec;
#else
    const timespec& modified = told.st_mtim;
    const timespec& changed = told.st_ctim;
#endif
    return FileState{.mode = static_cast<std::uint32_t>(told.st_mode),
                     .device = static_cast<std::uint64_t>(told.st_dev),
                     .inode = static_cast<std::uint64_t>(told.st_ino),
                     .bytes = static_cast<std::uint64_t>(told.st_size),
                     .modified_ns = nanoseconds(modified),
                     .changed_ns = nanoseconds(changed)};
}

}  // namespace rootleaf
