#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// The share of a term's greatest weight that a weighted frequency reaches, times kK1 + 1.
[[nodiscard]] inline double saturation(double frequency,
                                       double length,
                                       double average_length) noexcept {
    const double norm = kK1 * (1.0 - kB + kB * length / average_length);
    return frequency * (kK1 + 1.0) / (frequency + norm);
}

/// A segment's postings, and the documents of it that are asked.
struct Slice {
    const InvertedIndex* index;
    /// One byte per document, not 0 where it may be in the answer; or empty: all may.
    std::span<const std::uint8_t> allowed;
};

/// Every chunkset's measures against one query, by slice, then by chunkset: both above 0 where a
/// term of the query stands and the document is allowed, and 0 elsewhere.
struct Scores {
    /// Σ over the query's distinct terms of their weights, each times Query::weights.
    std::vector<std::vector<double>> bm25;
    /// Σ over the query's words of their weights, each word counted once (coverage.hpp) and times
    /// QueryWord::weight, divided by the same sum of their greatest weights; at most 1. A word that
    /// no chunkset has counts with the idf of 0 occurrences. Where every word is one term this is
    /// bm25 divided by the greatest that the query could reach.
    std::vector<std::vector<double>> coverage;
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
