#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/text/query.hpp"

namespace rootleaf::lexical {

/// What all parts of a word together reach of its whole's greatest weight, where the whole stands
/// anywhere: less than all, so that the whole itself scores above them. Chosen with
/// bench/known_items.py.
inline constexpr double kPartsShare = 0.7;

/// A chunkset, and what a term or word weighs there, which is above 0.
struct Weighed {
    std::uint32_t chunkset;
    double weight;
};

/// What is known of the terms of a query, by index into Query::terms.
struct TermFacts {
    std::span<const std::uint64_t> containing;  ///< chunksets that have the term
    /// idf × (kK1 + 1), which its weight stays below; where no chunkset has it, the greatest of any
    /// term.
    std::span<const double> greatest;
};

/// How the terms of one word are brought together, so that the word counts once: at a chunkset, a
/// term with parts weighs
///
///     max(its own weight, share × Σ of the weights of its parts)
///
/// and the word what its first term weighs. With G the sum of the greatest weights of the parts:
///
/// - where the term stands in any chunkset, its greatest weight is its own, and the share is
///   kPartsShare × min(1, greatest / G): its parts stay below the whole, whatever they are;
/// - where it stands in none, its parts stand for it: its greatest weight is G or that of a term
///   that no chunkset has, whichever is less, and the share is min(1, greatest / G).
///
/// A part that no chunkset has counts in G with the greatest weight of any term. Parts that have
/// parts are weighed in the same way.
struct WordScale {
    double greatest;             ///< the word weighs less than this in every chunkset
    std::vector<double> shares;  ///< by term of the word; 0 for one without parts
};

[[nodiscard]] WordScale scale_of(const text::QueryWord& word, const TermFacts& facts);

/// The chunksets in which any term of the word stands, ascending, with what the word weighs there,
/// before QueryWord::weight. The order of every sum and maximum is that of the word's terms.
///
/// @param weights  by index into Query::terms: where the term stands, ascending
[[nodiscard]] std::vector<Weighed> weigh_word(const text::QueryWord& word,
                                              const WordScale& scale,
                                              std::span<const std::vector<Weighed>> weights);

}  // namespace rootleaf::lexical
