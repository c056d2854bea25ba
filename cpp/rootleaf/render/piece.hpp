#pragma once

#include <cstdint>
#include <vector>

namespace rootleaf::render {

/// A range of bytes that is shown, and the 0-based line that its first byte stands on.
struct Piece {
    std::uint32_t start;
    std::uint32_t end;
    std::uint32_t line;
};

/// A chunk that is shown, and the pieces that stand for it; they outlive this.
struct ShownChunk {
    std::uint32_t chunk;
    const std::vector<Piece>* pieces;
};

}  // namespace rootleaf::render
