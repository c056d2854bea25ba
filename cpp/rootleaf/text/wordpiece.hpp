#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/base/string_list.hpp"
#include "rootleaf/text/wordpiece_characters.hpp"

namespace rootleaf::text {

/// The arrays of a vocabulary, as they lie in a table's file. Borrowed.
struct WordPieceParts {
    static constexpr std::uint16_t kEmptySlot = 0xFFFF;

    StringList tokens;  ///< by id; a token that continues a word begins with `##`
    /// A hash table of ids with linear probing: a power of two of slots, at least one of them
    /// empty. A token stands at or after slot `hash * 0x9E3779B1 >> (32 - log2(slots))`, where hash
    /// is FNV-1a, 32 bits wide, of its bytes.
    std::span<const std::uint16_t> slots;
    CharacterMap characters;
    std::uint32_t unknown_id = 0;

    /// Why these arrays cannot be read in safety; nothing where they can.
    [[nodiscard]] std::optional<std::string_view> find_fault() const noexcept;
};

/// Cuts text into the tokens of BERT's uncased vocabulary: the same ids as the `tokenizers` library
/// gives without truncation, padding and special tokens (those that stand in the text are text).
///
/// Source: Wu et al., "Google's neural machine translation system", 2016; Devlin et al., "BERT",
/// 2019. A hash table is probed for the whole word first, which most words are, then for its
/// longest beginning, and so on; an eighth of a megabyte holds the table of a whole vocabulary.
class WordPiece {
public:
    /// @param parts  without fault
    explicit WordPiece(const WordPieceParts& parts);

    /// Appends the ids of a text's tokens in their order. A word that has no tokens is one unknown
    /// token; so is one of more than a hundred characters. Any bytes are legal: what is no UTF-8
    /// leaves no trace.
    void encode(std::string_view text, std::vector<std::uint32_t>& ids) const;

    /// Whether the vocabulary has at least half of a text's words, and one; marks and symbols are
    /// no words. A Latin word or number is known by a piece of two or more characters, or where it
    /// is one character. Other scripts are not known: their words are spelt out in letters, each of
    /// which counts as a word, for their vectors make all texts of a script alike.
    [[nodiscard]] bool knows(std::string_view text) const;

    [[nodiscard]] const StringList& tokens() const noexcept { return parts_.tokens; }
    [[nodiscard]] std::uint32_t unknown_id() const noexcept { return parts_.unknown_id; }

private:
    static constexpr std::uint32_t kMaxWordCharacters = 100;
    static constexpr std::size_t kMaxWordBytes = std::size_t{kMaxWordCharacters} * 4;
    static constexpr std::uint32_t kNoToken = 0xFFFFFFFF;

    /// The word that is being read, normalised.
    struct Word {
        std::array<char, kMaxWordBytes> bytes{};
        std::uint32_t byte_count = 0;
        std::uint32_t character_count = 0;
        /// Of the beginnings of what is looked for; here, so that they are cleared once a text.
        std::array<std::uint32_t, kMaxWordBytes> hashes{};

        [[nodiscard]] std::string_view text() const noexcept { return {bytes.data(), byte_count}; }
        void append(std::uint32_t code_point) noexcept;
        void append_byte(char byte) noexcept;
    };

    struct WordCount {
        std::size_t all = 0;
        std::size_t known = 0;
    };

    /// Where tokens go, and the count of words where it is asked for.
    struct Output {
        std::vector<std::uint32_t>& ids;
        WordCount* words;
    };

    void read(std::string_view text, Output& output) const;
    void add_character(std::uint32_t code_point, Word& word, Output& output) const;
    void add_unit(CharacterUnit unit, Word& word, Output& output) const;
    void end_word(Word& word, Output& output) const;
    void count_word(std::string_view word,
                    std::span<const std::uint32_t> ids,
                    WordCount& words) const noexcept;
    /// The longest token that the rest of a word begins with, and its bytes without `##`.
    struct Piece {
        std::uint32_t id;
        std::uint32_t byte_count;
    };
    [[nodiscard]] Piece longest_piece(Word& word, std::uint32_t start) const noexcept;
    [[nodiscard]] std::uint32_t find(std::uint32_t hash,
                                     std::string_view piece,
                                     bool continues) const noexcept;

    WordPieceParts parts_;
    std::uint32_t slot_shift_ = 0;
    std::uint32_t max_token_bytes_ = 0;
    /// For the loop over most of a text: what to append for an ASCII character, or its entry.
    std::array<std::uint8_t, 128> ascii_{};
};

}  // namespace rootleaf::text
