#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rootleaf::render {

/// Finds where to end a passage so that at most `max_bytes` of it stay; zero or less leaves
/// nothing.
///
/// The end of a sentence (of a line with `at_lines`: code, tables) in the second half of what fits,
/// else of a word, else of a character with its accents; 0 where not even one fits.
[[nodiscard]] std::size_t cut_end(std::string_view passage, std::int64_t max_bytes, bool at_lines);

/// The start of the sentence (or else the word) that the character at `byte_offset` stands in.
///
/// At most `max_chars_before` characters lie between the result and `byte_offset`; 0 when the
/// passage's own start is as near.
[[nodiscard]] std::size_t start_before(std::string_view passage,
                                       std::size_t byte_offset,
                                       std::size_t max_chars_before);

}  // namespace rootleaf::render
