#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/replacement_file.hpp"

namespace rootleaf {

struct ReplacementFile::System {
    int descriptor = -1;

    System() = default;
    System(const System&) = delete;
    System(System&&) = delete;
    System& operator=(const System&) = delete;
    System& operator=(System&&) = delete;
    ~System() { close(); }

    /// Gives up the lock too.
    void close() noexcept {
        if (descriptor >= 0) {
            ::close(std::exchange(descriptor, -1));
        }
    }

    /// Whether the name still leads to the file that is open: the writer before may have renamed it
    /// between our opening and locking it.
    [[nodiscard]] bool is_at(const std::string& path) const {
        struct stat ours{};
        struct stat named{};
        return ::fstat(descriptor, &ours) == 0 && ::lstat(path.c_str(), &named) == 0 &&
               ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
    }
};

namespace {

constexpr mode_t kMode = 0644;  // as SQLite makes the database beside it; the umask takes from it
constexpr int kLockAttempts = 16;
constexpr std::size_t kMaxWriteBytes = std::size_t{1} << 30U;  // some systems refuse 2^31 and more

/// Where a rename is durable only once the directory is.
void sync_directory_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    std::string directory = ".";
    if (slash != std::string::npos) {
        directory = path.substr(0, std::max<std::size_t>(slash, 1));
    }
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        // Best effort: some file systems cannot, and the content is whole either way.
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace

ReplacementFile::ReplacementFile(std::string path, std::optional<std::uint32_t> permissions)
    : path_(std::move(path)), written_path_(path_ + ".tmp"), system_(std::make_unique<System>()) {
    const mode_t mode = permissions ? static_cast<mode_t>(*permissions) : kMode;
    for (int attempt = 0; attempt < kLockAttempts; ++attempt) {
        system_->descriptor = ::open(
            written_path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
        if (system_->descriptor < 0 || ::flock(system_->descriptor, LOCK_EX | LOCK_NB) != 0) {
            fail(errno);
        }
        if (system_->is_at(written_path_)) {
            // The mask took from it, and a killed writer may have left a file of another mode.
            if (::ftruncate(system_->descriptor, 0) != 0 ||
                (permissions && ::fchmod(system_->descriptor, mode) != 0)) {
                const int reason = errno;
                // It is locked, so nobody else writes it; no destructor will remove it.
                ::unlink(written_path_.c_str());
                fail(reason);
            }
            return;
        }
        system_->close();
    }
    fail(EAGAIN);
}

ReplacementFile::~ReplacementFile() {
    if (!committed_ && system_->descriptor >= 0) {
        ::unlink(written_path_.c_str());
    }
}

void ReplacementFile::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written =
            ::write(system_->descriptor, bytes.data(), std::min(bytes.size(), kMaxWriteBytes));
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail(errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void ReplacementFile::commit() {
    if (::fsync(system_->descriptor) != 0 ||
        std::rename(written_path_.c_str(), path_.c_str()) != 0) {
        fail(errno);
    }
    committed_ = true;
    sync_directory_of(path_);
    system_->close();
}

void ReplacementFile::fail(int reason) const {
    throw Error(ErrorCode::file_unwritable,
                "cannot write " + path_ + ": " + std::generic_category().message(reason));
}

}  // namespace rootleaf
