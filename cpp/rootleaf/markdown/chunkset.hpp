#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/chunk.hpp"

namespace rootleaf::markdown {

/// Version of the rules of chunks, chunksets and keys. Part of every key: raise it with any change
/// that cuts or keys some text differently.
inline constexpr std::uint32_t kChunkerVersion = 1;

/// Joins chunks to chunksets: runs of sibling leaves, in document order; every leaf is in exactly
/// one.
///
/// A run ends where the next leaf would take its leaves above `max_tokens` (one byte between two
/// leaves counted); or, once it is half full (a third, where the next leaf would take it above two
/// thirds), before a leaf whose own text says so, which one in four does. So what is added behind
/// changes at most the last run, and what is added in front of a long list only the runs near it.
/// Thematic breaks and link definitions stay with the leaf before them where they fit. A heading
/// without content is a chunkset of its own.
///
/// The key is XXH3-128, in canonical byte order, over the version, `max_tokens`, and the hashes of
/// the normalised texts of all ancestors, of what is shown before the leaves, and of the leaves.
[[nodiscard]] std::vector<Chunkset> pack_chunksets(std::string_view text,
                                                   const std::vector<Chunk>& chunks,
                                                   std::uint32_t max_tokens);

/// Writes a text with each run of white space (blank, tab, line ends) as one blank, and none at
/// either end: the normal form of keys. Returns its size; `out` has room for text.size() bytes.
std::size_t fold_blanks(std::string_view text, char* out) noexcept;

}  // namespace rootleaf::markdown
