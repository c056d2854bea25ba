#include "rootleaf/markdown/block_definition.hpp"

#include <cstddef>

#include "rootleaf/markdown/line_scanner.hpp"

namespace rootleaf::markdown {

namespace {

constexpr std::uint32_t kMaxLabelCharacters = 999;
constexpr int kEnd = -1;

/// Reads the lines of a paragraph as one text in which a "\n" stands between them.
class ParagraphCursor {
public:
    ParagraphCursor(std::string_view text, std::span<const ParagraphLine> lines) noexcept
        : text_(text), lines_(lines), byte_(lines.empty() ? 0 : lines.front().start) {}

    /// The byte here, "\n" between two lines, kEnd after the last line.
    [[nodiscard]] int peek() const noexcept {
        if (line_ == lines_.size()) {
            return kEnd;
        }
        if (byte_ < lines_[line_].end) {
            return static_cast<unsigned char>(text_[byte_]);
        }
        return line_ + 1 == lines_.size() ? kEnd : '\n';
    }

    /// Steps over one byte or line end; not to be called at kEnd.
    void advance() noexcept {
        if (byte_ < lines_[line_].end) {
            ++byte_;
        } else {
            ++line_;
            byte_ = lines_[line_].start;
        }
    }

    void skip_blanks() noexcept {
        while (peek() == ' ' || peek() == '\t') {
            advance();
        }
    }

    /// Skips blanks, at most one line end, and blanks.
    void skip_space() noexcept {
        skip_blanks();
        if (peek() == '\n') {
            advance();
            skip_blanks();
        }
    }

    /// Skips blanks; whether nothing else is left on the line.
    [[nodiscard]] bool reaches_line_end() noexcept {
        skip_blanks();
        return peek() == '\n' || peek() == kEnd;
    }

    /// Steps over a backslash, and over the byte after it if there is one.
    void advance_escape() noexcept {
        advance();
        if (peek() != kEnd) {
            advance();
        }
    }

    [[nodiscard]] std::uint32_t line() const noexcept { return static_cast<std::uint32_t>(line_); }

    friend bool operator==(const ParagraphCursor& one, const ParagraphCursor& other) noexcept {
        return one.line_ == other.line_ && one.byte_ == other.byte_;
    }

private:
    std::string_view text_;
    std::span<const ParagraphLine> lines_;
    std::size_t line_ = 0;
    std::uint32_t byte_;
};

[[nodiscard]] bool is_space(int byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\n';
}

[[nodiscard]] bool skip_label(ParagraphCursor& cursor) noexcept {
    if (cursor.peek() != '[') {
        return false;
    }
    cursor.advance();
    bool has_text = false;
    std::uint32_t characters = 0;
    const auto count = [&characters](int byte) {
        // Continuation bytes of UTF-8 belong to a character that was counted.
        characters += (byte & 0xC0) == 0x80 ? 0U : 1U;
    };
    for (;;) {
        const int byte = cursor.peek();
        if (byte == kEnd || byte == '[' || characters > kMaxLabelCharacters) {
            return false;
        }
        if (byte == ']') {
            cursor.advance();
            return has_text;
        }
        has_text = has_text || !is_space(byte);
        count(byte);
        cursor.advance();
        if (byte == '\\') {
            if (cursor.peek() == kEnd) {
                return false;
            }
            count(cursor.peek());
            cursor.advance();
        }
    }
}

/// A destination between "<" and ">"; the cursor stands on the first.
[[nodiscard]] bool skip_bracketed_destination(ParagraphCursor& cursor) noexcept {
    cursor.advance();
    for (;;) {
        const int byte = cursor.peek();
        if (byte == kEnd || byte == '\n' || byte == '<') {
            return false;
        }
        cursor.advance();
        if (byte == '>') {
            return true;
        }
        if (byte == '\\' && cursor.peek() != '\n' && cursor.peek() != kEnd) {
            cursor.advance();
        }
    }
}

[[nodiscard]] bool ends_bare_destination(int byte) noexcept {
    // NUL stands for U+FFFD (section 2.3), which is no control character.
    return (byte <= ' ' && byte != 0) || byte == 0x7F;
}

[[nodiscard]] bool skip_bare_destination(ParagraphCursor& cursor) noexcept {
    std::uint32_t open_parentheses = 0;
    bool has_text = false;
    for (int byte = cursor.peek(); !ends_bare_destination(byte); byte = cursor.peek()) {
        if (byte == ')' && open_parentheses == 0) {
            break;
        }
        open_parentheses += byte == '(' ? 1U : 0U;
        open_parentheses -= byte == ')' ? 1U : 0U;
        has_text = true;
        cursor.advance();
        const int next = byte == '\\' ? cursor.peek() : kEnd;
        if (next == '(' || next == ')' || next == '\\') {
            cursor.advance();
        }
    }
    return has_text && open_parentheses == 0;
}

[[nodiscard]] bool skip_destination(ParagraphCursor& cursor) noexcept {
    return cursor.peek() == '<' ? skip_bracketed_destination(cursor)
                                : skip_bare_destination(cursor);
}

[[nodiscard]] bool skip_title(ParagraphCursor& cursor) noexcept {
    const int open = cursor.peek();
    if (open != '"' && open != '\'' && open != '(') {
        return false;
    }
    const int close = open == '(' ? ')' : open;
    cursor.advance();
    for (;;) {
        const int byte = cursor.peek();
        if (byte == kEnd || (byte == '(' && open == '(')) {
            return false;
        }
        if (byte == close) {
            cursor.advance();
            return true;
        }
        if (byte == '\\') {
            cursor.advance_escape();
        } else {
            cursor.advance();
        }
    }
}

}  // namespace

std::uint32_t link_definition_lines(std::string_view text,
                                    std::span<const ParagraphLine> lines) noexcept {
    ParagraphCursor cursor(text, lines);
    if (!skip_label(cursor) || cursor.peek() != ':') {
        return 0;
    }
    cursor.advance();
    cursor.skip_space();
    if (!skip_destination(cursor)) {
        return 0;
    }
    ParagraphCursor before_title = cursor;
    cursor.skip_space();
    // A title must be set off by space, and nothing may follow it on its line; what looks like a
    // title on a line of its own and fails is the text after the definition.
    if (!(cursor == before_title) && skip_title(cursor) && cursor.reaches_line_end()) {
        return cursor.line() + 1;
    }
    return before_title.reaches_line_end() ? before_title.line() + 1 : 0;
}

}  // namespace rootleaf::markdown
