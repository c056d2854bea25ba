#include "rootleaf/render/graphemes.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>

#include "rootleaf/text/characters.hpp"

namespace rootleaf::render {

namespace {

constexpr std::uint32_t kZeroWidthJoiner = 0x200D;
constexpr std::uint32_t kFirstCombining = 0x0300;
constexpr int kVirama = 9;  // the combining class

bool is_in(std::uint32_t code_point, std::uint32_t first, std::uint32_t last) noexcept {
    return first <= code_point && code_point <= last;
}

bool is_regional_indicator(std::uint32_t code_point) noexcept {
    return is_in(code_point, 0x1F1E6, 0x1F1FF);
}

/// Variation selectors, skin tones, tags; vowels and final consonants of Hangul in parts.
bool is_extending(std::uint32_t c) noexcept {
    return is_in(c, 0xFE00, 0xFE0F) || is_in(c, 0x1F3FB, 0x1F3FF) || is_in(c, 0xE0020, 0xE01EF) ||
           is_in(c, 0x1160, 0x11FF) || is_in(c, 0xD7B0, 0xD7FB);
}

std::uint32_t code_point_at(std::string_view text, std::size_t byte) noexcept {
    return text::read_character(text, byte).code_point;
}

/// Whether an odd number of regional indicators stands before an offset: the next makes a pair.
bool is_within_flag(std::string_view text, std::size_t byte_offset) noexcept {
    bool is_odd = false;
    while (byte_offset > 0) {
        byte_offset = character_before(text, byte_offset);
        if (!is_regional_indicator(code_point_at(text, byte_offset))) {
            break;
        }
        is_odd = !is_odd;
    }
    return is_odd;
}

bool is_joined(std::string_view text, std::size_t byte_offset) noexcept {
    const std::uint32_t before = code_point_at(text, character_before(text, byte_offset));
    const std::uint32_t after = code_point_at(text, byte_offset);
    if (before == kZeroWidthJoiner || after == kZeroWidthJoiner) {
        return true;
    }
    if (after < kFirstCombining) {
        return before == '\r' && after == '\n';
    }
    if (is_extending(after)) {
        return true;
    }
    if (is_regional_indicator(after)) {
        return is_within_flag(text, byte_offset);
    }
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(after))) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_MC:
            return true;
        case UTF8PROC_CATEGORY_LO:
            // Conjuncts of Indic scripts: a consonant after a virama belongs to the one before it.
            return utf8proc_get_property(static_cast<utf8proc_int32_t>(before))->combining_class ==
                   kVirama;
        default:
            return false;
    }
}

}  // namespace

std::size_t floor_grapheme(std::string_view text, std::size_t byte_offset) noexcept {
    byte_offset = std::min(byte_offset, text.size());
    while (byte_offset > 0 && byte_offset < text.size() && is_joined(text, byte_offset)) {
        byte_offset = character_before(text, byte_offset);
    }
    return byte_offset;
}

std::size_t floor_grapheme_characters(std::string_view text, std::size_t char_offset) noexcept {
    std::size_t byte_offset = 0;
    for (; byte_offset < text.size(); ++byte_offset) {
        if (!is_continuation(text[byte_offset]) && char_offset-- == 0) {
            break;
        }
    }
    return count_characters(text.substr(0, floor_grapheme(text, byte_offset)));
}

std::size_t character_before(std::string_view text, std::size_t byte_offset) noexcept {
    constexpr std::size_t kLongest = 4;
    std::size_t start = byte_offset - 1;
    while (start > 0 && byte_offset - start < kLongest && is_continuation(text[start])) {
        --start;
    }
    return start;
}

std::size_t count_characters(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation(byte); }));
}

}  // namespace rootleaf::render
