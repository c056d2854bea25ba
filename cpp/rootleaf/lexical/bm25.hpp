#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/base/reused_array.hpp"
#include "rootleaf/lexical/fields.hpp"
#include "rootleaf/lexical/inverted_index.hpp"
#include "rootleaf/lexical/statistics.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::lexical {

/// How much a term tells that `containing` of `total` chunksets have.
/// Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
/// with the 1 inside the logarithm that keeps it positive.
[[nodiscard]] inline double inverse_frequency(std::uint64_t total,
                                              std::uint64_t containing) noexcept {
    const auto n = static_cast<double>(containing);
    return std::log(1.0 + (static_cast<double>(total) - n + 0.5) / (n + 0.5));
}

/// The frequency at which a term reaches half its greatest weight in a chunkset of this length.
[[nodiscard]] inline double half_frequency(double length, double average_length) noexcept {
    return kK1 * (1.0 - kB + kB * length / average_length);
}

/// The share of a term's greatest weight that a weighted frequency reaches, times kK1 + 1.
[[nodiscard]] inline double saturation(double frequency, double half_frequency) noexcept {
    return frequency * (kK1 + 1.0) / (frequency + half_frequency);
}

/// A segment's postings, and the chunksets of it that are asked: those of the allowed documents.
struct Slice {
    const InvertedIndex* index;
    /// One byte per chunkset, 1 where it may be in the answer, else 0; or empty: all may.
    std::span<const std::uint8_t> allowed;
};

/// Every chunkset's measures against one query, by slice, then by chunkset: both above 0 where a
/// term of the query stands and the document is allowed, and 0 elsewhere.
class Scores {
public:
    /// Σ over the query's distinct terms of their weights, each times Query::weights.
    [[nodiscard]] double bm25(std::size_t slice, std::uint32_t chunkset) const noexcept {
        return (has_compounds_ ? term_sums_ : sums_).span()[starts_[slice] + chunkset];
    }

    /// Σ over the query's words of their weights, each word counted once (coverage.hpp) and times
    /// QueryWord::weight, divided by the same sum of their greatest weights; at most 1. A word that
    /// no chunkset has counts with the idf of 0 occurrences. Where every word is one term this is
    /// bm25 divided by the greatest that the query could reach.
    [[nodiscard]] double coverage(std::size_t slice, std::uint32_t chunkset) const noexcept {
        return coverage_of(sums_.span()[starts_[slice] + chunkset]);
    }

    /// By chunkset, what `coverage_of` makes its coverage of: for loops over all of them, which
    /// need few quotients.
    [[nodiscard]] std::span<const double> sums(std::size_t slice) const noexcept {
        return sums_.span().subspan(starts_[slice], starts_[slice + 1] - starts_[slice]);
    }

    /// Never less for a greater sum; different sums may give one coverage.
    [[nodiscard]] double coverage_of(double sum) const noexcept {
        return sum > 0.0 ? std::min(sum / greatest_sum_, 1.0) : 0.0;
    }

private:
    friend class Scorer;

    std::vector<std::size_t> starts_;  // of each slice in the arrays, and their end
    ReusedArray<double> sums_;         // over words
    ReusedArray<double> term_sums_;    // over terms, where that is not the same
    bool has_compounds_ = false;
    double greatest_sum_ = 0.0;
};

/// Scores all chunksets of the allowed documents of all slices, exactly: the number of chunksets,
/// average length and frequencies are those of these documents alone, wherever they lie. Each sum
/// of real numbers runs over terms in the order of their bytes, and then over words of several
/// terms in the order of Query::words, so that the layout changes no bit.
///
/// @param totals  of the allowed documents of all slices
[[nodiscard]] Scores score(std::span<const Slice> slices,
                           const Totals& totals,
                           const text::Query& query);

}  // namespace rootleaf::lexical
