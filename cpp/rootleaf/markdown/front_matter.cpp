#include <cstddef>
#include <limits>

#include "rootleaf/base/error.hpp"
#include "rootleaf/markdown/block.hpp"
#include "rootleaf/markdown/line_scanner.hpp"

namespace rootleaf::markdown {

namespace {

[[nodiscard]] std::string_view without_trailing_blanks(std::string_view line) noexcept {
    while (!line.empty() && is_blank(line.back())) {
        line.remove_suffix(1);
    }
    return line;
}

[[nodiscard]] bool is_blank_or_comment(std::string_view line) noexcept {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos || line[first] == '#';
}

/// Whether a colon stands at `at`, and a blank or nothing behind it.
[[nodiscard]] bool ends_key(std::string_view line, std::size_t at) noexcept {
    return at < line.size() && line[at] == ':' && (at + 1 == line.size() || is_blank(line[at + 1]));
}

/// Whether a line has the form `key:`. A key starts at the line's start, is quoted or plain, and a
/// plain one does not start with a mark that means something else in YAML.
[[nodiscard]] bool starts_with_key(std::string_view line) noexcept {
    if (line.empty() || is_blank(line.front())) {
        return false;
    }
    if (line.front() == '"' || line.front() == '\'') {
        const std::size_t close = line.find(line.front(), 1);
        return close != std::string_view::npos &&
               ends_key(line, line.find_first_not_of(" \t", close + 1));
    }
    constexpr std::string_view kMarks = ":,[]{}&*!|>%@`";
    if (kMarks.find(line.front()) != std::string_view::npos) {
        return false;
    }
    if ((line.front() == '-' || line.front() == '?') && (line.size() == 1 || is_blank(line[1]))) {
        return false;
    }
    for (std::size_t at = line.find(':'); at != std::string_view::npos;
         at = line.find(':', at + 1)) {
        if (ends_key(line, at)) {
            return true;
        }
    }
    return false;
}

}  // namespace

FrontMatterSpan find_front_matter(std::string_view text) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() - 1) {
        throw Error(ErrorCode::too_large, "a document has more than 4294967294 bytes");
    }
    FrontMatterSpan span{FrontMatterState::absent, 0, 0, 0};
    if (!text.starts_with("---")) {
        return span;
    }
    LineScanner lines(text);
    const auto line = [&lines, text] {
        return without_trailing_blanks(text.substr(lines.start(), lines.end() - lines.start()));
    };
    if (!lines.next() || line() != "---") {
        return span;
    }
    bool key_found = false;
    while (lines.next()) {
        const std::string_view content = line();
        if (span.content_start == 0) {
            span.content_start = lines.start();
        }
        if (content == "---" || content == "...") {
            if (!key_found) {
                return {FrontMatterState::absent, 0, 0, 0};
            }
            span.state = FrontMatterState::closed;
            span.content_end = lines.start();
            span.end = lines.after();
            return span;
        }
        if (!key_found && !is_blank_or_comment(content)) {
            if (!starts_with_key(content)) {
                return {FrontMatterState::absent, 0, 0, 0};
            }
            key_found = true;
        }
    }
    if (!key_found) {
        return {FrontMatterState::absent, 0, 0, 0};
    }
    span.state = FrontMatterState::unclosed;
    return span;
}

}  // namespace rootleaf::markdown
