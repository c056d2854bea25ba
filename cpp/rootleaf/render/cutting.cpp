#include "rootleaf/render/cutting.hpp"

#include <algorithm>
#include <optional>

#include "rootleaf/render/graphemes.hpp"
#include "rootleaf/text/characters.hpp"

namespace rootleaf::render {

namespace {

using text::Character;
using text::read_character;

/// What ends a sentence, line or word; empty for a word. Only ends that stand before the end of the
/// text are found, and of a word, whatever the text's own end is.
struct End {
    std::size_t start;
    std::size_t end;
};

using FindEnd = std::optional<End> (*)(std::string_view text, std::size_t from);

/// White space of any script, as `str.isspace` has it.
bool is_space(std::uint32_t c) noexcept {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_stop(std::uint32_t c) noexcept { return c == '.' || c == '!' || c == '?' || c == 0x2026; }

bool is_closer(std::uint32_t c) noexcept {
    return c == '"' || c == '\'' || c == 0x201D || c == 0x2019 || c == ')' || c == ']';
}

/// The marks of Chinese and Japanese, which no space follows.
bool is_wide_stop(std::uint32_t c) noexcept { return c == 0x3002 || c == 0xFF01 || c == 0xFF1F; }

bool is_wide_closer(std::uint32_t c) noexcept { return c == 0x300D || c == 0x300F || c == 0xFF09; }

/// Kana, Han and Hangul: each character may be the end of a word.
bool is_unspaced(std::uint32_t c) noexcept {
    return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
           (c >= 0xAC00 && c <= 0xD7AF);
}

template <typename Holds>
std::size_t skip(std::string_view text, std::size_t byte, Holds holds) {
    while (byte < text.size()) {
        const Character character = read_character(text, byte);
        if (!holds(character.code_point)) {
            break;
        }
        byte += character.byte_count;
    }
    return byte;
}

std::optional<End> find_line_end(std::string_view text, std::size_t from) {
    const std::size_t found = text.find('\n', from);
    return found == std::string_view::npos ? std::nullopt : std::optional<End>({found, found + 1});
}

std::optional<End> find_sentence_end(std::string_view text, std::size_t from) {
    for (std::size_t byte = from; byte < text.size();) {
        const Character character = read_character(text, byte);
        const std::size_t after = byte + character.byte_count;
        if (character.code_point == '\n') {
            return End{byte, after};
        }
        if (is_wide_stop(character.code_point)) {
            return End{byte, skip(text, after, is_wide_closer)};
        }
        if (is_stop(character.code_point)) {
            const std::size_t end = skip(text, after, is_closer);
            if (end < text.size() && is_space(read_character(text, end).code_point)) {
                return End{byte, end};
            }
        }
        byte = after;
    }
    return std::nullopt;
}

std::optional<End> find_word_end(std::string_view text, std::size_t from) {
    for (std::size_t byte = from; byte <= text.size();) {
        const std::uint32_t before =
            byte == 0 ? ' ' : read_character(text, character_before(text, byte)).code_point;
        if (is_unspaced(before)) {
            return End{byte, byte};
        }
        if (byte == text.size()) {
            break;
        }
        const Character here = read_character(text, byte);
        if (!is_space(before) && is_space(here.code_point)) {
            return End{byte, byte};
        }
        byte += here.byte_count;
    }
    return std::nullopt;
}

/// Where to look for the next end; beyond the text after the last.
std::size_t behind(std::string_view text, const End& found) {
    if (found.start != found.end) {
        return found.end;
    }
    return found.end < text.size() ? found.end + read_character(text, found.end).byte_count
                                   : text.size() + 1;
}

/// The last end not above `limit`, line feeds left out; 0 if there is none.
std::size_t last_end(FindEnd find_end, std::string_view passage, std::size_t limit) {
    // One character more is looked at: what a sentence or word is followed by.
    const std::size_t stop =
        limit < passage.size() ? limit + read_character(passage, limit).byte_count : limit;
    const std::string_view text = passage.substr(0, stop);
    std::size_t best = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const std::optional<End> found = find_end(text, from);
        if (!found) {
            break;
        }
        const bool is_line = found->end > found->start && text[found->end - 1] == '\n';
        const std::size_t end = is_line ? found->end - 1 : found->end;
        if (end <= limit) {
            best = end;
        }
        from = behind(text, *found);
    }
    return best;
}

/// How much of a text fits whole characters into `max_bytes`.
std::size_t bytes_within(std::string_view text, std::int64_t max_bytes) {
    if (max_bytes <= 0) {
        return 0;
    }
    const auto room = static_cast<std::uint64_t>(max_bytes);
    if (text.size() <= room) {
        return text.size();
    }
    auto end = static_cast<std::size_t>(room);
    for (int i = 0; i < 3 && end > 0 && is_continuation(text[end]); ++i) {
        --end;
    }
    return end;
}

}  // namespace

std::size_t cut_end(std::string_view passage, std::int64_t max_bytes, bool at_lines) {
    const std::size_t limit = bytes_within(passage, max_bytes);
    if (limit == passage.size()) {
        return limit;
    }
    std::size_t best = last_end(at_lines ? find_line_end : find_sentence_end, passage, limit);
    if (2 * count_characters(passage.substr(0, best)) <
        count_characters(passage.substr(0, limit))) {
        best = std::max(best, last_end(find_word_end, passage, limit));
    }
    return floor_grapheme(passage, best == 0 ? limit : best);
}

std::size_t start_before(std::string_view passage,
                         std::size_t byte_offset,
                         std::size_t max_chars_before) {
    std::size_t earliest = byte_offset;
    for (std::size_t i = 0; i < max_chars_before && earliest > 0; ++i) {
        earliest = character_before(passage, earliest);
    }
    if (earliest == 0) {
        return 0;
    }
    const std::string_view text = passage.substr(0, byte_offset);
    for (const FindEnd find_end : {find_sentence_end, find_word_end}) {
        for (std::size_t from = earliest; from <= text.size();) {
            const std::optional<End> found = find_end(text, from);
            if (!found) {
                break;
            }
            const std::size_t begin = skip(passage, found->end, is_space);
            if (begin <= byte_offset) {
                return floor_grapheme(passage, begin);
            }
            from = behind(text, *found);
        }
    }
    return floor_grapheme(passage, byte_offset);
}

}  // namespace rootleaf::render
