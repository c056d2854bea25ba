#include "rootleaf/text/parts.hpp"

#include <algorithm>
#include <array>

#include "rootleaf/text/characters.hpp"

namespace rootleaf::text {

namespace {

struct Place {
    std::uint32_t byte;
    CharClass char_class;
};

bool is_divider(CharClass c) {
    return c == CharClass::soft_joint || c == CharClass::hard_joint || c == CharClass::underscore;
}

bool is_apostrophe(std::uint32_t code_point) { return code_point == '\'' || code_point == 0x2019; }

bool is_contraction_ending(std::string_view leaf) {
    constexpr std::array<std::string_view, 14> kEndings = {"s", "t", "d", "m", "ll", "re", "ve",
                                                           "S", "T", "D", "M", "LL", "RE", "VE"};
    return std::find(kEndings.begin(), kEndings.end(), leaf) != kEndings.end();
}

/// Whether a leaf begins at place i; extenders are not among the places.
bool begins_by_case(const std::vector<Place>& places, std::size_t i) {
    if (i == 0 || places[i].char_class != CharClass::upper) {
        return false;
    }
    const CharClass before = places[i - 1].char_class;
    if (before != CharClass::upper) {
        return true;
    }
    const auto lower_at = [&](std::size_t k) {
        return k < places.size() && places[k].char_class == CharClass::lower;
    };
    return lower_at(i + 1) && lower_at(i + 2);
}

/// Appends the leaves of a piece without joints.
void split_by_case(const std::vector<Place>& places,
                   std::uint32_t end,
                   std::vector<PartSpan>& leaves) {
    const std::size_t first_leaf = leaves.size();
    std::uint32_t start = places.front().byte;
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (begins_by_case(places, i)) {
            leaves.push_back({start, places[i].byte});
            start = places[i].byte;
        }
    }
    leaves.push_back({start, end});
    const std::size_t count = leaves.size() - first_leaf;
    if (count > 4 && count * 4 > places.size()) {
        leaves.resize(first_leaf);
        leaves.push_back({places.front().byte, end});
    }
}

PartSpan core_of(std::string_view word) {
    std::size_t start = 0;
    while (start < word.size() && (word[start] == '#' || word[start] == '-')) {
        ++start;
    }
    std::size_t end = word.size();
    while (end > start && (word[end - 1] == '#' || word[end - 1] == '+')) {
        --end;
    }
    return {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)};
}

}  // namespace

WordParts split_word(std::string_view word) {
    WordParts parts;
    parts.core = core_of(word);
    std::vector<Place> piece;
    bool after_apostrophe = false;
    Segment segment{{parts.core.start, parts.core.start}, 0, 0};

    const auto close_piece = [&](std::uint32_t end) {
        if (piece.empty()) {
            return;
        }
        const bool is_ending =
            after_apostrophe && !parts.leaves.empty() &&
            is_contraction_ending(word.substr(piece.front().byte, end - piece.front().byte));
        if (!is_ending) {
            split_by_case(piece, end, parts.leaves);
        }
        piece.clear();
    };
    const auto close_segment = [&](std::uint32_t end) {
        segment.span.end = end;
        segment.leaf_count = static_cast<std::uint32_t>(parts.leaves.size()) - segment.first_leaf;
        if (segment.leaf_count > 0) {
            parts.segments.push_back(segment);
        }
    };

    for (std::uint32_t byte = parts.core.start; byte < parts.core.end;) {
        const Character here = read_character(word, byte);
        if (is_divider(here.char_class)) {
            close_piece(byte);
            after_apostrophe = is_apostrophe(here.code_point);
            if (here.char_class == CharClass::hard_joint) {
                close_segment(byte);
                segment = {{byte + here.byte_count, byte + here.byte_count},
                           static_cast<std::uint32_t>(parts.leaves.size()),
                           0};
            }
        } else if (here.char_class != CharClass::extender || piece.empty()) {
            piece.push_back({byte, here.char_class});
        }
        byte += here.byte_count;
    }
    close_piece(parts.core.end);
    close_segment(parts.core.end);
    return parts;
}

std::string join_word(std::string_view word) {
    std::string joined;
    joined.reserve(word.size());
    CharClass before = CharClass::separator;
    for (std::size_t byte = 0; byte < word.size();) {
        const Character here = read_character(word, byte);
        const std::size_t after = byte + here.byte_count;
        if (here.char_class == CharClass::soft_joint) {
            const bool between_digits = before == CharClass::digit && after < word.size() &&
                                        read_character(word, after).char_class == CharClass::digit;
            if (between_digits && !is_apostrophe(here.code_point)) {
                joined.push_back('-');
            }
        } else if (here.char_class != CharClass::underscore) {
            joined.append(word.substr(byte, here.byte_count));
        }
        before = here.char_class;
        byte = after;
    }
    return joined;
}

}  // namespace rootleaf::text
