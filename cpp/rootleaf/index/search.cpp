#include "rootleaf/index/search.hpp"

#include <algorithm>

#include "rootleaf/index/search_order.hpp"
#include "rootleaf/index/search_selection.hpp"
#include "rootleaf/lexical/bm25.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::index {

namespace {

using Best = rank::TopK<RankedChunkset, ByScoreThenPlace>;

}  // namespace

Ranking search(const View& view, const SearchRequest& request) {
    const Selection selection(view, request.predicate, request.allowed_ids);
    Ranking ranking;
    ranking.allowed_documents = selection.totals().document_count;
    ranking.allowed_chunksets = selection.totals().chunkset_count;

    const lexical::Scores scores =
        lexical::score(selection.slices(), selection.totals(), text::analyze_query(request.query));
    const auto each_match = [&](std::uint32_t segment, std::uint32_t document, auto&& visit) {
        const std::span<const double> bm25 = scores.bm25[segment];
        const std::span<const std::uint32_t> first_chunkset =
            view.segments()[segment].segment().inverted().layout().first_chunkset;
        for (std::uint32_t c = first_chunkset[document]; c < first_chunkset[document + 1]; ++c) {
            if (bm25[c] > 0.0) {
                visit(RankedChunkset{scores.coverage(segment, c), segment, document, c});
            }
        }
    };

    const ByScoreThenPlace order(view);
    Best documents(std::min<std::size_t>(request.top_k, selection.totals().document_count), order);
    const auto segment_count = static_cast<std::uint32_t>(view.segments().size());
    for (std::uint32_t segment = 0; segment < segment_count; ++segment) {
        const std::uint32_t document_count = view.segments()[segment].segment().document_count();
        for (std::uint32_t document = 0; document < document_count; ++document) {
            RankedChunkset best{0.0, segment, document, 0};
            each_match(segment, document, [&](const RankedChunkset& match) {
                if (match.score > best.score) {
                    best = match;
                }
            });
            if (best.score > 0.0) {
                ++ranking.matched_documents;
                documents.offer(best);
            }
        }
    }
    for (const RankedChunkset& document : documents.take()) {
        Best chunksets(request.per_document, order);
        each_match(document.segment, document.document,
                   [&](const RankedChunkset& match) { chunksets.offer(match); });
        for (const RankedChunkset& chunkset : chunksets.take()) {
            ranking.document_ids.push_back(order.document_id(chunkset));
            ranking.ordinals.push_back(order.ordinal(chunkset));
            ranking.scores.push_back(chunkset.score);
            ranking.bm25.push_back(scores.bm25[chunkset.segment][chunkset.chunkset]);
            ranking.coverage.push_back(chunkset.score);
        }
    }
    return ranking;
}

}  // namespace rootleaf::index
