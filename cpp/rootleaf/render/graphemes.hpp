#pragma once

#include <cstddef>
#include <string_view>

namespace rootleaf::render {

/// The greatest byte offset not above `byte_offset` where a cut splits nothing that is read as one
/// character; 0 where there is no such offset. `byte_offset` must stand between two characters.
///
/// A letter stays with its accents, an emoji with its joined parts, a flag with its pair. Never
/// cuts where Unicode's rules would not; now and then keeps more together than they ask for.
/// Source: Unicode Standard Annex 29, rules GB3 to GB13.
[[nodiscard]] std::size_t floor_grapheme(std::string_view text, std::size_t byte_offset) noexcept;

/// The same in characters, each byte that is no continuation byte counting as one.
[[nodiscard]] std::size_t floor_grapheme_characters(std::string_view text,
                                                    std::size_t char_offset) noexcept;

/// Whether a byte goes on with a character that started before it.
[[nodiscard]] constexpr bool is_continuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Where the character before a byte offset above 0 starts.
[[nodiscard]] std::size_t character_before(std::string_view text, std::size_t byte_offset) noexcept;

/// How many characters a text has.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

}  // namespace rootleaf::render
