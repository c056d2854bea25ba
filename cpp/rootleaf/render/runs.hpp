#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/render/passages.hpp"
#include "rootleaf/render/piece.hpp"

namespace rootleaf::render {

/// Pieces of one or more chunks as one range of bytes, and the first and the last of the chunks.
struct Run {
    std::uint32_t start;
    std::uint32_t end;
    std::uint32_t line;
    std::uint32_t first_chunk;
    std::uint32_t last_chunk;
};

/// What is shown, in document order, as whole lines where only blanks are in the way, each run
/// apart from the next.
///
/// A thematic break at the edge of a passage, what readers do not see at its end, and idle link
/// definitions are left out unless nothing else is shown. With `bridged` also gaps are shown that
/// are as short as the mark for them, within a section. Where two pieces are the same bytes, the
/// chunk that was shown first counts as the first.
[[nodiscard]] std::vector<Run> runs_of(Passages& passages,
                                       std::span<const ShownChunk> shown,
                                       bool bridged);

/// The chunks that runs show, ascending: those with a piece in them, and those that lie in one
/// whole.
[[nodiscard]] std::vector<std::uint32_t> chunks_in(const Passages& passages,
                                                   std::span<const ShownChunk> shown,
                                                   std::span<const Run> runs);

}  // namespace rootleaf::render
