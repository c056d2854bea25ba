#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rootleaf/lexical/fields.hpp"
#include "rootleaf/lexical/inverted_index.hpp"

namespace rootleaf::lexical {

/// Calls `visit(chunkset, frequency)` for every chunkset that a term stands in, in ascending order,
/// with its weighted frequency there, which is above 0: postings of documents are spread over their
/// chunksets, and joined with the chunksets' own.
///
/// @param visit  copied: what it captures by value is then known not to change meanwhile
template <typename Visit>
void each_match(const InvertedIndex& index, std::uint32_t rank, Visit visit) {
    const Postings own = index.chunksets_of(rank);
    const Postings shared = index.documents_of(rank);
    const std::span<const std::uint32_t> first_chunkset = index.layout().first_chunkset;
    const std::size_t own_count = own.ordinals.size();
    std::size_t at = 0;
    for (std::size_t i = 0; i < shared.ordinals.size(); ++i) {
        const std::uint32_t document = shared.ordinals[i];
        const std::uint32_t first = first_chunkset[document];
        const std::uint32_t end = first_chunkset[document + 1];
        for (; at < own_count && own.ordinals[at] < first; ++at) {
            visit(own.ordinals[at], weighted(0, 0, own.first[at], own.second[at]));
        }
        for (std::uint32_t c = first; c < end; ++c) {
            const bool has_own = at < own_count && own.ordinals[at] == c;
            const std::uint8_t headings = has_own ? own.first[at] : std::uint8_t{0};
            const std::uint8_t body = has_own ? own.second[at] : std::uint8_t{0};
            at += has_own ? 1U : 0U;
            visit(c, weighted(shared.first[i], shared.second[i], headings, body));
        }
    }
    for (; at < own_count; ++at) {
        visit(own.ordinals[at], weighted(0, 0, own.first[at], own.second[at]));
    }
}

/// The number of chunksets that `each_match` visits and that are allowed.
///
/// @param allowed  one byte per chunkset, 1 where it counts, else 0; or empty: all do
[[nodiscard]] std::uint64_t count_matches(const InvertedIndex& index,
                                          std::uint32_t rank,
                                          std::span<const std::uint8_t> allowed) noexcept;

}  // namespace rootleaf::lexical
