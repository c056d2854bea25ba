#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rootleaf::text {

/// What a code point is to the analyzer.
enum class CharClass : std::uint8_t {
    separator,   ///< ends a word and belongs to none
    lower,       ///< a lower-case letter
    upper,       ///< an upper-case or title-case letter
    letter,      ///< a letter of a script without case
    digit,       ///< a number of any kind
    underscore,  ///< inside a word like a letter, but stripped from its ends
    soft_joint,  ///< joins letters and leaves no trace in the whole: hyphens, apostrophes
    hard_joint,  ///< joins letters and stays in the whole: . / : @
    extender,    ///< combining marks and invisible characters: continues what it follows
    unspaced,    ///< of a script that is written without spaces: Han, kana, Hangul, Thai, Lao, ...
};

/// One code point of a text and the bytes it takes. Bytes that are no UTF-8 are separators of one
/// byte.
struct Character {
    std::uint32_t code_point;
    std::uint32_t byte_count;
    CharClass char_class;
};

/// Whether a word can begin with this character.
[[nodiscard]] constexpr bool starts_word(CharClass c) noexcept {
    return c == CharClass::lower || c == CharClass::upper || c == CharClass::letter ||
           c == CharClass::digit;
}

namespace detail {

constexpr std::array<CharClass, 128> make_ascii_classes() {
    std::array<CharClass, 128> classes{};
    for (std::size_t c = 0; c < classes.size(); ++c) {
        classes[c] = CharClass::separator;
        if (c >= 'a' && c <= 'z') {
            classes[c] = CharClass::lower;
        } else if (c >= 'A' && c <= 'Z') {
            classes[c] = CharClass::upper;
        } else if (c >= '0' && c <= '9') {
            classes[c] = CharClass::digit;
        }
    }
    classes['_'] = CharClass::underscore;
    classes['-'] = classes['\''] = CharClass::soft_joint;
    classes['.'] = classes['/'] = classes[':'] = classes['@'] = CharClass::hard_joint;
    return classes;
}

constexpr std::array<bool, 256> make_plain_bytes(bool separators) {
    std::array<bool, 256> plain{};
    const std::array<CharClass, 128> classes = make_ascii_classes();
    for (std::size_t c = 0; c < classes.size(); ++c) {
        plain[c] = separators ? classes[c] == CharClass::separator : starts_word(classes[c]);
    }
    return plain;
}

}  // namespace detail

inline constexpr std::array<CharClass, 128> kAsciiClasses = detail::make_ascii_classes();

/// ASCII letters and digits, and ASCII separators, by byte: the loops over most of a text ask no
/// more.
inline constexpr std::array<bool, 256> kIsPlainLetter = detail::make_plain_bytes(false);
inline constexpr std::array<bool, 256> kIsPlainSeparator = detail::make_plain_bytes(true);

/// The class of any code point. Full-width forms have the class of what they stand for.
[[nodiscard]] CharClass classify(std::uint32_t code_point) noexcept;

/// Reads the character at `byte`, which must be inside the text.
[[nodiscard]] Character read_non_ascii(std::string_view text, std::size_t byte) noexcept;

[[nodiscard]] inline Character read_character(std::string_view text, std::size_t byte) noexcept {
    const auto first = static_cast<unsigned char>(text[byte]);
    if (first < 0x80) {
        return {first, 1, kAsciiClasses[first]};
    }
    return read_non_ascii(text, byte);
}

/// Appends the UTF-8 form of a code point.
template <typename Text>
void append_code_point(Text& out, std::uint32_t code_point) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6U));
        put(0x80U | (code_point & 0x3FU));
    } else if (code_point < 0x10000) {
        put(0xE0U | (code_point >> 12U));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    } else {
        put(0xF0U | (code_point >> 18U));
        put(0x80U | ((code_point >> 12U) & 0x3FU));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    }
}

}  // namespace rootleaf::text
