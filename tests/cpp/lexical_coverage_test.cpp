#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rootleaf/lexical/coverage.hpp"
#include "rootleaf/text/analyzer.hpp"

namespace {

using namespace rootleaf;
using lexical::Weighed;

constexpr std::uint32_t kNone = text::kNoTerm;
constexpr double kMost = lexical::kPartsShare;

/// A whole with the terms 1 and 2 as its parts.
text::QueryWord whole_of_two() { return {1.0, {{0, kNone}, {1, 0}, {2, 0}}}; }

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
    const std::vector<std::vector<Weighed>> weights{
        {{2, 5.0}, {7, 1.0}}, {{2, 2.0}, {4, 4.0}, {7, 3.0}}, {{4, 2.0}, {9, 6.0}}};
    const std::vector<Weighed> weighed = lexical::weigh_word(word, scale, weights);
    const std::vector<Weighed> expected{{2, 5.0}, {4, 3.0}, {7, 1.5}, {9, 3.0}};
    REQUIRE(weighed.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(weighed[i].chunkset == expected[i].chunkset);
        CHECK(weighed[i].weight == expected[i].weight);
    }
}

TEST_CASE("Parts of parts weigh by the same rules, and nothing that stands nowhere is listed") {
    const text::QueryWord word{1.0, {{0, kNone}, {1, 0}, {2, 0}, {3, 2}, {4, 2}}};
    const std::vector<std::uint64_t> containing{0, 5, 0, 5, 5};
    const std::vector<double> greatest{9.0, 4.0, 9.0, 1.0, 2.0};
    const lexical::WordScale scale = lexical::scale_of(word, {containing, greatest});
    CHECK(scale.greatest == 7.0);
    CHECK(scale.shares == std::vector<double>{1.0, 0.0, 1.0, 0.0, 0.0});
    const std::vector<std::vector<Weighed>> weights{{}, {{1, 2.0}}, {}, {{1, 0.5}, {3, 0.5}}, {}};
    const std::vector<Weighed> weighed = lexical::weigh_word(word, scale, weights);
    REQUIRE(weighed.size() == 2);
    CHECK(weighed[0].weight == 2.5);
    CHECK(weighed[1].weight == 0.5);
}
