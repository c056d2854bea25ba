#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootleaf {

/// Strings by number, laid end to end. Borrowed: holds while the arrays do.
class StringList {
public:
    StringList() = default;
    /// @param ends  where each string ends in `bytes`, ascending; a string starts where the one
    ///              before it ends
    StringList(std::span<const char> bytes, std::span<const std::uint32_t> ends) noexcept
        : bytes_(bytes), ends_(ends) {}

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(ends_.size());
    }

    [[nodiscard]] std::string_view operator[](std::uint32_t number) const noexcept {
        const std::uint32_t start = number == 0 ? 0 : ends_[number - 1];
        return {bytes_.data() + start, ends_[number] - start};
    }

    [[nodiscard]] std::span<const char> bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::span<const std::uint32_t> ends() const noexcept { return ends_; }

private:
    std::span<const char> bytes_;
    std::span<const std::uint32_t> ends_;
};

/// A list of strings that grows, and owns its arrays.
struct StringParts {
    std::string bytes;
    std::vector<std::uint32_t> ends;

    /// Throws Error(too_large) where the bytes would pass 2^32 - 1.
    void append(std::string_view text);

    [[nodiscard]] StringList list() const noexcept { return {bytes, ends}; }
};

}  // namespace rootleaf
