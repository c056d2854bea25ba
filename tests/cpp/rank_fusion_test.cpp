#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/rank/fusion.hpp"
#include "rootleaf/rank/score_parts.hpp"

namespace {

using namespace rootleaf::rank;

using Column = std::vector<double>;

ScoreParts three_candidates() {
    ScoreParts parts(3);
    parts.set(kCoverage, {0.5, 0.0, 1.0});
    parts.set(kSimilarity, {0.25, 0.75, 0.0});
    parts.set(kRankKeyword, {2.0, 0.0, 1.0});
    parts.set(kRankVector, {2.0, 1.0, 0.0});
    return parts;
}

std::string refusal(const ScoreParts& parts, PartWeight weight) {
    try {
        static_cast<void>(fuse(Fusion::weighted, parts, std::vector{weight}));
    } catch (const rootleaf::Error& error) {
        CHECK(error.code() == rootleaf::ErrorCode::invalid_input);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("the weighted score is the sum of weight times measure") {
    const std::vector<PartWeight> weights = {{kSimilarity, 0.5}, {kCoverage, 0.25}};
    CHECK(fuse(Fusion::weighted, three_candidates(), weights) == Column{0.25, 0.375, 0.25});
}

TEST_CASE("a candidate that is missing from a list gets nothing from it") {
    const std::vector<PartWeight> weights = {{kRankKeyword, 1.0}, {kRankVector, 2.0}};
    CHECK(fuse(Fusion::rrf, three_candidates(), weights) ==
          Column{1.0 / 62.0 + 2.0 / 62.0, 2.0 / 61.0, 1.0 / 61.0});
}

TEST_CASE("a measure from elsewhere is one more column") {
    ScoreParts parts = three_candidates();
    parts.set("links", {0.0, 0.0, 1.0});
    const std::vector<PartWeight> weights = {{kCoverage, 0.5}, {"links", 0.5}};
    CHECK(fuse(Fusion::weighted, parts, weights) == Column{0.25, 0.0, 1.0});
    parts.set("links", {1.0, 0.0, 0.0});
    CHECK(fuse(Fusion::weighted, parts, weights) == Column{0.75, 0.0, 0.5});
    CHECK(parts.parts().size() == 5);
    CHECK(parts.find("route") == nullptr);
    CHECK(fuse(Fusion::weighted, parts, {}) == Column{0.0, 0.0, 0.0});
}

TEST_CASE("weights that are no weights and parts that are not there are refused by name") {
    const ScoreParts parts = three_candidates();
    CHECK(refusal(parts, {kCoverage, -0.5}) ==
          "the weight of 'coverage' must be 0 or more and finite, not -0.500000");
    CHECK(refusal(parts, {kCoverage, std::nan("")}).find("'coverage'") != std::string::npos);
    CHECK(refusal(parts, {kCoverage, std::numeric_limits<double>::infinity()}) != "accepted");
    CHECK(refusal(parts, {"links", 1.0}) ==
          "a score has no part 'links'; its parts are: coverage similarity rank_keyword "
          "rank_vector");
    CHECK(refusal(parts, {kCoverage, 0.0}) == "accepted");
}

TEST_CASE("a rank is one more than the number of greater measures of the full list") {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        const std::size_t count = random() % 60;
        std::vector<float> list(count);
        for (float& measure : list) {
            measure = static_cast<float>(random() % 20) / 16.0F;
        }
        std::ranges::transform(list, list.begin(),
                               [](float m) { return std::max(m, 0.25F) - 0.25F; });
        Column candidates;
        for (const float measure : list) {
            if (random() % 3 == 0) {
                candidates.push_back(static_cast<double>(measure));
            }
        }
        Column expected;
        for (const double candidate : candidates) {
            const auto greater = std::ranges::count_if(
                list, [&](float measure) { return static_cast<double>(measure) > candidate; });
            expected.push_back(candidate > 0.0 ? 1.0 + static_cast<double>(greater) : 0.0);
        }
        RankCounter whole(candidates);
        whole.count(list);
        CHECK(whole.ranks() == expected);

        // A list that lies in pieces has the same ranks.
        const Column doubles(list.begin(), list.end());
        const std::size_t cut = count == 0 ? 0 : random() % count;
        RankCounter pieces(candidates);
        pieces.count(std::span(doubles).subspan(cut));
        pieces.count(std::span(doubles).first(cut));
        CHECK(pieces.ranks() == expected);
    }
}

TEST_CASE("fusion is spelled weighted or rrf") {
    CHECK(fusion_from("weighted") == Fusion::weighted);
    CHECK(fusion_from("rrf") == Fusion::rrf);
    CHECK(!fusion_from("RRF"));
    CHECK(!fusion_from(""));
}
