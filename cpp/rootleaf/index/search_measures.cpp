#include "rootleaf/index/search_measures.hpp"

#include <algorithm>
#include <utility>

#include "rootleaf/lexical/identifier_frequency.hpp"
#include "rootleaf/rank/fusion.hpp"
#include "rootleaf/vector/scan.hpp"

namespace rootleaf::index {

namespace {

/// The vectors of a segment; nothing where only removed documents have any, which may be of another
/// width than those of the view.
const vector::Matrix* vectors_alive(const LiveSegment& live) noexcept {
    return live.vector_count() > 0 ? live.segment().vectors() : nullptr;
}

std::uint64_t count_without(const vector::Matrix* vectors,
                            std::span<const std::uint8_t> allowed,
                            std::uint32_t chunkset_count) {
    std::uint64_t count = 0;
    for (std::uint32_t c = 0; c < chunkset_count; ++c) {
        const bool is_allowed = allowed.empty() || allowed[c] != 0;
        count += is_allowed && (vectors == nullptr || !vectors->has(c)) ? 1U : 0U;
    }
    return count;
}

}  // namespace

Measures::Measures(const View& view,
                   const Selection& selection,
                   const text::Query& query,
                   std::span<const float> query_vector)
    : keyword_(lexical::score(selection.slices(), selection.totals(), query)),
      segment_count_(view.segments().size()),
      has_similarity_(!query_vector.empty()),
      rarest_identifier_(lexical::rarest_identifier(selection.slices(), query)) {
    if (has_similarity_) {
        compare(view, selection, query_vector);
    }
}

void Measures::compare(const View& view,
                       const Selection& selection,
                       std::span<const float> query_vector) {
    const vector::QueryVector query(query_vector);
    similarity_.resize(view.segments().size());
    for (std::size_t s = 0; s < view.segments().size(); ++s) {
        const Segment& segment = view.segments()[s].segment();
        const std::span<const std::uint8_t> allowed = selection.slices()[s].allowed;
        const vector::Matrix* const vectors = vectors_alive(view.segments()[s]);
        without_vector_ += count_without(vectors, allowed, segment.chunkset_count());
        if (vectors != nullptr) {
            similarity_[s].resize(segment.chunkset_count());
            vector::scan(*vectors, query, allowed, similarity_[s]);
        }
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
    if (has_similarity_) {
        add(rank::kSimilarity, &Measures::similarity);
    }
    if (with_ranks) {
        rank::RankCounter by_keyword(*parts.find(rank::kCoverage));
        std::vector<double> coverages;
        for (std::size_t s = 0; s < segment_count_; ++s) {
            coverages.clear();
            for (const double sum : keyword_.sums(s)) {
                coverages.push_back(keyword_.coverage_of(sum));
            }
            by_keyword.count(coverages);
        }
        parts.set(rank::kRankKeyword, by_keyword.ranks());
        if (has_similarity_) {
            rank::RankCounter by_vector(*parts.find(rank::kSimilarity));
            for (const std::vector<float>& similarities : similarity_) {
                by_vector.count(similarities);
            }
            parts.set(rank::kRankVector, by_vector.ranks());
        }
    }
    return parts;
}

}  // namespace rootleaf::index
