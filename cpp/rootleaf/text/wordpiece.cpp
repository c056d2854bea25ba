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

/// Latin letters end here; what has an accent was taken apart before.
constexpr std::uint32_t kLatinEnd = 0x250;

/// Whether there is a letter or digit; words of others are marks and symbols.
bool has_letter(std::string_view word) noexcept {
    for (std::size_t byte = 0; byte < word.size();) {
        const Character character = read_character(word, byte);
        if (starts_word(character.char_class) || character.char_class == CharClass::unspaced) {
            return true;
        }
        byte += character.byte_count;
    }
    return false;
}

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
    Output output{ids, nullptr};
    read(text, output);
}

bool WordPiece::knows(std::string_view text) const {
    std::vector<std::uint32_t> ids;
    WordCount words;
    Output output{ids, &words};
    read(text, output);
    return words.known != 0 && words.known * 2 >= words.all;
}

void WordPiece::read(std::string_view text, Output& output) const {
    Word word;
    for (std::size_t byte = 0; byte < text.size();) {
        const auto first = static_cast<unsigned char>(text[byte]);
        if (first < 0x80) {
            ++byte;
            const std::uint8_t action = ascii_[first];
            if (action > CharacterMap::kFirstMapping && action != kAsciiSlow) {
                word.append_byte(static_cast<char>(action));
            } else if (action == CharacterMap::kSpace) {
                end_word(word, output);
            } else if (action != CharacterMap::kDrop) {
                add_character(first, word, output);
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
        add_character(static_cast<std::uint32_t>(code_point), word, output);
    }
    end_word(word, output);
}

void WordPiece::add_character(std::uint32_t code_point, Word& word, Output& output) const {
    constexpr std::uint32_t kSyllables = 0xAC00;
    const std::uint16_t entry = parts_.characters.entry_of(code_point);
    switch (entry) {
        case CharacterMap::kKeep:
            word.append(code_point);
            break;
        case CharacterMap::kDrop:
            break;
        case CharacterMap::kSpace:
            end_word(word, output);
            break;
        case CharacterMap::kAlone:
            add_unit(CharacterUnit(code_point | CharacterUnit::kAlone), word, output);
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
                add_unit(CharacterUnit(bits), word, output);
            }
            break;
    }
}

void WordPiece::add_unit(CharacterUnit unit, Word& word, Output& output) const {
    if (!unit.is_alone()) {
        word.append(unit.code_point());
        return;
    }
    end_word(word, output);
    word.append(unit.code_point());
    end_word(word, output);
}

void WordPiece::end_word(Word& word, Output& output) const {
    if (word.character_count == 0) {
        return;
    }
    std::vector<std::uint32_t>& ids = output.ids;
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
    if (output.words != nullptr) {
        count_word(word.text(), std::span(ids).subspan(before), *output.words);
    }
    word.byte_count = 0;
    word.character_count = 0;
}

void WordPiece::count_word(std::string_view word,
                           std::span<const std::uint32_t> ids,
                           WordCount& words) const noexcept {
    if (!has_letter(word)) {
        return;
    }
    // Each letter of another script adds a vector that tells nothing of what is asked.
    const bool is_latin = read_character(word, 0).code_point < kLatinEnd;
    words.all += is_latin ? 1 : ids.size();
    if (!is_latin || ids.front() == parts_.unknown_id) {
        return;
    }
    bool is_known = word.size() == read_character(word, 0).byte_count;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string_view token = parts_.tokens[ids[i]];
        const std::string_view piece = i == 0 ? token : token.substr(kContinuation.size());
        is_known = is_known || piece.size() > read_character(piece, 0).byte_count;
    }
    words.known += is_known ? 1 : 0;
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
