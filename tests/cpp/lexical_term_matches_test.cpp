#include "rootleaf/lexical/term_matches.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "random_documents.hpp"

namespace {

using namespace rootleaf;

using Matches = std::map<std::uint32_t, double>;

/// Where a term stands and how often, from each of its postings by itself.
Matches plain_matches(const lexical::InvertedIndex& index, std::uint32_t rank) {
    Matches matches;
    const lexical::Postings shared = index.documents_of(rank);
    for (std::size_t i = 0; i < shared.ordinals.size(); ++i) {
        const std::uint32_t document = shared.ordinals[i];
        for (std::uint32_t c = index.layout().first_chunkset[document];
             c < index.layout().first_chunkset[document + 1]; ++c) {
            matches[c] += lexical::weighted(shared.first[i], shared.second[i], 0, 0);
        }
    }
    const lexical::Postings own = index.chunksets_of(rank);
    for (std::size_t i = 0; i < own.ordinals.size(); ++i) {
        matches[own.ordinals[i]] += lexical::weighted(0, 0, own.first[i], own.second[i]);
    }
    return matches;
}

}  // namespace

TEST_CASE("the matches of a term are those of its postings, and are counted without a visit") {
    random_documents::Dice dice(11);
    for (std::uint32_t round = 0; round < 60; ++round) {
        random_documents::Documents documents;
        for (std::uint64_t id = 0; id < 15; ++id) {
            documents.emplace(id, random_documents::document(dice, id));
        }
        const index::View view = random_documents::fresh(documents, dice);
        const lexical::InvertedIndex& index = view.segments()[0].segment().inverted();
        std::vector<std::uint8_t> allowed(index.layout().chunkset_count());
        for (std::uint8_t& mark : allowed) {
            mark = dice.below(2) == 0 ? 1 : 0;
        }
        for (std::uint32_t rank = 0; rank < index.term_count(); ++rank) {
            const Matches expected = plain_matches(index, rank);
            std::vector<std::pair<std::uint32_t, double>> visited;
            lexical::each_match(index, rank, [&](std::uint32_t chunkset, double frequency) {
                visited.emplace_back(chunkset, frequency);
            });
            REQUIRE(visited == std::vector<std::pair<std::uint32_t, double>>(expected.begin(),
                                                                             expected.end()));
            REQUIRE(lexical::count_matches(index, rank, {}) == expected.size());
            std::uint64_t count = 0;
            for (const auto& [chunkset, frequency] : expected) {
                count += allowed[chunkset];
            }
            if (!allowed.empty()) {
                REQUIRE(lexical::count_matches(index, rank, allowed) == count);
            }
        }
    }
}
