#include "rootleaf/lexical/bm25.hpp"

#include <optional>

#include "rootleaf/lexical/term_matches.hpp"
#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

namespace {

/// Whether a missing term has to count against coverage where it stands.
bool is_missed(const text::Query& query,
               const text::QueryOccurrence& occurrence,
               const std::vector<std::uint64_t>& containing) {
    if (occurrence.compound) {
        return false;
    }
    for (std::uint32_t around = occurrence.enclosing; around != text::kNoTerm;) {
        const text::QueryOccurrence& compound = query.occurrences[around];
        if (containing[compound.term] > 0) {
            return false;
        }
        around = compound.enclosing;
    }
    return true;
}

}  // namespace

Scores score(std::span<const Slice> slices, const Totals& totals, const text::Query& query) {
    Scores scores;
    scores.bm25.reserve(slices.size());
    std::vector<MatchFinder> finders;
    finders.reserve(slices.size());
    for (const Slice& slice : slices) {
        scores.bm25.emplace_back(slice.index->layout().chunkset_count(), 0.0);
        finders.emplace_back(*slice.index, slice.allowed);
    }

    const double average_length = totals.average_length();
    std::vector<std::uint64_t> containing(query.terms.size(), 0);
    std::vector<std::span<const Match>> matches(slices.size());
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        for (std::size_t s = 0; s < slices.size(); ++s) {
            const std::optional<std::uint32_t> rank = slices[s].index->find(query.terms[i]);
            matches[s] = rank ? finders[s].find(*rank) : std::span<const Match>();
            containing[i] += matches[s].size();
        }
        const double idf = inverse_frequency(totals.chunkset_count, containing[i]);
        for (std::size_t s = 0; s < slices.size(); ++s) {
            const std::span<const double> lengths = slices[s].index->weighted_lengths();
            std::vector<double>& bm25 = scores.bm25[s];
            for (const Match& match : matches[s]) {
                bm25[match.chunkset] +=
                    idf * saturation(match.frequency, lengths[match.chunkset], average_length);
            }
        }
    }

    std::vector<bool> missed(query.terms.size(), false);
    for (const text::QueryOccurrence& occurrence : query.occurrences) {
        if (containing[occurrence.term] == 0 && is_missed(query, occurrence, containing)) {
            missed[occurrence.term] = true;
        }
    }
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        if (containing[i] > 0 || missed[i]) {
            scores.greatest +=
                inverse_frequency(totals.chunkset_count, containing[i]) * (kK1 + 1.0);
        }
    }
    return scores;
}

}  // namespace rootleaf::lexical
