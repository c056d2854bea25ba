#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rootleaf::markdown {

[[nodiscard]] constexpr bool is_blank(char byte) noexcept { return byte == ' ' || byte == '\t'; }

namespace line_detail {

[[nodiscard]] constexpr std::array<bool, 256> block_start_bytes() {
    std::array<bool, 256> table{};
    for (const char byte : std::string_view("#`~*+-_=<>|:0123456789")) {
        table[static_cast<unsigned char>(byte)] = true;
    }
    return table;
}

inline constexpr std::array<bool, 256> kBlockStart = block_start_bytes();

}  // namespace line_detail

/// Whether a line whose first non-blank byte is this one can be anything but text.
[[nodiscard]] inline bool may_start_block(char byte) noexcept {
    return line_detail::kBlockStart[static_cast<unsigned char>(byte)];
}

/// The lines of a text, one after the other. Lines end in "\n", "\r\n" or "\r".
class LineScanner {
public:
    explicit LineScanner(std::string_view text) noexcept
        : text_(text.data()),
          size_(static_cast<std::uint32_t>(text.size())),
          next_feed_(find('\n', 0)),
          next_return_(find('\r', 0)) {}

    /// Steps to the next line; false after the last one. A text that ends in a line end has no
    /// empty line after it.
    [[nodiscard]] bool next() noexcept {
        start_ = after_;
        if (start_ >= size_) {
            return false;
        }
        // Each search goes on where the last one of its kind ended, so that a text with one kind of
        // line end only is read once for each kind and not once a line.
        if (next_feed_ < start_) {
            next_feed_ = find('\n', start_);
        }
        if (next_return_ < start_) {
            next_return_ = find('\r', start_);
        }
        if (next_feed_ < next_return_) {
            end_ = next_feed_;
            after_ = end_ + 1;
        } else {
            end_ = next_return_;
            after_ = end_ == size_ ? size_ : end_ + 1 + (next_feed_ == end_ + 1 ? 1U : 0U);
        }
        return true;
    }

    [[nodiscard]] std::uint32_t start() const noexcept { return start_; }
    /// The byte where the line end stands.
    [[nodiscard]] std::uint32_t end() const noexcept { return end_; }
    /// The byte after the line end.
    [[nodiscard]] std::uint32_t after() const noexcept { return after_; }

private:
    [[nodiscard]] std::uint32_t find(char byte, std::uint32_t from) const noexcept {
        if (from >= size_) {
            return size_;
        }
        const void* found = std::memchr(text_ + from, byte, size_ - from);
        return found == nullptr
                   ? size_
                   : static_cast<std::uint32_t>(static_cast<const char*>(found) - text_);
    }

    const char* text_;
    std::uint32_t size_;
    std::uint32_t start_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t after_ = 0;
    std::uint32_t next_feed_;
    std::uint32_t next_return_;
};

}  // namespace rootleaf::markdown
