#pragma once

#include <cstdint>
#include <string_view>

namespace rootleaf::markdown {

/// The number of cells of a delimiter row, or 0 if the line is none. No line end is in it.
/// Source: GFM 0.29, section 4.10.
[[nodiscard]] std::uint32_t delimiter_row_cells(std::string_view line) noexcept;

/// The number of cells of a header row, or 0 if it holds no pipe: a row of one cell needs one to be
/// told from a line of text. Pipes in code spans count, pipes after a backslash do not.
[[nodiscard]] std::uint32_t header_row_cells(std::string_view line) noexcept;

}  // namespace rootleaf::markdown
