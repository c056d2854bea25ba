#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/replacement_file.hpp"

namespace rootleaf {

struct ReplacementFile::System {
    void* handle = INVALID_HANDLE_VALUE;

    System() = default;
    System(const System&) = delete;
    System(System&&) = delete;
    System& operator=(const System&) = delete;
    System& operator=(System&&) = delete;
    ~System() { close(); }

    void close() noexcept {
        if (handle != INVALID_HANDLE_VALUE) {
            ::CloseHandle(std::exchange(handle, INVALID_HANDLE_VALUE));
        }
    }
};

namespace {

constexpr std::size_t kMaxWriteBytes = std::size_t{1} << 30U;

std::filesystem::path wide(const std::string& path) {
    return {std::u8string(path.begin(), path.end())};
}

}  // namespace

ReplacementFile::ReplacementFile(std::string path, std::optional<std::uint32_t> /*permissions*/)
    : path_(std::move(path)), written_path_(path_ + ".tmp"), system_(std::make_unique<System>()) {
    // Sharing nothing is the lock.
    system_->handle = ::CreateFileW(wide(written_path_).c_str(), GENERIC_WRITE, 0, nullptr,
                                    CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (system_->handle == INVALID_HANDLE_VALUE) {
        fail(static_cast<int>(::GetLastError()));
    }
}

ReplacementFile::~ReplacementFile() {
    if (!committed_ && system_->handle != INVALID_HANDLE_VALUE) {
        system_->close();
        ::DeleteFileW(wide(written_path_).c_str());
    }
}

void ReplacementFile::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        DWORD written = 0;
        const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMaxWriteBytes));
        if (::WriteFile(system_->handle, bytes.data(), wanted, &written, nullptr) == 0) {
            fail(static_cast<int>(::GetLastError()));
        }
        bytes = bytes.subspan(written);
    }
}

void ReplacementFile::commit() {
    if (::FlushFileBuffers(system_->handle) == 0) {
        fail(static_cast<int>(::GetLastError()));
    }
    system_->close();
    // Refused while a process has the former file mapped: it then stays, and is merely stale.
    if (::MoveFileExW(wide(written_path_).c_str(), wide(path_).c_str(),
                      MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
        const DWORD reason = ::GetLastError();
        ::DeleteFileW(wide(written_path_).c_str());
        fail(static_cast<int>(reason));
    }
    committed_ = true;
}

void ReplacementFile::fail(int reason) const {
    throw Error(ErrorCode::file_unwritable,
                "cannot write " + path_ + ": " + std::system_category().message(reason));
}

}  // namespace rootleaf
