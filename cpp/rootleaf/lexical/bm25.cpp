#include "rootleaf/lexical/bm25.hpp"

#include <optional>

#include "rootleaf/lexical/coverage.hpp"
#include "rootleaf/lexical/term_matches.hpp"

namespace rootleaf::lexical {

namespace {

/// What the weights of each term are for, by index into Query::terms.
struct TermUses {
    explicit TermUses(const text::Query& query)
        : alone(query.terms.size(), 0.0), in_compound(query.terms.size(), false) {
        for (const text::QueryWord& word : query.words) {
            if (word.terms.size() == 1) {
                alone[word.terms[0].term] = word.weight;
                continue;
            }
            has_compounds = true;
            for (const text::QueryTerm& term : word.terms) {
                in_compound[term.term] = true;
            }
        }
    }

    std::vector<double> alone;  ///< the weight of the word that is only this term; 0 without one
    std::vector<bool> in_compound;
    bool has_compounds = false;
};

/// Per slice, one sum for each chunkset.
std::vector<std::vector<double>> zeros(std::span<const Slice> slices) {
    std::vector<std::vector<double>> sums;
    sums.reserve(slices.size());
    for (const Slice& slice : slices) {
        sums.emplace_back(slice.index->layout().chunkset_count(), 0.0);
    }
    return sums;
}

/// Scores term after term, then the words of several terms.
class Scorer {
public:
    Scorer(std::span<const Slice> slices, const Totals& totals, const text::Query& query)
        : slices_(slices),
          totals_(totals),
          average_length_(totals.average_length()),
          query_(query),
          uses_(query),
          matches_(slices.size()),
          containing_(query.terms.size(), 0),
          greatest_(query.terms.size(), 0.0),
          kept_(slices.size(), std::vector<std::vector<Weighed>>(query.terms.size())) {
        scores_.bm25 = zeros(slices);
        if (uses_.has_compounds) {
            scores_.coverage = zeros(slices);
        }
        finders_.reserve(slices.size());
        for (const Slice& slice : slices) {
            finders_.emplace_back(*slice.index, slice.allowed);
        }
    }

    Scores score() {
        for (std::uint32_t term = 0; term < query_.terms.size(); ++term) {
            add_term(term);
        }
        for (const text::QueryWord& word : query_.words) {
            add_word(word);
        }
        divide();
        return std::move(scores_);
    }

private:
    void add_term(std::uint32_t term) {
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            const std::optional<std::uint32_t> rank = slices_[s].index->find(query_.terms[term]);
            matches_[s] = rank ? finders_[s].find(*rank) : std::span<const Match>();
            containing_[term] += matches_[s].size();
        }
        const double idf = inverse_frequency(totals_.chunkset_count, containing_[term]);
        greatest_[term] = idf * (kK1 + 1.0);
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            add_matches(term, s, idf);
        }
    }

    void add_matches(std::uint32_t term, std::size_t s, double idf) {
        const std::span<const double> lengths = slices_[s].index->weighted_lengths();
        const double in_sum = query_.weights[term];
        const double alone = uses_.alone[term];
        const bool is_kept = uses_.in_compound[term];
        std::vector<double>& bm25 = scores_.bm25[s];
        for (const Match& match : matches_[s]) {
            const double weight =
                idf * saturation(match.frequency, lengths[match.chunkset], average_length_);
            bm25[match.chunkset] += in_sum * weight;
            if (uses_.has_compounds && alone > 0.0) {
                scores_.coverage[s][match.chunkset] += alone * weight;
            }
            if (is_kept) {
                kept_[s][term].push_back({match.chunkset, weight});
            }
        }
    }

    void add_word(const text::QueryWord& word) {
        const WordScale scale = scale_of(word, {containing_, greatest_});
        greatest_sum_ += word.weight * scale.greatest;
        if (word.terms.size() == 1) {
            return;
        }
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            for (const Weighed& weighed : weigh_word(word, scale, kept_[s])) {
                scores_.coverage[s][weighed.chunkset] += word.weight * weighed.weight;
            }
        }
    }

    void divide() {
        if (!uses_.has_compounds) {
            scores_.coverage = scores_.bm25;
        }
        for (std::vector<double>& sums : scores_.coverage) {
            for (double& sum : sums) {
                sum = sum > 0.0 ? std::min(sum / greatest_sum_, 1.0) : 0.0;
            }
        }
    }

    std::span<const Slice> slices_;
    const Totals& totals_;
    double average_length_;
    const text::Query& query_;
    TermUses uses_;
    std::vector<MatchFinder> finders_;
    std::vector<std::span<const Match>> matches_;          // by slice, of the term at hand
    std::vector<std::uint64_t> containing_;                // by term
    std::vector<double> greatest_;                         // by term
    std::vector<std::vector<std::vector<Weighed>>> kept_;  // by slice and term of a compound
    double greatest_sum_ = 0.0;
    Scores scores_;
};

}  // namespace

Scores score(std::span<const Slice> slices, const Totals& totals, const text::Query& query) {
    return Scorer(slices, totals, query).score();
}

}  // namespace rootleaf::lexical
