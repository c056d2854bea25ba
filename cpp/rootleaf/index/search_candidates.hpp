#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rootleaf/index/search_order.hpp"
#include "rootleaf/rank/top_k.hpp"

namespace rootleaf::index {

/// Calls `visit(document, first chunkset, end)` for every document of a segment.
template <typename Visit>
void each_document(const Segment& segment, Visit&& visit) {
    const std::span<const std::uint32_t> first_chunkset =
        segment.inverted().layout().first_chunkset;
    for (std::uint32_t document = 0; document + 1 < first_chunkset.size(); ++document) {
        visit(document, first_chunkset[document], first_chunkset[document + 1]);
    }
}

/// The best `limit` chunksets of a list, best first, at most `per_document` of one document. The
/// list holds the chunksets whose measure is above 0.
///
/// @param measure  `measure(segment, chunkset)`
/// @param most     `most(segment, first chunkset, end)`: none of these measures more
template <typename Measure, typename Most>
std::vector<RankedChunkset> best_of_list(
    const View& view, std::size_t limit, std::size_t per_document, Measure&& measure, Most&& most) {
    const ByScoreThenPlace order(view);
    rank::TopK<RankedChunkset, ByScoreThenPlace> best(limit, order);
    std::vector<RankedChunkset> own;
    for (std::uint32_t segment = 0; segment < view.segments().size(); ++segment) {
        each_document(
            view.segments()[segment].segment(),
            [&](std::uint32_t document, std::uint32_t first, std::uint32_t end) {
                const double greatest = most(segment, first, end);
                if (greatest <= 0.0 || (best.bar() != nullptr && greatest < best.bar()->score)) {
                    return;
                }
                own.clear();
                for (std::uint32_t c = first; c < end; ++c) {
                    const double score = measure(segment, c);
                    if (score > 0.0) {
                        own.push_back({score, segment, document, c});
                    }
                }
                if (own.size() > per_document) {
                    const auto last = own.begin() + static_cast<std::ptrdiff_t>(per_document);
                    std::partial_sort(own.begin(), last, own.end(), order);
                    own.erase(last, own.end());
                }
                for (const RankedChunkset& ranked : own) {
                    best.offer(ranked);
                }
            });
    }
    return best.take();
}

}  // namespace rootleaf::index
