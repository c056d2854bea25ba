#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rootleaf/index/search_order.hpp"
#include "rootleaf/index/search_selection.hpp"
#include "rootleaf/index/search_similarity.hpp"
#include "rootleaf/index/view.hpp"
#include "rootleaf/lexical/bm25.hpp"
#include "rootleaf/rank/score_parts.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::index {

/// Every absolute measure of every selected chunkset against one question; 0 for the others. View
/// and selection are borrowed.
class Measures {
public:
    /// @param query_vector  empty: by keyword alone. Throws Error(invalid_input) where it is no
    /// unit
    ///                      vector, or of another dimension than those of the view.
    /// @param list          which similarities are looked at
    Measures(const View& view,
             const Selection& selection,
             const text::Query& query,
             std::span<const float> query_vector,
             const SimilarityList& list);

    /// Null for a question without a vector.
    [[nodiscard]] const Similarities* similarities() const noexcept { return similarities_.get(); }
    /// See lexical/identifier_frequency.hpp.
    [[nodiscard]] std::uint64_t rarest_identifier() const noexcept { return rarest_identifier_; }

    [[nodiscard]] const lexical::Scores& keyword() const noexcept { return keyword_; }
    [[nodiscard]] double bm25(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return keyword_.bm25(segment, chunkset);
    }
    [[nodiscard]] double coverage(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return keyword_.coverage(segment, chunkset);
    }
    [[nodiscard]] double similarity(std::uint32_t segment, std::uint32_t chunkset) const {
        return static_cast<double>(similarities_->of(segment, chunkset));
    }

    /// The columns that a search gives of these chunksets, whatever they are ranked by: bm25 and
    /// coverage, with a vector similarity too, and their ranks where they are asked
    /// for, for which the list must be of all.
    [[nodiscard]] rank::ScoreParts parts_of(std::span<const RankedChunkset> chunksets,
                                            bool with_ranks) const;

private:
    lexical::Scores keyword_;
    std::unique_ptr<const Similarities> similarities_;
    std::uint32_t segment_count_;
    std::uint64_t rarest_identifier_;
};

}  // namespace rootleaf::index
