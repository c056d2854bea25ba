#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/mapped_file.hpp"

namespace rootleaf {

namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
    throw Error(ErrorCode::file_unreadable,
                "cannot read " + path + ": " + std::generic_category().message(reason));
}

class Descriptor {
public:
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() { ::close(number_); }

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
    // Not to wait for the other end, should it be a pipe.
    const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) {
        fail(path, errno);
    }
    const Descriptor descriptor(opened);
    struct stat state{};
    if (::fstat(descriptor.number(), &state) != 0) {
        fail(path, errno);
    }
    if (!S_ISREG(state.st_mode)) {
        throw Error(ErrorCode::file_unreadable, path + " is no regular file");
    }
    if (static_cast<std::uintmax_t>(state.st_size) > SIZE_MAX) {
        fail(path, EFBIG);
    }
    const auto size = static_cast<std::size_t>(state.st_size);
    if (size == 0) {
        return std::shared_ptr<const MappedFile>(new MappedFile({}));
    }
    int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
    // Every byte is about to be read for its checksum: one call instead of a fault per 16 pages.
    flags |= MAP_POPULATE;
#endif
    void* const start = ::mmap(nullptr, size, PROT_READ, flags, descriptor.number(), 0);
    if (start == MAP_FAILED) {
        fail(path, errno);
    }
    return std::shared_ptr<const MappedFile>(
        new MappedFile({static_cast<std::byte*>(start), size}));
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        ::munmap(bytes_.data(), bytes_.size());
    }
}

}  // namespace rootleaf
