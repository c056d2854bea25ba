#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/rank/score_parts.hpp"

namespace rootleaf::rank {

/// How the parts of a candidate become its score.
enum class Fusion : std::uint8_t {
    weighted,  ///< Σ weight × measure: absolute, means the same from one query to the next
    /// Σ weight / (kRankConstant + rank): for lists whose measures cannot be compared.
    /// Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
    /// individual Rank Learning Methods", 2009.
    rrf,
};

inline constexpr double kRankConstant = 60.0;

/// "weighted" or "rrf"; nothing for another spelling.
[[nodiscard]] std::optional<Fusion> fusion_from(std::string_view spelling) noexcept;

/// How much a part counts.
struct PartWeight {
    std::string_view part;
    double weight;
};

/// The score of each candidate: the sum, in the order of `weights`, of what its parts add. A part
/// of `weighted` is a measure, and adds weight × measure. A part of `rrf` is a rank counted from 1,
/// and adds weight / (kRankConstant + rank); a rank of 0 says that the candidate is not in that
/// list, and adds nothing.
///
/// Throws Error(invalid_input) for a weight that is negative or not finite, and for a part that
/// `parts` does not have.
[[nodiscard]] std::vector<double> fuse(Fusion fusion,
                                       const ScoreParts& parts,
                                       std::span<const PartWeight> weights);

/// Ranks of a few candidates in a long list that is not sorted for it.
///
/// A list holds the chunksets whose measure is above 0. The rank of one is 1 more than the number
/// of those that have a greater measure: equals share a rank, so that ranks depend on the measures
/// alone, not on how the index lies.
class RankCounter {
public:
    /// @param measures  of the candidates, in any order
    explicit RankCounter(std::span<const double> measures);

    /// Counts all measures of the list, or of a piece of it (a segment, say), the candidates' own
    /// included. O(n log candidates).
    void count(std::span<const double> list);
    void count(std::span<const float> list);

    /// By candidate; 0 for one that is not in the list.
    [[nodiscard]] std::vector<double> ranks() const;

private:
    template <typename Measure>
    void count_each(std::span<const Measure> list);

    std::vector<double> measures_;
    std::vector<double> greatest_first_;  ///< distinct measures above 0
    std::vector<std::uint64_t> counts_;   ///< by the first of those that a measure is above
};

}  // namespace rootleaf::rank
