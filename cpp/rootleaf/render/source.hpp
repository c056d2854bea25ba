#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rootleaf::render {

/// A blank byte: what separates words and lines in ASCII.
[[nodiscard]] constexpr bool is_blank(char byte) noexcept {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// What the lines of a quote start with, line ends included.
[[nodiscard]] constexpr bool is_quote_mark(char byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '>';
}

/// The text of a document, asked for lines and slices by byte offset.
class Source {
public:
    explicit Source(std::string_view text) noexcept : text_(text) {}

    [[nodiscard]] std::string_view text() const noexcept { return text_; }

    [[nodiscard]] std::string_view slice(std::uint32_t start, std::uint32_t end) const noexcept {
        return text_.substr(start, end - start);
    }

    /// Where the line of a byte starts.
    [[nodiscard]] std::uint32_t line_start(std::uint32_t byte_offset) const noexcept {
        return last_line_start(0, byte_offset);
    }

    /// Where the last line starts that starts within a range; its start, if no line end is in it.
    [[nodiscard]] std::uint32_t last_line_start(std::uint32_t start,
                                                std::uint32_t end) const noexcept {
        const std::size_t found = slice(start, end).rfind('\n');
        return found == std::string_view::npos ? start
                                               : start + static_cast<std::uint32_t>(found) + 1;
    }

    /// Where the line of a byte ends, before its line feed.
    [[nodiscard]] std::uint32_t line_end(std::uint32_t byte_offset) const noexcept {
        return line_end(byte_offset, static_cast<std::uint32_t>(text_.size()));
    }

    /// The same, at most `end`.
    [[nodiscard]] std::uint32_t line_end(std::uint32_t byte_offset,
                                         std::uint32_t end) const noexcept {
        if (byte_offset >= end) {
            return end;
        }
        const std::size_t found = slice(byte_offset, end).find('\n');
        return found == std::string_view::npos ? end
                                               : byte_offset + static_cast<std::uint32_t>(found);
    }

    /// How many line feeds stand between two offsets.
    [[nodiscard]] std::uint32_t count_lines(std::uint32_t start, std::uint32_t end) const noexcept {
        if (start >= end) {
            return 0;
        }
        const std::string_view between = slice(start, end);
        return static_cast<std::uint32_t>(std::count(between.begin(), between.end(), '\n'));
    }

    /// Whether nothing but blanks and line ends stands between two offsets.
    [[nodiscard]] bool is_blank_between(std::uint32_t start, std::uint32_t end) const noexcept {
        if (start >= end) {
            return true;
        }
        const std::string_view between = slice(start, end);
        return std::all_of(between.begin(), between.end(), is_blank);
    }

private:
    std::string_view text_;
};

}  // namespace rootleaf::render
