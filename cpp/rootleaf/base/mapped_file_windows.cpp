#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/mapped_file.hpp"

namespace rootleaf {

namespace {

[[noreturn]] void fail(const std::string& path, DWORD reason) {
    throw Error(
        ErrorCode::file_unreadable,
        "cannot read " + path + ": " + std::system_category().message(static_cast<int>(reason)));
}

struct Close {
    void operator()(void* handle) const noexcept { ::CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, Close>;

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
    const std::filesystem::path wide(std::u8string(path.begin(), path.end()));
    // Sharing all, so that a writer can rename another file over this one where the system allows.
    void* const opened = ::CreateFileW(wide.c_str(), GENERIC_READ,
                                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                       nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        fail(path, ::GetLastError());
    }
    const Handle file(opened);
    if (::GetFileType(file.get()) != FILE_TYPE_DISK) {
        throw Error(ErrorCode::file_unreadable, path + " is no regular file");
    }
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(file.get(), &size) == 0) {
        fail(path, ::GetLastError());
    }
    if (static_cast<std::uintmax_t>(size.QuadPart) > SIZE_MAX) {
        fail(path, ERROR_FILE_TOO_LARGE);
    }
    if (size.QuadPart == 0) {
        return std::shared_ptr<const MappedFile>(new MappedFile({}));
    }
    const Handle mapping(::CreateFileMappingW(file.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
    if (mapping == nullptr) {
        fail(path, ::GetLastError());
    }
    // The view keeps the file mapped once the handles are closed.
    void* const start = ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, 0);
    if (start == nullptr) {
        fail(path, ::GetLastError());
    }
    return std::shared_ptr<const MappedFile>(
        new MappedFile({static_cast<std::byte*>(start), static_cast<std::size_t>(size.QuadPart)}));
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        ::UnmapViewOfFile(bytes_.data());
    }
}

}  // namespace rootleaf
