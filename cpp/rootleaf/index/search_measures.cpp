#include "rootleaf/index/search_measures.hpp"

#include <utility>

#include "rootleaf/lexical/identifier_frequency.hpp"
#include "rootleaf/rank/fusion.hpp"

namespace rootleaf::index {

Measures::Measures(const View& view,
                   const Selection& selection,
                   const text::Query& query,
                   std::span<const float> query_vector,
                   const SimilarityList& list)
    : keyword_(lexical::score(selection.slices(), selection.totals(), query)),
      segment_count_(static_cast<std::uint32_t>(view.segments().size())),
      rarest_identifier_(lexical::rarest_identifier(selection.slices(), query)) {
    if (!query_vector.empty()) {
        similarities_ = std::make_unique<const Similarities>(view, selection, query_vector, list);
    }
}

rank::ScoreParts Measures::parts_of(std::span<const RankedChunkset> chunksets,
                                    bool with_ranks) const {
    rank::ScoreParts parts(chunksets.size());
    const auto add = [&](std::string_view name,
                         double (Measures::*measure)(std::uint32_t, std::uint32_t) const) {
        std::vector<double> column;
        column.reserve(chunksets.size());
        for (const RankedChunkset& ranked : chunksets) {
            column.push_back((this->*measure)(ranked.segment, ranked.chunkset));
        }
        parts.set(name, std::move(column));
    };
    add(rank::kBm25, &Measures::bm25);
    add(rank::kCoverage, &Measures::coverage);
    if (similarities_ != nullptr) {
        add(rank::kSimilarity, &Measures::similarity);
    }
    if (with_ranks) {
        rank::RankCounter by_keyword(*parts.find(rank::kCoverage));
        std::vector<double> coverages;
        for (std::uint32_t s = 0; s < segment_count_; ++s) {
            coverages.clear();
            for (const double sum : keyword_.sums(s)) {
                coverages.push_back(keyword_.coverage_of(sum));
            }
            by_keyword.count(coverages);
        }
        parts.set(rank::kRankKeyword, by_keyword.ranks());
        if (similarities_ != nullptr) {
            rank::RankCounter by_vector(*parts.find(rank::kSimilarity));
            for (std::uint32_t s = 0; s < segment_count_; ++s) {
                by_vector.count(similarities_->all(s));
            }
            parts.set(rank::kRankVector, by_vector.ranks());
        }
    }
    return parts;
}

}  // namespace rootleaf::index
