#pragma once

#include <cstdint>
#include <span>

#include "rootleaf/lexical/bm25.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::lexical {

/// In how many chunksets of the allowed documents the rarest identifier of a query stands, of those
/// that stand anywhere: whole, in whatever spelling of case and joints the analyzer takes for the
/// same, and not by its parts. 0 where none does.
[[nodiscard]] std::uint64_t rarest_identifier(std::span<const Slice> slices,
                                              const text::Query& query);

}  // namespace rootleaf::lexical
