#include "rootleaf/text/wordpiece.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "rootleaf/text/characters.hpp"

namespace rootleaf::text {

namespace {

constexpr std::uint32_t kHashStart = 0x811C9DC5;
constexpr std::string_view kContinuation = "##";
constexpr std::uint8_t kAsciiSlow = 0xFF;  // above every ASCII character

constexpr std::uint32_t hash_byte(std::uint32_t hash, char byte) noexcept {
    return (hash ^ static_cast<unsigned char>(byte)) * 0x01000193U;
}

constexpr std::uint32_t hash_text(std::uint32_t hash, std::string_view text) noexcept {
    for (const char byte : text) {
        hash = hash_byte(hash, byte);
    }
    return hash;
}

constexpr std::uint32_t kContinuationStart = hash_text(kHashStart, kContinuation);

constexpr bool is_inside_character(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::optional<std::string_view> WordPieceParts::find_fault() const noexcept {
    const std::span<const std::uint32_t> ends = tokens.ends();
    if (ends.empty() || ends.size() >= kEmptySlot || !std::ranges::is_sorted(ends) ||
        ends.back() != tokens.bytes().size()) {
        return "its tokens overlap";
    }
    if (unknown_id >= ends.size()) {
        return "its unknown token is none";
    }
    if (slots.size() < 2 || !std::has_single_bit(slots.size()) || slots.size() > 0x80000000U) {
        return "its hash table has no size";
    }
    // A search for what is not there ends at an empty slot.
    if (std::ranges::find(slots, kEmptySlot) == slots.end() ||
        std::ranges::any_of(
            slots, [&](std::uint16_t slot) { return slot != kEmptySlot && slot >= ends.size(); })) {
        return "its hash table is damaged";
    }
    return characters.find_fault();
}

WordPiece::WordPiece(const WordPieceParts& parts)
    : parts_(parts),
      slot_shift_(32U - static_cast<std::uint32_t>(std::countr_zero(parts.slots.size()))) {
    for (std::uint32_t id = 0; id < parts_.tokens.size(); ++id) {
        max_token_bytes_ =
            std::max(max_token_bytes_, static_cast<std::uint32_t>(parts_.tokens[id].size()));
    }
    for (std::uint32_t c = 0; c < ascii_.size(); ++c) {
        const std::uint16_t entry = parts_.characters.entry_of(c);
        ascii_[c] = kAsciiSlow;
        if (entry == CharacterMap::kKeep && c > CharacterMap::kFirstMapping) {
            ascii_[c] = static_cast<std::uint8_t>(c);
        } else if (entry < CharacterMap::kHangul && entry != CharacterMap::kKeep) {
            ascii_[c] = static_cast<std::uint8_t>(entry);
        } else if (entry >= CharacterMap::kFirstMapping) {
            const std::span<const std::uint32_t> units = parts_.characters.mapping(entry);
            if (units.size() == 1 && units[0] > CharacterMap::kFirstMapping && units[0] < 0x80) {
                ascii_[c] = static_cast<std::uint8_t>(units[0]);
            }
        }
    }
}

void WordPiece::Word::append_byte(char byte) noexcept {
    if (++character_count <= kMaxWordCharacters) {
        bytes[byte_count++] = byte;
    }
}

void WordPiece::Word::append(std::uint32_t code_point) noexcept {
    if (++character_count > kMaxWordCharacters) {
        return;
    }
    struct Sink {
        Word& word;
        void push_back(char byte) const { word.bytes[word.byte_count++] = byte; }
    };
    Sink sink{*this};
    append_code_point(sink, code_point);
}

void WordPiece::encode(std::string_view text, std::vector<std::uint32_t>& ids) const {
    Word word;
    for (std::size_t byte = 0; byte < text.size();) {
        const auto first = static_cast<unsigned char>(text[byte]);
        if (first < 0x80) {
            ++byte;
            const std::uint8_t action = ascii_[first];
            if (action > CharacterMap::kFirstMapping && action != kAsciiSlow) {
                word.append_byte(static_cast<char>(action));
            } else if (action == CharacterMap::kSpace) {
                end_word(word, ids);
            } else if (action != CharacterMap::kDrop) {
                add_character(first, word, ids);
            }
            continue;
        }
        utf8proc_int32_t code_point = -1;
        const utf8proc_ssize_t length = utf8proc_iterate(
            reinterpret_cast<const utf8proc_uint8_t*>(text.data() + byte),
            static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size() - byte, 4)),
            &code_point);
        if (length <= 0 || code_point < 0) {
            ++byte;
            continue;
        }
        byte += static_cast<std::size_t>(length);
        add_character(static_cast<std::uint32_t>(code_point), word, ids);
    }
    end_word(word, ids);
}

void WordPiece::add_character(std::uint32_t code_point,
                              Word& word,
                              std::vector<std::uint32_t>& ids) const {
    constexpr std::uint32_t kSyllables = 0xAC00;
    const std::uint16_t entry = parts_.characters.entry_of(code_point);
    switch (entry) {
        case CharacterMap::kKeep:
            word.append(code_point);
            break;
        case CharacterMap::kDrop:
            break;
        case CharacterMap::kSpace:
            end_word(word, ids);
            break;
        case CharacterMap::kAlone:
            add_unit(CharacterUnit(code_point | CharacterUnit::kAlone), word, ids);
            break;
        case CharacterMap::kHangul: {
            // Source: The Unicode Standard, section 3.12, "Conjoining Jamo Behavior".
            const std::uint32_t syllable = code_point - kSyllables;
            word.append(0x1100 + syllable / 588 % 19);
            word.append(0x1161 + syllable % 588 / 28);
            if (syllable % 28 != 0) {
                word.append(0x11A7 + syllable % 28);
            }
            break;
        }
        default:
            for (const std::uint32_t bits : parts_.characters.mapping(entry)) {
                add_unit(CharacterUnit(bits), word, ids);
            }
            break;
    }
}

void WordPiece::add_unit(CharacterUnit unit, Word& word, std::vector<std::uint32_t>& ids) const {
    if (!unit.is_alone()) {
        word.append(unit.code_point());
        return;
    }
    end_word(word, ids);
    word.append(unit.code_point());
    end_word(word, ids);
}

void WordPiece::end_word(Word& word, std::vector<std::uint32_t>& ids) const {
    if (word.character_count == 0) {
        return;
    }
    const std::size_t before = ids.size();
    bool is_known = word.character_count <= kMaxWordCharacters;
    for (std::uint32_t at = 0; is_known && at < word.byte_count;) {
        const Piece piece = longest_piece(word, at);
        is_known = piece.id != kNoToken;
        ids.push_back(piece.id);
        at += piece.byte_count;
    }
    if (!is_known) {
        ids.resize(before);
        ids.push_back(parts_.unknown_id);
    }
    word.byte_count = 0;
    word.character_count = 0;
}

WordPiece::Piece WordPiece::longest_piece(Word& word, std::uint32_t start) const noexcept {
    // Longer than any token need not be looked for.
    const std::string_view rest = word.text().substr(start);
    const bool continues = start != 0;
    const std::size_t most = std::min<std::size_t>(rest.size(), max_token_bytes_);
    std::uint32_t hash = continues ? kContinuationStart : kHashStart;
    for (std::size_t i = 0; i < most; ++i) {
        hash = hash_byte(hash, rest[i]);
        word.hashes[i] = hash;
    }
    for (std::size_t length = most; length > 0; --length) {
        if (length < rest.size() && is_inside_character(rest[length])) {
            continue;
        }
        const std::uint32_t id = find(word.hashes[length - 1], rest.substr(0, length), continues);
        if (id != kNoToken) {
            return {id, static_cast<std::uint32_t>(length)};
        }
    }
    return {kNoToken, 0};
}

std::uint32_t WordPiece::find(std::uint32_t hash,
                              std::string_view piece,
                              bool continues) const noexcept {
    const std::size_t mask = parts_.slots.size() - 1;
    const std::size_t prefix = continues ? kContinuation.size() : 0;
    const std::uint32_t spread = hash * 0x9E3779B1U;
    std::size_t slot = spread >> slot_shift_;
    for (; parts_.slots[slot] != WordPieceParts::kEmptySlot; slot = (slot + 1) & mask) {
        const std::string_view token = parts_.tokens[parts_.slots[slot]];
        if (token.size() == piece.size() + prefix && token.substr(prefix) == piece &&
            (!continues || token.starts_with(kContinuation))) {
            return parts_.slots[slot];
        }
    }
    return kNoToken;
}

}  // namespace rootleaf::text
