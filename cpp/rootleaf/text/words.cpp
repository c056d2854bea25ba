#include "rootleaf/text/words.hpp"

#include <algorithm>
#include <array>

#include "rootleaf/text/characters.hpp"

namespace rootleaf::text {

namespace {

bool is_joint(CharClass c) noexcept {
    return c == CharClass::soft_joint || c == CharClass::hard_joint;
}

std::size_t skip(const std::array<bool, 256>& table,
                 std::string_view text,
                 std::size_t byte,
                 std::size_t limit) noexcept {
    while (byte < limit && table[static_cast<unsigned char>(text[byte])]) {
        ++byte;
    }
    return byte;
}

}  // namespace

bool WordScanner::next(Word& word) noexcept {
    while ((byte_ = skip(kIsPlainSeparator, text_, byte_, text_.size())) < text_.size()) {
        const Character first = read_character(text_, byte_);
        if (starts_word(first.char_class)) {
            const std::size_t end = end_of_word(byte_);
            word = {start_with_sigil(byte_), end_with_suffix(byte_, end), false};
            byte_ = word.end;
            return true;
        }
        if (first.char_class == CharClass::unspaced) {
            word = {byte_, end_of_run(byte_), true};
            byte_ = word.end;
            return true;
        }
        byte_ += first.byte_count;
    }
    return false;
}

std::size_t WordScanner::end_of_word(std::size_t byte) const noexcept {
    const std::size_t limit = std::min(byte + kMaxWordBytes, text_.size());
    std::size_t end = byte;  // after the last character that a word may end with
    while (byte < limit) {
        const std::size_t letters_end = skip(kIsPlainLetter, text_, byte, limit);
        if (letters_end > byte) {
            end = byte = letters_end;
            continue;
        }
        const Character here = read_character(text_, byte);
        if (starts_word(here.char_class) || here.char_class == CharClass::extender) {
            byte += here.byte_count;
            end = byte;
        } else if (here.char_class == CharClass::underscore) {
            byte += here.byte_count;
        } else if (is_joint(here.char_class)) {
            const std::size_t length = joint_length(byte, here.code_point, here.byte_count);
            if (length == 0) {
                break;
            }
            byte += length;
        } else {
            break;
        }
    }
    return end;
}

/// The bytes of the joint at `byte` if a word goes on after it, else 0.
std::size_t WordScanner::joint_length(std::size_t byte,
                                      std::uint32_t code_point,
                                      std::size_t byte_count) const noexcept {
    std::size_t length = byte_count;
    if (code_point == ':') {
        const std::string_view rest = text_.substr(byte);
        if (rest.starts_with("://")) {
            length = 3;
        } else if (rest.starts_with("::")) {
            length = 2;
        }
    }
    if (byte + length >= text_.size()) {
        return 0;
    }
    const CharClass after = read_character(text_, byte + length).char_class;
    return starts_word(after) || after == CharClass::underscore ? length : 0;
}

std::size_t WordScanner::end_of_run(std::size_t byte) const noexcept {
    const std::size_t limit = byte + kMaxWordBytes;
    while (byte < text_.size() && byte < limit) {
        const Character here = read_character(text_, byte);
        if (here.char_class != CharClass::unspaced && here.char_class != CharClass::extender) {
            break;
        }
        byte += here.byte_count;
    }
    return byte;
}

std::size_t WordScanner::start_with_sigil(std::size_t byte) const noexcept {
    const auto before = [&](std::size_t distance) {
        return byte >= distance ? text_[byte - distance] : ' ';
    };
    const auto is_wordlike = [](char c) {
        const auto value = static_cast<unsigned char>(c);
        return value >= 0x80 || kAsciiClasses[value] != CharClass::separator;
    };
    if (before(1) == '#' && before(2) != '#' && !is_wordlike(before(2))) {
        return byte - 1;
    }
    if (before(1) == '-' && before(2) == '-' && !is_wordlike(before(3))) {
        return byte - 2;
    }
    return byte;
}

std::size_t WordScanner::end_with_suffix(std::size_t start, std::size_t end) const noexcept {
    if (end - start != 1 || end >= text_.size()) {
        return end;
    }
    const std::string_view rest = text_.substr(end);
    std::size_t length = 0;
    if (rest.starts_with("++")) {
        length = 2;
    } else if (rest.starts_with('#')) {
        length = 1;
    }
    if (length == 0 || end + length == text_.size()) {
        return end + length;
    }
    return read_character(text_, end + length).char_class == CharClass::separator &&
                   rest[length] != '#' && rest[length] != '+'
               ? end + length
               : end;
}

}  // namespace rootleaf::text
