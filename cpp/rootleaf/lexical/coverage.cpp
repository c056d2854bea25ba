#include "rootleaf/lexical/coverage.hpp"

#include <algorithm>
#include <utility>

#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

namespace {

/// Goes through two ascending lists at once; `combine(a, b)` gives the weight, with 0 for a list
/// that lacks the chunkset.
template <typename Combine>
std::vector<Weighed> merge(std::span<const Weighed> a,
                           std::span<const Weighed> b,
                           Combine&& combine) {
    std::vector<Weighed> merged;
    merged.reserve(a.size() + b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const bool from_a = j == b.size() || (i < a.size() && a[i].chunkset <= b[j].chunkset);
        const bool from_b = i == a.size() || (j < b.size() && b[j].chunkset <= a[i].chunkset);
        const std::uint32_t chunkset = from_a ? a[i].chunkset : b[j].chunkset;
        const double weight_a = from_a ? a[i++].weight : 0.0;
        const double weight_b = from_b ? b[j++].weight : 0.0;
        merged.push_back({chunkset, combine(weight_a, weight_b)});
    }
    return merged;
}

void add(std::vector<Weighed>& sum, std::vector<Weighed> addend) {
    sum = sum.empty() ? std::move(addend)
                      : merge(sum, addend, [](double a, double b) { return a + b; });
}

}  // namespace

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

std::vector<Weighed> weigh_word(const text::QueryWord& word,
                                const WordScale& scale,
                                std::span<const std::vector<Weighed>> weights) {
    std::vector<Weighed> whole;
    std::vector<std::vector<Weighed>> of_parts(word.terms.size());
    for (std::size_t i = word.terms.size(); i-- > 0;) {
        const text::QueryTerm& term = word.terms[i];
        const std::vector<Weighed>& own = weights[term.term];
        const double share = scale.shares[i];
        std::vector<Weighed> weighed =
            share > 0.0 ? merge(own, of_parts[i],
                                [&](double a, double b) { return std::max(a, share * b); })
                        : own;
        of_parts[i].clear();
        add(term.enclosing == text::kNoTerm ? whole : of_parts[term.enclosing], std::move(weighed));
    }
    return whole;
}

}  // namespace rootleaf::lexical
