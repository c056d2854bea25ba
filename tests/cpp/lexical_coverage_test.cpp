#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "rootleaf/lexical/coverage.hpp"
#include "rootleaf/text/analyzer.hpp"

namespace {

using namespace rootleaf;
/// Chunksets with the weights of a term or word.
using Weights = std::map<std::uint32_t, double>;

constexpr std::uint32_t kNone = text::kNoTerm;
constexpr double kMost = lexical::kPartsShare;

/// A whole with the terms 1 and 2 as its parts.
text::QueryWord whole_of_two() { return {1.0, {{0, kNone}, {1, 0}, {2, 0}}}; }

/// What the word weighs, given the weights of the terms.
Weights weigh(lexical::WordWeigher& weigher,
              const text::QueryWord& word,
              const lexical::WordScale& scale,
              const std::vector<Weights>& terms) {
    std::uint64_t most = 0;
    for (const Weights& term : terms) {
        most += term.size();
    }
    Weights weighed;
    weigher.weigh(
        word, scale, most,
        [&](std::uint32_t term, auto&& visit) {
            for (const auto& [chunkset, weight] : terms[term]) {
                visit(chunkset, weight);
            }
        },
        [&](std::uint32_t chunkset, double weight) {
            CHECK(weighed.emplace(chunkset, weight).second);
        });
    return weighed;
}

}  // namespace

TEST_CASE("A whole that stands anywhere limits its parts to a share of its own greatest weight") {
    const std::vector<std::uint64_t> containing{1, 4, 4};
    const std::vector<double> greatest{6.0, 5.0, 3.0};
    const lexical::WordScale scale = lexical::scale_of(whole_of_two(), {containing, greatest});
    CHECK(scale.greatest == 6.0);
    CHECK(scale.shares == std::vector<double>{kMost * (6.0 / 8.0), 0.0, 0.0});
}

TEST_CASE("Parts that weigh less than their whole are not scaled up") {
    const std::vector<std::uint64_t> containing{1, 4, 4};
    const std::vector<double> greatest{9.0, 2.0, 3.0};
    const lexical::WordScale scale = lexical::scale_of(whole_of_two(), {containing, greatest});
    CHECK(scale.greatest == 9.0);
    CHECK(scale.shares[0] == kMost);
}

TEST_CASE("Parts stand for a whole that stands nowhere, up to the weight of one missing word") {
    const std::vector<std::uint64_t> containing{0, 4, 4};
    const lexical::WordScale common =
        lexical::scale_of(whole_of_two(), {containing, std::vector<double>{9.0, 2.0, 3.0}});
    CHECK(common.greatest == 5.0);
    CHECK(common.shares[0] == 1.0);
    const lexical::WordScale rare =
        lexical::scale_of(whole_of_two(), {containing, std::vector<double>{9.0, 8.0, 4.0}});
    CHECK(rare.greatest == 9.0);
    CHECK(rare.shares[0] == 0.75);
}

TEST_CASE("A word weighs what its whole does, or its parts together, whichever is more") {
    const text::QueryWord word = whole_of_two();
    const lexical::WordScale scale{8.0, {0.5, 0.0, 0.0}};
    const std::vector<Weights> weights{
        {{2, 5.0}, {7, 1.0}}, {{2, 2.0}, {4, 4.0}, {7, 3.0}}, {{4, 2.0}, {9, 6.0}}};
    lexical::WordWeigher weigher(10);
    CHECK(weigh(weigher, word, scale, weights) == Weights{{2, 5.0}, {4, 3.0}, {7, 1.5}, {9, 3.0}});
    // Nothing is left of the word before.
    CHECK(weigh(weigher, word, scale, {{{3, 1.0}}, {}, {{9, 2.0}}}) == Weights{{3, 1.0}, {9, 1.0}});
}

TEST_CASE("Parts of parts weigh by the same rules, and nothing that stands nowhere is listed") {
    const text::QueryWord word{1.0, {{0, kNone}, {1, 0}, {2, 0}, {3, 2}, {4, 2}}};
    const std::vector<std::uint64_t> containing{0, 5, 0, 5, 5};
    const std::vector<double> greatest{9.0, 4.0, 9.0, 1.0, 2.0};
    const lexical::WordScale scale = lexical::scale_of(word, {containing, greatest});
    CHECK(scale.greatest == 7.0);
    CHECK(scale.shares == std::vector<double>{1.0, 0.0, 1.0, 0.0, 0.0});
    lexical::WordWeigher weigher(4);
    CHECK(weigh(weigher, word, scale, {{}, {{1, 2.0}}, {}, {{1, 0.5}, {3, 0.5}}, {}}) ==
          Weights{{1, 2.5}, {3, 0.5}});
}
