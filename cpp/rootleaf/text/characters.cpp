#include "rootleaf/text/characters.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace rootleaf::text {

namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

/// Letters, vowel signs and conjoining parts of the scripts that are cut into pairs; their digits
/// are left out, being words as in any script. utf8proc has no script property.
constexpr auto kUnspaced = std::to_array<Range>({
    {0x0E01, 0x0E3A},   {0x0E40, 0x0E4E},    // Thai
    {0x0E81, 0x0ECF},   {0x0EDC, 0x0EDF},    // Lao
    {0x1000, 0x103F},   {0x1050, 0x108F},    // Myanmar
    {0x109A, 0x109D},                        // Myanmar
    {0x1100, 0x11FF},                        // Hangul jamo
    {0x1780, 0x17D3},   {0x17D7, 0x17D7},    // Khmer
    {0x17DC, 0x17DD},                        // Khmer
    {0x2E80, 0x2FDF},                        // Han radicals
    {0x3005, 0x3007},   {0x3021, 0x3029},    // Han iteration mark, zero, numerals
    {0x3038, 0x303B},                        // Han numerals
    {0x3041, 0x3096},   {0x3099, 0x309A},    // Hiragana, voicing marks
    {0x309D, 0x309F},   {0x30A1, 0x30FA},    // Katakana
    {0x30FC, 0x30FF},   {0x3105, 0x312F},    // Katakana, Bopomofo
    {0x3131, 0x318E},   {0x31A0, 0x31BF},    // Hangul, Bopomofo
    {0x31F0, 0x31FF},   {0x3400, 0x4DBF},    // Katakana, Han
    {0x4E00, 0x9FFF},                        // Han
    {0xA960, 0xA97C},                        // Hangul jamo
    {0xA9E0, 0xA9EF},   {0xA9FA, 0xA9FE},    // Myanmar
    {0xAA60, 0xAA7F},                        // Myanmar
    {0xAC00, 0xD7FB},                        // Hangul
    {0xF900, 0xFAFF},                        // Han
    {0xFF66, 0xFF9F},   {0xFFA1, 0xFFDC},    // half-width kana and jamo
    {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFD},  // kana, Han
});

bool is_unspaced(std::uint32_t code_point) noexcept {
    const auto* const found = std::upper_bound(
        std::begin(kUnspaced), std::end(kUnspaced), code_point,
        [](std::uint32_t value, const Range& range) { return value < range.first; });
    return found != std::begin(kUnspaced) && code_point <= std::prev(found)->last;
}

CharClass class_of_category(utf8proc_category_t category) noexcept {
    switch (category) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LT:
            return CharClass::upper;
        case UTF8PROC_CATEGORY_LL:
            return CharClass::lower;
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
            return CharClass::letter;
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return CharClass::digit;
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_CF:
            return CharClass::extender;
        default:
            return CharClass::separator;
    }
}

}  // namespace

CharClass classify(std::uint32_t code_point) noexcept {
    if (code_point < 0x80) {
        return kAsciiClasses[code_point];
    }
    if (code_point >= 0xFF01 && code_point <= 0xFF5E) {
        return kAsciiClasses[code_point - 0xFEE0];
    }
    switch (code_point) {
        case 0x2010:  // hyphen
        case 0x2011:  // non-breaking hyphen
        case 0x2019:  // the apostrophe that editors write
            return CharClass::soft_joint;
        case 0x200B:  // a space of no width is still a space
            return CharClass::separator;
        default:
            break;
    }
    if (is_unspaced(code_point)) {
        return CharClass::unspaced;
    }
    return class_of_category(utf8proc_category(static_cast<utf8proc_int32_t>(code_point)));
}

Character read_non_ascii(std::string_view text, std::size_t byte) noexcept {
    utf8proc_int32_t code_point = -1;
    const utf8proc_ssize_t length = utf8proc_iterate(
        reinterpret_cast<const utf8proc_uint8_t*>(text.data() + byte),
        static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size() - byte, 4)), &code_point);
    if (length <= 0 || code_point < 0) {
        return {0xFFFD, 1, CharClass::separator};
    }
    const auto value = static_cast<std::uint32_t>(code_point);
    return {value, static_cast<std::uint32_t>(length), classify(value)};
}

}  // namespace rootleaf::text
