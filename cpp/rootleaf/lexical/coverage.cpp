#include "rootleaf/lexical/coverage.hpp"

#include <algorithm>

#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

WordScale scale_of(const text::QueryWord& word, const TermFacts& facts) {
    const std::size_t count = word.terms.size();
    WordScale scale{0.0, std::vector<double>(count, 0.0)};
    std::vector<double> of_parts(count, 0.0);
    for (std::size_t i = count; i-- > 0;) {
        const text::QueryTerm& term = word.terms[i];
        const bool stands = facts.containing[term.term] > 0;
        double greatest = facts.greatest[term.term];
        if (of_parts[i] > 0.0) {
            scale.shares[i] = (stands ? kPartsShare : 1.0) * std::min(1.0, greatest / of_parts[i]);
            greatest = stands ? greatest : std::min(greatest, of_parts[i]);
        }
        (term.enclosing == text::kNoTerm ? scale.greatest : of_parts[term.enclosing]) += greatest;
    }
    return scale;
}

void WordWeigher::begin(const text::QueryWord& word, std::uint64_t most) {
    for (const std::uint32_t chunkset : chunksets_) {
        place_plus_one_.data()[chunkset] = 0;
    }
    chunksets_.clear();
    rows_.assign(word.terms.size(), 0);
    std::size_t row_count = 1;
    for (const text::QueryTerm& term : word.terms) {
        if (term.enclosing != text::kNoTerm && rows_[term.enclosing] == 0) {
            rows_[term.enclosing] = row_count++;
        }
    }
    row_size_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, chunkset_count_));
    sums_ = ReusedArray<double>(row_count * row_size_, 0.0);
}

}  // namespace rootleaf::lexical
