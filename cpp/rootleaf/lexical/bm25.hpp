#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/lexical/fields.hpp"
#include "rootleaf/lexical/inverted_index.hpp"
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

/// Every chunkset's score against one query.
struct Scores {
    std::vector<double>
        bm25;  ///< by chunkset; 0 where no term of the query stands, or it is not allowed
    /// No chunkset can score this or more: the sum over the query's terms of idf × (kK1 + 1). A
    /// term that no chunkset has counts with the idf of 0 occurrences, unless the other terms of
    /// its word stand for it: its parts for a compound, a compound around it that occurs for a
    /// part.
    double greatest = 0.0;
    std::uint64_t chunkset_count = 0;  ///< chunksets of allowed documents
};

/// Scores all chunksets of the allowed documents, exactly: the number of chunksets, average length
/// and frequencies are those of the allowed documents alone. Sums run over terms in the order of
/// their bytes.
///
/// @param allowed  one byte per document, not 0 where it may be in the answer; or empty: all may
[[nodiscard]] Scores score(const InvertedIndex& index,
                           const text::Query& query,
                           std::span<const std::uint8_t> allowed);

}  // namespace rootleaf::lexical
