#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rootleaf::text {

/// A code point of normalised text, and whether it is a word by itself.
class CharacterUnit {
public:
    static constexpr std::uint32_t kAlone = 1U << 31U;

    explicit constexpr CharacterUnit(std::uint32_t bits) noexcept : bits_(bits) {}

    [[nodiscard]] constexpr std::uint32_t code_point() const noexcept { return bits_ & ~kAlone; }
    [[nodiscard]] constexpr bool is_alone() const noexcept { return (bits_ & kAlone) != 0; }

private:
    std::uint32_t bits_;
};

/// What BERT's uncased normalisation makes of each code point: control characters and accents go,
/// case is lowered, white space is one kind, and punctuation and Chinese characters are words by
/// themselves. All of it is data of the table, so that no library's version of Unicode changes a
/// vector. Borrowed: holds while the arrays do.
///
/// Marks are not put into canonical order, which no vocabulary of this kind can tell: a word with a
/// mark that is kept is unknown in any order, and whoever writes a table makes sure of it.
struct CharacterMap {
    static constexpr std::uint32_t kCodePointCount = 0x110000;
    static constexpr std::uint32_t kBlockSize = 128;

    /// What an entry says; from kFirstMapping on it is the number of a mapping.
    static constexpr std::uint16_t kKeep = 0;    ///< stays as it is, inside a word
    static constexpr std::uint16_t kDrop = 1;    ///< leaves no trace
    static constexpr std::uint16_t kSpace = 2;   ///< ends a word
    static constexpr std::uint16_t kAlone = 3;   ///< stays as it is, a word by itself
    static constexpr std::uint16_t kHangul = 4;  ///< a syllable: its letters, which are computed
    static constexpr std::uint16_t kFirstMapping = 5;

    std::span<const std::uint16_t> block_of;      ///< of each kBlockSize code points in a row
    std::span<const std::uint16_t> entries;       ///< block by block
    std::span<const std::uint32_t> mapping_ends;  ///< in `units`
    std::span<const std::uint32_t> units;         ///< bits of a CharacterUnit

    [[nodiscard]] std::uint16_t entry_of(std::uint32_t code_point) const noexcept {
        const std::uint32_t block = block_of[code_point / kBlockSize];
        return entries[block * kBlockSize + code_point % kBlockSize];
    }

    [[nodiscard]] std::span<const std::uint32_t> mapping(std::uint16_t entry) const noexcept {
        const std::uint32_t number = static_cast<std::uint32_t>(entry) - kFirstMapping;
        const std::uint32_t start = number == 0 ? 0 : mapping_ends[number - 1];
        return units.subspan(start, mapping_ends[number] - start);
    }

    /// Why these arrays cannot be read in safety; nothing where they can.
    [[nodiscard]] std::optional<std::string_view> find_fault() const noexcept;
};

}  // namespace rootleaf::text
