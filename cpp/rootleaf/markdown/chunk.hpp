#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/block.hpp"

namespace rootleaf::markdown {

/// The estimate of tokens that every limit of chunk, chunkset and answer is stated in: one token
/// for every four bytes of UTF-8, rounded up.
inline constexpr std::uint32_t kBytesPerToken = 4;

/// What a chunk is, for whoever shows it.
enum class ChunkKind : std::uint8_t {
    heading,
    paragraph,
    list_item,
    code,
    table,
    quote,
    html,
    comment,  ///< an HTML comment: searchable, shown with its marks, never a section
    thematic_break,
    link_definition,
    front_matter,  ///< a front-matter block that could not be parsed: text, not metadata
};

/// A half-open range of bytes; empty where start == end.
struct ByteSpan {
    std::uint32_t start;
    std::uint32_t end;
};

/// The smallest piece that is shown. Chunks stand in document order, parents before children;
/// spans do not overlap and cover every byte that is not blank, outside parsed front matter.
struct Chunk {
    ChunkKind kind;
    std::uint8_t level;        ///< 1..6 for headings of the section tree, else 0
    std::uint32_t depth;       ///< number of ancestors
    std::uint32_t parent;      ///< index of the parent chunk, or kNone
    ByteSpan span;             ///< an exact slice of the text, without the last line end
    std::uint32_t start_line;  ///< 0-based
    std::uint32_t end_line;    ///< one past the last line
    /// Only for a piece of a block that was too long for one chunk: what is shown before it (table
    /// header and delimiter rows, opening fence, `<!--` line) and after it (closing fence, `-->`
    /// line). Empty where the piece itself holds these lines.
    ByteSpan head;
    ByteSpan tail;
};

/// 128-bit hash of a chunkset's normalised text; equal text has equal keys in every document.
using ChunksetKey = std::array<std::uint8_t, 16>;

/// A root-to-leaf path: a run of sibling leaves (consecutive chunks), under the ancestors of the
/// first one. The unit that is ranked.
struct Chunkset {
    std::uint32_t first_chunk;
    std::uint32_t chunk_count;
    ChunksetKey key;
};

struct ChunkOptions {
    /// Limit of a leaf, and of the leaves of one chunkset together, in tokens. 16..65536.
    std::uint32_t max_tokens = 256;
    /// False: a closed front-matter block was not understood and becomes a chunk of its own.
    bool front_matter_parsed = true;
    /// False: `---` on line one is markdown whatever follows.
    bool front_matter = true;
};

/// The chunks and chunksets of one document. Derived from the text and the options alone.
struct Document {
    std::vector<Chunk> chunks;
    std::vector<Chunkset> chunksets;
    /// First heading of level 1, else the first heading, else kNone.
    std::uint32_t title_chunk = kNone;
};

/// Cuts a document into chunks and chunksets. Time is linear in the size of the text.
/// Throws Error(invalid_input) for options outside their range, Error(too_large) as parse_blocks.
[[nodiscard]] Document chunk(std::string_view text, const ChunkOptions& options = {});

/// The same from blocks that were already parsed from this text.
[[nodiscard]] Document chunk(std::string_view text,
                             const BlockTree& tree,
                             FrontMatterSpan front_matter,
                             const ChunkOptions& options);

}  // namespace rootleaf::markdown
