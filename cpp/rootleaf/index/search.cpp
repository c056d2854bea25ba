#include "rootleaf/index/search.hpp"

#include <algorithm>
#include <span>

#include "rootleaf/lexical/bm25.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::index {

namespace {

/// A document or chunkset by its canonical number, which follows path and position.
struct Scored {
    double score;
    std::uint32_t number;
};

struct ByScore {
    bool operator()(const Scored& a, const Scored& b) const noexcept {
        return a.score != b.score ? a.score > b.score : a.number < b.number;
    }
};

using Best = rank::TopK<Scored, ByScore>;

}  // namespace

Ranking search(const Segment& segment,
               std::string_view query,
               const filter::Predicate& predicate,
               const SearchOptions& options) {
    Ranking ranking;
    const filter::Bitmap allowed = predicate.evaluate(segment.values(), segment.document_count());
    ranking.allowed_documents = allowed.size();

    // A byte per document: the inner loops ask for every posting, and a bitmap would answer slower.
    std::vector<std::uint8_t> is_allowed;
    if (ranking.allowed_documents < segment.document_count()) {
        is_allowed.assign(segment.document_count(), 0);
        for (const std::uint32_t document : allowed.members()) {
            is_allowed[document] = 1;
        }
    }

    const lexical::Scores scores =
        lexical::score(segment.inverted(), text::analyze_query(query), is_allowed);
    ranking.allowed_chunksets = scores.chunkset_count;

    const std::span<const std::uint32_t> first_chunkset =
        segment.inverted().layout().first_chunkset;
    const auto each_match = [&](std::uint32_t document, auto&& visit) {
        for (std::uint32_t c = first_chunkset[document]; c < first_chunkset[document + 1]; ++c) {
            if (scores.bm25[c] > 0.0) {
                visit(Scored{scores.bm25[c], c});
            }
        }
    };

    Best documents(std::min<std::size_t>(options.top_k, segment.document_count()), {});
    for (std::uint32_t document = 0; document < segment.document_count(); ++document) {
        double best = 0.0;
        each_match(document, [&](const Scored& match) { best = std::max(best, match.score); });
        if (best > 0.0) {
            ++ranking.matched_documents;
            documents.offer({best, document});
        }
    }
    for (const Scored& document : documents.take()) {
        Best chunksets(options.per_document, {});
        each_match(document.number, [&](const Scored& match) { chunksets.offer(match); });
        for (const Scored& chunkset : chunksets.take()) {
            ranking.document_ids.push_back(segment.document_ids()[document.number]);
            ranking.ordinals.push_back(chunkset.number - first_chunkset[document.number]);
            ranking.bm25.push_back(chunkset.score);
            ranking.coverage.push_back(std::min(chunkset.score / scores.greatest, 1.0));
        }
    }
    return ranking;
}

}  // namespace rootleaf::index
