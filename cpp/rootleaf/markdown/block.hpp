#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rootleaf::markdown {

/// No parent: the block or chunk stands at the top of its document.
inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// The block constructs of CommonMark 0.31.2 and GFM tables that carry a span.
enum class BlockKind : std::uint8_t {
    block_quote,
    list,       ///< detail: 1 if ordered, else 0
    list_item,  ///< byte_content_column is not kept; its first line carries the marker
    heading,    ///< detail: level 1..6 (ATX and setext)
    paragraph,
    fenced_code,  ///< detail: 1 if the closing fence is there, else 0
    indented_code,
    html,   ///< detail: start condition 1..7 of the specification, section 4.6
    table,  ///< first line is the header row, second the delimiter row
    thematic_break,
    link_definition,  ///< one link reference definition
};

/// One block. Blocks of a document stand in document order, parents before their children.
struct Block {
    BlockKind kind;
    std::uint8_t detail;
    std::uint32_t parent;      ///< index of the enclosing container, or kNone
    std::uint32_t start_line;  ///< 0-based line of the document
    /// One past the last line. Trailing blank lines do not count; in a quote, lines that hold
    /// nothing but its mark do, for the quote and the containers around it.
    std::uint32_t end_line;
};

/// What stands between `---` lines at the start of a document.
enum class FrontMatterState : std::uint8_t {
    absent,    ///< no front matter: line one is markdown
    closed,    ///< opening and closing line are there
    unclosed,  ///< it starts like front matter and never ends: markdown from line one
};

struct FrontMatterSpan {
    FrontMatterState state;
    std::uint32_t content_start;  ///< byte after the opening line (closed and unclosed)
    std::uint32_t content_end;    ///< byte where the closing line starts (closed only)
    std::uint32_t end;            ///< byte after the closing line (closed only)
};

/// Finds front matter: `---` on the first line and the next `---` or `...` line, trailing blanks
/// allowed on both; it counts only if the first line between them that is not blank or a comment
/// has the form `key:`.
[[nodiscard]] FrontMatterSpan find_front_matter(std::string_view text);

/// Blocks and line starts of one document.
struct BlockTree {
    std::vector<Block> blocks;
    /// Byte offset of each line's first byte, then the size of the text: line i is
    /// [line_starts[i], line_starts[i + 1]), its line end included.
    std::vector<std::uint32_t> line_starts;
};

/// Containers nested deeper than this are plain text of the innermost one.
inline constexpr std::uint32_t kMaxContainerDepth = 100;

/// Parses the block structure of CommonMark 0.31.2 with GFM tables, in one pass and without
/// recursion. Lines end in "\n", "\r\n" or "\r". Any bytes are legal; time is linear in their
/// number.
///
/// @param text        the document, at most 2^32 - 2 bytes; larger throws Error(too_large)
/// @param first_byte  where markdown starts: the end of front matter, a line start; lines before it
///                    are counted and hold no block
/// Source: CommonMark 0.31.2, appendix "A parsing strategy"; GFM 0.29, section 4.10.
[[nodiscard]] BlockTree parse_blocks(std::string_view text, std::uint32_t first_byte = 0);

}  // namespace rootleaf::markdown
