#include "rootleaf/text/identifiers.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rootleaf/text/characters.hpp"
#include "rootleaf/text/parts.hpp"

namespace rootleaf::text {

namespace {

constexpr std::size_t kLongestUnit = 3;
constexpr std::size_t kFewestDigits = 4;
constexpr std::string_view kJoints = "-'./:@_";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return c == 'a' || c == 'A'; }
constexpr bool is_joint(char c) { return kJoints.find(c) != std::string_view::npos; }

char symbol_of(const Character& character) {
    switch (character.char_class) {
        case CharClass::lower:
        case CharClass::letter:
        case CharClass::unspaced:
            return 'a';
        case CharClass::upper:
            return 'A';
        case CharClass::digit:
            return character.code_point < 0x80 ? static_cast<char>(character.code_point) : '1';
        case CharClass::soft_joint:
            return character.code_point == '\'' || character.code_point == 0x2019 ? '\'' : '-';
        default:
            return character.code_point < 0x80 ? static_cast<char>(character.code_point) : '\0';
    }
}

/// The word with `a` and `A` for small and other letters, and every other character as it is.
std::string shape_of(std::string_view word) {
    std::string shape;
    for (std::size_t byte = 0; byte < word.size();) {
        const Character character = read_character(word, byte);
        byte += character.byte_count;
        if (const char symbol = symbol_of(character); symbol != '\0') {
            shape.push_back(symbol);
        }
    }
    return shape;
}

/// What stands between joints.
std::vector<std::string_view> pieces_of(std::string_view shape, std::string_view joints) {
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = shape.find_first_of(joints);
        pieces.push_back(shape.substr(0, end));
        if (end == std::string_view::npos) {
            return pieces;
        }
        shape.remove_prefix(end + 1);
    }
}

bool is_word(std::string_view piece) { return std::ranges::all_of(piece, is_letter); }

bool is_year(std::string_view digits) {
    return digits.size() == 4 && digits >= "1500" && digits <= "2099";
}

bool has_dotted_name(std::string_view shape) {
    const std::vector<std::string_view> pieces = pieces_of(shape, ".");
    return pieces.size() > 1 &&
           std::ranges::all_of(pieces, [](std::string_view piece) { return piece.size() >= 2; });
}

/// 20th, 2.5kg, 5-star, 19th-century: a number, then a short unit, then words.
bool is_quantity(std::string_view shape) {
    if (!is_digit(shape.front())) {
        return false;
    }
    const std::vector<std::string_view> pieces = pieces_of(shape, "-'");
    const std::string_view number = pieces.front();
    const std::size_t unit = std::min(number.find_first_of("aA"), number.size());
    return number.size() - unit <= kLongestUnit && is_word(number.substr(unit)) &&
           std::all_of(pieces.begin() + 1, pieces.end(), is_word);
}

/// top-10, pre-2000, mid-1990s: small words, then a number that says how many or when.
bool is_numbered_word(std::string_view shape) {
    const std::vector<std::string_view> pieces = pieces_of(shape, "-");
    if (pieces.size() < 2 || !std::all_of(pieces.begin(), pieces.end() - 1, [](auto piece) {
            return std::ranges::all_of(piece, [](char c) { return c == 'a'; });
        })) {
        return false;
    }
    std::string_view number = pieces.back();
    if (number.ends_with('a')) {
        number.remove_suffix(1);
    }
    return std::ranges::all_of(number, is_digit) && (number.size() <= 2 || is_year(number));
}

bool is_coded(std::string_view shape) {
    const auto size = static_cast<std::size_t>(
        std::ranges::count_if(shape, [](char c) { return is_letter(c) || is_digit(c); }));
    const std::size_t least = std::ranges::any_of(shape, is_joint) ? 3 : 4;
    return size >= least && !is_quantity(shape) && !is_numbered_word(shape);
}

bool is_telling_number(std::string_view shape) {
    const std::vector<std::string_view> pieces = pieces_of(shape, kJoints);
    if (pieces.size() > 1) {
        return pieces.size() > 2;
    }
    const bool is_round = shape.find_first_not_of('0', 1) == std::string_view::npos;
    return shape.size() >= kFewestDigits && !is_round && !is_year(shape);
}

bool has_humps(std::string_view word, std::string_view shape) {
    const std::size_t humps = split_word(word).leaves.size();
    return humps >= 3 || (humps == 2 && shape.starts_with("aa"));
}

}  // namespace

bool is_identifier(std::string_view word) {
    const std::string whole = shape_of(word);
    std::string_view shape = whole;
    if (shape.starts_with("--")) {
        return true;
    }
    const bool has_digit = std::ranges::any_of(shape, is_digit);
    if (shape.starts_with('#')) {
        return has_digit;
    }
    shape = shape.substr(0, shape.find_last_not_of("+#") + 1);
    if (shape.empty()) {
        return false;
    }
    if (shape.find_first_of("_@") != std::string_view::npos ||
        shape.find("::") != std::string_view::npos || shape.find("://") != std::string_view::npos ||
        std::ranges::count(shape, '/') > 1) {
        return true;
    }
    const bool has_letter = std::ranges::any_of(shape, is_letter);
    if (!has_letter) {
        return is_telling_number(shape);
    }
    if (has_digit) {
        return is_coded(shape);
    }
    if (has_dotted_name(shape)) {
        return true;
    }
    return std::ranges::none_of(shape, is_joint) && has_humps(word, shape);
}

}  // namespace rootleaf::text
