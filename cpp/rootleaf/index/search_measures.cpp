#include "rootleaf/index/search_measures.hpp"

#include <algorithm>
#include <utility>

#include "rootleaf/rank/fusion.hpp"
#include "rootleaf/text/query.hpp"
#include "rootleaf/vector/scan.hpp"

namespace rootleaf::index {

namespace {

/// One byte per chunkset from one per document; empty stays empty.
std::vector<std::uint8_t> by_chunkset(std::span<const std::uint8_t> by_document,
                                      std::span<const std::uint32_t> first_chunkset) {
    std::vector<std::uint8_t> mask;
    if (by_document.empty()) {
        return mask;
    }
    mask.reserve(first_chunkset.back());
    for (std::size_t document = 0; document < by_document.size(); ++document) {
        mask.resize(first_chunkset[document + 1], by_document[document]);
    }
    return mask;
}

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
                   std::string_view query,
                   std::span<const float> query_vector)
    : keyword_(lexical::score(selection.slices(), selection.totals(), text::analyze_query(query))),
      has_similarity_(!query_vector.empty()) {
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
        const std::vector<std::uint8_t> allowed =
            by_chunkset(selection.slices()[s].allowed, segment.inverted().layout().first_chunkset);
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
    const auto add_ranks = [&](std::string_view name, std::string_view measure, const auto& lists) {
        rank::RankCounter counter(*parts.find(measure));
        for (const auto& list : lists) {
            counter.count(std::span(list));
        }
        parts.set(name, counter.ranks());
    };
    add(rank::kBm25, &Measures::bm25);
    add(rank::kCoverage, &Measures::coverage);
    if (has_similarity_) {
        add(rank::kSimilarity, &Measures::similarity);
    }
    if (with_ranks) {
        add_ranks(rank::kRankKeyword, rank::kCoverage, keyword_.coverage);
        if (has_similarity_) {
            add_ranks(rank::kRankVector, rank::kSimilarity, similarity_);
        }
    }
    return parts;
}

}  // namespace rootleaf::index
