#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/block.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace rootleaf::markdown {

/// A run of whole lines that becomes one chunk, or several where it is too long. Passages stand in
/// document order, parents before children, and do not overlap.
struct Passage {
    ChunkKind kind;
    ChunkKind leaf_kind;   ///< kind of its further pieces: of the first leaf in a list item
    std::uint8_t level;    ///< 1..6 for headings of the section tree, else 0
    std::uint32_t parent;  ///< index of the parent passage, or kNone
    std::uint32_t start_line;
    std::uint32_t end_line;
    std::uint32_t leaf_block;  ///< the leaf or quote it shows; kNone for an empty item
    std::uint32_t
        inner_end;  ///< quotes: one past the last block inside, which starts at leaf_block + 1

    /// Whether its further pieces are its children: other blocks may hang below it, and siblings
    /// would come between the two.
    [[nodiscard]] bool holds_pieces() const noexcept {
        return kind == ChunkKind::list_item || level != 0;
    }
};

/// Sorts the blocks into passages: the section tree, list items with their first leaf, quotes
/// whole. Every line from `first_line` on that is not blank lies in exactly one passage.
[[nodiscard]] std::vector<Passage> outline(std::string_view text,
                                           const BlockTree& tree,
                                           std::uint32_t first_line);

/// Whether a byte is white space that no chunk has to cover: blank, tab or part of a line end.
[[nodiscard]] constexpr bool is_blank(char byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// The end of line `line` without its line end.
[[nodiscard]] std::uint32_t line_content_end(std::string_view text,
                                             const BlockTree& tree,
                                             std::uint32_t line) noexcept;

}  // namespace rootleaf::markdown
