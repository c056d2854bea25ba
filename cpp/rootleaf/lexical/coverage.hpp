#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/base/reused_array.hpp"
#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::lexical {

/// What all parts of a word together reach of its whole's greatest weight, where the whole stands
/// anywhere: less than all, so that the whole itself scores above them. Chosen with
/// bench/known_items.py.
inline constexpr double kPartsShare = 0.7;

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

/// Brings the terms of one word after the other together, over the chunksets of a segment in which
/// any of them stands. The order of every sum and maximum is that of the word's terms, from the
/// last to the first.
class WordWeigher {
public:
    explicit WordWeigher(std::uint32_t chunkset_count)
        : chunkset_count_(chunkset_count), place_plus_one_(chunkset_count, 0) {}

    /// Calls `add(chunkset, weight)` for every chunkset in which a term of the word stands, once,
    /// in no order, with what the word weighs there, before QueryWord::weight.
    ///
    /// @param most         chunksets that a term of the word stands in, or more
    /// @param each_weight  `each_weight(term, visit)` calls `visit(chunkset, weight)` for where the
    ///                     term of that index into Query::terms stands
    template <typename EachWeight, typename Add>
    void weigh(const text::QueryWord& word,
               const WordScale& scale,
               std::uint64_t most,
               EachWeight&& each_weight,
               Add&& add) {
        begin(word, most);
        for (std::size_t i = word.terms.size(); i-- > 0;) {
            const text::QueryTerm& term = word.terms[i];
            double* const sums = row(term.enclosing == text::kNoTerm ? 0 : rows_[term.enclosing]);
            if (scale.shares[i] == 0.0) {
                each_weight(term.term, [&](std::uint32_t chunkset, double weight) {
                    sums[place_of(chunkset)] += weight;
                });
                continue;
            }
            double* const own = row(rows_[i]);
            for (std::size_t place = 0; place < chunksets_.size(); ++place) {
                own[place] *= scale.shares[i];
            }
            each_weight(term.term, [&](std::uint32_t chunkset, double weight) {
                double& most_of_both = own[place_of(chunkset)];
                most_of_both = std::max(weight, most_of_both);
            });
            for (std::size_t place = 0; place < chunksets_.size(); ++place) {
                sums[place] += own[place];
            }
        }
        const double* const whole = row(0);
        for (std::size_t place = 0; place < chunksets_.size(); ++place) {
            add(chunksets_[place], whole[place]);
        }
    }

private:
    void begin(const text::QueryWord& word, std::uint64_t most);

    [[nodiscard]] double* row(std::size_t number) noexcept {
        return sums_.data() + number * row_size_;
    }

    /// Where the chunkset's sums stand in each row: a new place, with sums of 0, for a new one.
    std::size_t place_of(std::uint32_t chunkset) {
        std::uint32_t& place_plus_one = place_plus_one_.data()[chunkset];
        if (place_plus_one == 0) {
            chunksets_.push_back(chunkset);
            place_plus_one = static_cast<std::uint32_t>(chunksets_.size());
        }
        return place_plus_one - 1;
    }

    std::uint32_t chunkset_count_;
    ReusedArray<std::uint32_t> place_plus_one_;  // by chunkset; 0: none yet
    std::vector<std::uint32_t> chunksets_;       // by place
    /// A row of sums for the whole word, then one for the parts of each term that has some.
    ReusedArray<double> sums_;
    std::size_t row_size_ = 0;
    std::vector<std::size_t> rows_;  // by term of the word
};

}  // namespace rootleaf::lexical
