#include "rootleaf/markdown/block_html.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "rootleaf/markdown/line_scanner.hpp"

namespace rootleaf::markdown {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kVerbatimNames = {"pre"sv, "script"sv, "style"sv, "textarea"sv};

constexpr std::array kBlockNames = {
    "address"sv,  "article"sv,    "aside"sv,   "base"sv,     "basefont"sv, "blockquote"sv,
    "body"sv,     "caption"sv,    "center"sv,  "col"sv,      "colgroup"sv, "dd"sv,
    "details"sv,  "dialog"sv,     "dir"sv,     "div"sv,      "dl"sv,       "dt"sv,
    "fieldset"sv, "figcaption"sv, "figure"sv,  "footer"sv,   "form"sv,     "frame"sv,
    "frameset"sv, "h1"sv,         "h2"sv,      "h3"sv,       "h4"sv,       "h5"sv,
    "h6"sv,       "head"sv,       "header"sv,  "hr"sv,       "html"sv,     "iframe"sv,
    "legend"sv,   "li"sv,         "link"sv,    "main"sv,     "menu"sv,     "menuitem"sv,
    "nav"sv,      "noframes"sv,   "ol"sv,      "optgroup"sv, "option"sv,   "p"sv,
    "param"sv,    "search"sv,     "section"sv, "summary"sv,  "table"sv,    "tbody"sv,
    "td"sv,       "tfoot"sv,      "th"sv,      "thead"sv,    "title"sv,    "tr"sv,
    "track"sv,    "ul"sv,
};
static_assert(std::is_sorted(kBlockNames.begin(), kBlockNames.end()));

constexpr std::size_t kLongestName = 10;  // "blockquote", "figcaption"

[[nodiscard]] constexpr bool is_letter(char byte) noexcept {
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

[[nodiscard]] constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

[[nodiscard]] constexpr char lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

[[nodiscard]] std::size_t skip_blanks(std::string_view line, std::size_t at) noexcept {
    while (at < line.size() && is_blank(line[at])) {
        ++at;
    }
    return at;
}

[[nodiscard]] std::size_t tag_name_end(std::string_view line, std::size_t at) noexcept {
    if (at == line.size() || !is_letter(line[at])) {
        return at;
    }
    while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]) || line[at] == '-')) {
        ++at;
    }
    return at;
}

/// The byte after an attribute value that starts at `at`, or npos.
[[nodiscard]] std::size_t attribute_value_end(std::string_view line, std::size_t at) noexcept {
    if (at == line.size()) {
        return std::string_view::npos;
    }
    if (line[at] == '"' || line[at] == '\'') {
        const std::size_t close = line.find(line[at], at + 1);
        return close == std::string_view::npos ? close : close + 1;
    }
    const std::size_t start = at;
    while (at < line.size() && static_cast<unsigned char>(line[at]) > 0x20 &&
           "\"'=<>`"sv.find(line[at]) == std::string_view::npos) {
        ++at;
    }
    return at == start ? std::string_view::npos : at;
}

/// The byte after the attributes that follow a tag name, and after the blanks behind them; npos
/// where they are malformed.
[[nodiscard]] std::size_t attributes_end(std::string_view line, std::size_t at) noexcept {
    for (;;) {
        const std::size_t name = skip_blanks(line, at);
        if (name == line.size()) {
            return std::string_view::npos;
        }
        const char first = line[name];
        if (name == at || (!is_letter(first) && first != '_' && first != ':')) {
            return name;
        }
        at = name + 1;
        while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]) ||
                                    "_.:-"sv.find(line[at]) != std::string_view::npos)) {
            ++at;
        }
        const std::size_t equals = skip_blanks(line, at);
        if (equals < line.size() && line[equals] == '=') {
            at = attribute_value_end(line, skip_blanks(line, equals + 1));
            if (at == std::string_view::npos) {
                return at;
            }
        }
    }
}

/// Whether the line is one complete opening or closing tag. The specification excepts the names of
/// condition 1; an opening tag of theirs meets condition 1 first, and their closing tags start a
/// block in the reference implementation, which is followed.
[[nodiscard]] bool is_lone_tag(std::string_view line) noexcept {
    const bool closing = line.size() > 1 && line[1] == '/';
    const std::size_t name = closing ? 2 : 1;
    std::size_t at = tag_name_end(line, name);
    if (at == name) {
        return false;
    }
    if (closing) {
        at = skip_blanks(line, at);
    } else {
        at = attributes_end(line, at);
        if (at != std::string_view::npos && at < line.size() && line[at] == '/') {
            ++at;
        }
    }
    return at < line.size() && line[at] == '>' && skip_blanks(line, at + 1) == line.size();
}

[[nodiscard]] std::uint8_t named_condition(std::string_view line) noexcept {
    const bool closing = line[1] == '/';
    const std::size_t start = closing ? 2 : 1;
    std::size_t at = start;
    std::array<char, kLongestName> folded{};
    while (at < line.size() && at - start < kLongestName &&
           (is_letter(line[at]) || is_digit(line[at]))) {
        folded[at - start] = lower(line[at]);
        ++at;
    }
    const std::string_view name(folded.data(), at - start);
    const bool ends = at == line.size() || is_blank(line[at]) || line[at] == '>';
    if (!closing && ends && std::ranges::binary_search(kVerbatimNames, name)) {
        return 1;
    }
    const bool self_closes = line.substr(at).starts_with("/>");
    return (ends || self_closes) && std::ranges::binary_search(kBlockNames, name) ? 6 : 0;
}

}  // namespace

std::uint8_t html_start_condition(std::string_view line) noexcept {
    if (line.size() < 2) {
        return 0;
    }
    if (line[1] == '!') {
        if (line.starts_with("<!--")) {
            return 2;
        }
        if (line.starts_with("<![CDATA[")) {
            return 5;
        }
        return line.size() > 2 && is_letter(line[2]) ? 4 : 0;
    }
    if (line[1] == '?') {
        return 3;
    }
    if (const std::uint8_t condition = named_condition(line); condition != 0) {
        return condition;
    }
    return is_lone_tag(line) ? 7 : 0;
}

bool meets_html_end_condition(std::string_view line, std::uint8_t condition) noexcept {
    switch (condition) {
        case 1:
            break;
        case 2:
            return line.find("-->") != std::string_view::npos;
        case 3:
            return line.find("?>") != std::string_view::npos;
        case 4:
            return line.find('>') != std::string_view::npos;
        case 5:
            return line.find("]]>") != std::string_view::npos;
        default:
            return false;
    }
    for (std::size_t at = line.find("</"); at != std::string_view::npos;
         at = line.find("</", at + 2)) {
        const std::string_view rest = line.substr(at + 2);
        for (const std::string_view name : kVerbatimNames) {
            if (rest.size() > name.size() && rest[name.size()] == '>' &&
                std::equal(name.begin(), name.end(), rest.begin(),
                           [](char wanted, char byte) { return wanted == lower(byte); })) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace rootleaf::markdown
