#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rootleaf/rank/top_k.hpp"

namespace {

struct Entry {
    double score;
    std::uint32_t number;
    bool operator==(const Entry&) const = default;
};

struct Better {
    bool operator()(const Entry& a, const Entry& b) const {
        return a.score != b.score ? a.score > b.score : a.number < b.number;
    }
};

}  // namespace

TEST_CASE("The best entries are kept, in order, whatever order they come in") {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Entry> entries(random() % 20);
        for (std::uint32_t i = 0; i < entries.size(); ++i) {
            entries[i] = {static_cast<double>(random() % 5), i};
        }
        std::vector<Entry> expected = entries;
        std::sort(expected.begin(), expected.end(), Better());
        const std::size_t capacity = random() % 8;
        expected.resize(std::min(expected.size(), capacity));
        std::shuffle(entries.begin(), entries.end(), random);
        rootleaf::rank::TopK<Entry, Better> best(capacity, {});
        for (const Entry& entry : entries) {
            best.offer(entry);
        }
        if (capacity > 0 && expected.size() == capacity) {
            REQUIRE(best.bar() != nullptr);
            REQUIRE(*best.bar() == expected.back());
        } else {
            REQUIRE(best.bar() == nullptr);
        }
        REQUIRE(best.take() == expected);
    }
}
