#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rootleaf {

/// What went wrong, for callers that switch on it. Each has one class in `rootleaf.errors`.
enum class ErrorCode : std::uint8_t {
    invalid_input,     ///< an argument is outside what the function promises to take
    too_large,         ///< an input is larger than the 32-bit offsets of the core can address
    file_unreadable,   ///< a file is absent or cannot be read
    file_unwritable,   ///< a file cannot be written: no room, no right, or another writer is at it
    snapshot_invalid,  ///< no snapshot of this format, or a damaged one: to be ignored
    table_invalid,     ///< no table of token vectors of this format, or a damaged one
    internal,          ///< a broken invariant of the core; always a fault of ours
};

/// The stable spelling of a code, as Python sees it ("input.invalid", ...).
[[nodiscard]] std::string_view error_code_name(ErrorCode code) noexcept;

/// The only exception the core throws, `std::bad_alloc` apart.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace rootleaf
