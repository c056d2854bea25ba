#include "rootleaf/lexical/bm25.hpp"

#include <algorithm>
#include <optional>

#include "rootleaf/lexical/coverage.hpp"
#include "rootleaf/lexical/term_matches.hpp"

namespace rootleaf::lexical {

namespace {

/// By index into Query::terms, the weight of the word that is only this term; 0 without one.
std::vector<double> weights_alone(const text::Query& query) {
    std::vector<double> weights(query.terms.size(), 0.0);
    for (const text::QueryWord& word : query.words) {
        if (word.terms.size() == 1) {
            weights[word.terms[0].term] = word.weight;
        }
    }
    return weights;
}

bool has_compounds(const text::Query& query) {
    return std::ranges::any_of(query.words,
                               [](const text::QueryWord& word) { return word.terms.size() > 1; });
}

}  // namespace

/// Scores term after term, then the words of several terms.
class Scorer {
public:
    Scorer(std::span<const Slice> slices, const Totals& totals, const text::Query& query)
        : slices_(slices),
          totals_(totals),
          query_(query),
          alone_(weights_alone(query)),
          ranks_(query.terms.size() * slices.size()),
          containing_(query.terms.size(), 0),
          idf_(query.terms.size(), 0.0),
          greatest_(query.terms.size(), 0.0) {
        scores_.starts_.push_back(0);
        for (const Slice& slice : slices) {
            scores_.starts_.push_back(scores_.starts_.back() +
                                      slice.index->layout().chunkset_count());
        }
        const std::size_t total = scores_.starts_.back();
        scores_.sums_ = ReusedArray<double>(total, 0.0);
        scores_.has_compounds_ = has_compounds(query);
        if (scores_.has_compounds_) {
            scores_.term_sums_ = ReusedArray<double>(total, 0.0);
        }
        fill_halves();
    }

    Scores score() {
        for (std::uint32_t term = 0; term < query_.terms.size(); ++term) {
            add_term(term);
        }
        add_words();
        return std::move(scores_);
    }

private:
    /// Once for each chunkset: to divide anew where each term stands would take as long as all the
    /// rest.
    void fill_halves() {
        halves_ = ReusedArray<double>(scores_.starts_.back());
        double* half = halves_.data();
        const double average_length = totals_.average_length();
        for (const Slice& slice : slices_) {
            for (const double length : slice.index->weighted_lengths()) {
                *half++ = half_frequency(length, average_length);
            }
        }
    }

    [[nodiscard]] std::optional<std::uint32_t>& rank(std::uint32_t term, std::size_t s) {
        return ranks_[term * slices_.size() + s];
    }

    void add_term(std::uint32_t term) {
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            const InvertedIndex& index = *slices_[s].index;
            const std::optional<std::uint32_t> found = index.find(query_.terms[term]);
            if (found) {
                containing_[term] += count_matches(index, *found, slices_[s].allowed);
            }
            rank(term, s) = found;
        }
        idf_[term] = inverse_frequency(totals_.chunkset_count, containing_[term]);
        greatest_[term] = idf_[term] * (kK1 + 1.0);
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            add_matches(term, s);
        }
    }

    /// Calls `add(chunkset, weight)` for the allowed chunksets of a slice that the term stands in.
    template <typename Add>
    void each_weight(std::uint32_t term, std::size_t s, Add add) {
        const std::optional<std::uint32_t> found = rank(term, s);
        if (!found) {
            return;
        }
        const Slice& slice = slices_[s];
        const double idf = idf_[term];
        const double* const halves = halves_.data() + scores_.starts_[s];
        const std::uint8_t* const allowed = slice.allowed.empty() ? nullptr : slice.allowed.data();
        each_match(*slice.index, *found, [=](std::uint32_t chunkset, double frequency) {
            if (allowed == nullptr || allowed[chunkset] != 0) {
                add(chunkset, idf * saturation(frequency, halves[chunkset]));
            }
        });
    }

    void add_matches(std::uint32_t term, std::size_t s) {
        const double in_sum = query_.weights[term];
        double* const sums = scores_.sums_.data() + scores_.starts_[s];
        if (!scores_.has_compounds_) {
            each_weight(term, s, [=](std::uint32_t chunkset, double weight) {
                sums[chunkset] += in_sum * weight;
            });
            return;
        }
        double* const term_sums = scores_.term_sums_.data() + scores_.starts_[s];
        const double alone = alone_[term];
        each_weight(term, s, [=](std::uint32_t chunkset, double weight) {
            term_sums[chunkset] += in_sum * weight;
            if (alone > 0.0) {
                sums[chunkset] += alone * weight;
            }
        });
    }

    /// Adds the words of several terms: those of one are there.
    void add_words() {
        std::vector<WordScale> scales;
        scales.reserve(query_.words.size());
        for (const text::QueryWord& word : query_.words) {
            scales.push_back(scale_of(word, {containing_, greatest_}));
            scores_.greatest_sum_ += word.weight * scales.back().greatest;
        }
        if (scores_.has_compounds_) {
            for (std::size_t s = 0; s < slices_.size(); ++s) {
                WordWeigher weigher(slices_[s].index->layout().chunkset_count());
                for (std::size_t i = 0; i < scales.size(); ++i) {
                    if (query_.words[i].terms.size() > 1) {
                        add_word(query_.words[i], scales[i], s, weigher);
                    }
                }
            }
        }
    }

    void add_word(const text::QueryWord& word,
                  const WordScale& scale,
                  std::size_t s,
                  WordWeigher& weigher) {
        std::uint64_t most = 0;
        for (const text::QueryTerm& term : word.terms) {
            most += containing_[term.term];
        }
        double* const sums = scores_.sums_.data() + scores_.starts_[s];
        weigher.weigh(
            word, scale, most,
            [&](std::uint32_t term, auto&& visit) { each_weight(term, s, visit); },
            [&](std::uint32_t chunkset, double weight) { sums[chunkset] += word.weight * weight; });
    }

    std::span<const Slice> slices_;
    const Totals& totals_;
    const text::Query& query_;
    std::vector<double> alone_;                        // by term
    ReusedArray<double> halves_;                       // as scores_.sums_: half_frequency
    std::vector<std::optional<std::uint32_t>> ranks_;  // by term and slice
    std::vector<std::uint64_t> containing_;            // by term
    std::vector<double> idf_;                          // by term
    std::vector<double> greatest_;                     // by term
    Scores scores_;
};

Scores score(std::span<const Slice> slices, const Totals& totals, const text::Query& query) {
    return Scorer(slices, totals, query).score();
}

}  // namespace rootleaf::lexical
