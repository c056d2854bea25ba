#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/index/search_order.hpp"
#include "rootleaf/index/search_selection.hpp"
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
    Measures(const View& view,
             const Selection& selection,
             std::string_view query,
             std::span<const float> query_vector)
        : Measures(view, selection, text::analyze_query(query), query_vector) {}

    [[nodiscard]] bool has_similarity() const noexcept { return has_similarity_; }
    /// Selected chunksets without a vector; 0 for a question without one.
    [[nodiscard]] std::uint64_t without_vector() const noexcept { return without_vector_; }
    /// See lexical/identifier_frequency.hpp.
    [[nodiscard]] std::uint64_t rarest_identifier() const noexcept { return rarest_identifier_; }

    [[nodiscard]] const lexical::Scores& keyword() const noexcept { return keyword_; }
    [[nodiscard]] double bm25(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return keyword_.bm25(segment, chunkset);
    }
    [[nodiscard]] double coverage(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return keyword_.coverage(segment, chunkset);
    }
    [[nodiscard]] double similarity(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return similarity_.empty() || similarity_[segment].empty()
                   ? 0.0
                   : static_cast<double>(similarity_[segment][chunkset]);
    }

    /// The columns that a search gives of these chunksets, whatever they are ranked by: bm25 and
    /// coverage, with a vector similarity too, and their ranks where they are asked for.
    [[nodiscard]] rank::ScoreParts parts_of(std::span<const RankedChunkset> chunksets,
                                            bool with_ranks) const;

private:
    Measures(const View& view,
             const Selection& selection,
             const text::Query& query,
             std::span<const float> query_vector);

    void compare(const View& view, const Selection& selection, std::span<const float> query_vector);

    lexical::Scores keyword_;
    std::vector<std::vector<float>> similarity_;  // by segment; empty for one without vectors
    std::size_t segment_count_;
    bool has_similarity_;
    std::uint64_t without_vector_ = 0;
    std::uint64_t rarest_identifier_;
};

}  // namespace rootleaf::index
