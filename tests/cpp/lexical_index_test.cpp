#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "rootleaf/lexical/bm25.hpp"
#include "rootleaf/lexical/inverted_index.hpp"
#include "rootleaf/lexical/term_reader.hpp"
#include "rootleaf/lexical/term_table.hpp"
#include "rootleaf/text/analyzer.hpp"

namespace {

using namespace rootleaf;

std::string random_word(std::mt19937& random) {
    std::string word(random() % 14, 'a');
    for (char& c : word) {
        c = static_cast<char>("ab\0\xFFz"[random() % 5]);
    }
    return word;
}

}  // namespace

TEST_CASE("A term table numbers strings as a map does, of any bytes and length") {
    std::mt19937 random(1);
    lexical::TermTable table;
    std::unordered_map<std::string, std::uint32_t> twin;
    for (int i = 0; i < 50000; ++i) {
        const std::string word = random_word(random);
        const auto [entry, added] = twin.emplace(word, static_cast<std::uint32_t>(twin.size()));
        const lexical::TermTable::Interned interned = table.intern_or_find(word);
        REQUIRE(interned.id == entry->second);
        REQUIRE(interned.added == added);
    }
    REQUIRE(table.size() == twin.size());
    for (const auto& [word, id] : twin) {
        REQUIRE(table.text(id) == word);
    }
}

TEST_CASE("A reader finds the terms and positions that the analyzer finds") {
    const std::string long_word(500, 'q');
    std::string text =
        "The fetchUserTokens() of src/net/retry_policy.py, \xE8\xAF\x81\xE4\xB9\xA6\xE8\xBD\xAE "
        "don't "
        "#1234 fetchUserTokens the END. ";
    for (int i = 0; i < 5; ++i) {
        text.append(text).append("word").append(std::to_string(i)).append(" ");
        text.append(long_word).append(" ");
    }
    std::map<std::string, int> expected;
    text::Analyzer analyzer;
    std::uint32_t positions = 0;
    for (const text::Occurrence& occurrence : analyzer.analyze(text)) {
        ++expected[occurrence.text];
        positions = occurrence.position + 1;
    }
    lexical::TermReader reader;
    for (int pass = 0; pass < 2; ++pass) {
        std::vector<std::uint32_t> ids;
        CHECK(reader.read(text, ids) == positions);
        std::map<std::string, int> found;
        for (const std::uint32_t id : ids) {
            ++found[std::string(reader.terms().text(id))];
        }
        CHECK(found == expected);
    }
}

TEST_CASE("The dictionary finds every term, in the order of its bytes, and no other") {
    std::mt19937 random(2);
    lexical::TermTable terms;
    std::vector<lexical::Frequency> rows;
    for (int i = 0; i < 3000; ++i) {
        const lexical::TermTable::Interned interned = terms.intern_or_find(random_word(random));
        if (interned.added) {
            rows.push_back({interned.id, 1, 2});
        }
    }
    lexical::LayoutParts layout;
    layout.chunkset_lengths.push_back({1, 2});
    layout.end_document({0, 0});
    const std::span<const lexical::Frequency> all(rows);
    const lexical::SortedTerms in_order = lexical::sort_terms(terms);
    const lexical::PostingParts by_document =
        lexical::invert(1, in_order.ranks, [&](std::uint32_t) { return all.first(0); });
    const lexical::PostingParts by_chunkset =
        lexical::invert(1, in_order.ranks, [&](std::uint32_t) { return all; });
    const std::vector<double> lengths = lexical::weigh_lengths(layout.layout());
    const lexical::InvertedIndex index(in_order.dictionary.list(), by_document.lists(),
                                       by_chunkset.lists(), layout.layout(), lengths);
    std::vector<std::string> sorted;
    sorted.reserve(terms.size());
    for (std::uint32_t id = 0; id < terms.size(); ++id) {
        sorted.emplace_back(terms.text(id));
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t rank = 0; rank < sorted.size(); ++rank) {
        REQUIRE(index.find(sorted[rank]) == rank);
        REQUIRE_FALSE(index.find(sorted[rank] + "!").has_value());
        REQUIRE(index.chunksets_of(rank).ordinals.size() == 1);
        REQUIRE(index.chunksets_of(rank).second[0] == 2);
        REQUIRE(index.documents_of(rank).ordinals.empty());
    }
}

TEST_CASE("A term tells more the rarer it is, and always something") {
    double before = lexical::inverse_frequency(100, 0);
    for (std::uint64_t containing = 1; containing <= 100; ++containing) {
        const double idf = lexical::inverse_frequency(100, containing);
        CHECK(idf > 0.0);
        CHECK(idf < before);
        before = idf;
    }
}

TEST_CASE("A frequency counts for more the higher it is, below its limit") {
    double before = 0.0;
    for (int frequency = 1; frequency < 300; ++frequency) {
        const double weight = lexical::saturation(frequency, lexical::half_frequency(80.0, 100.0));
        CHECK(weight > before);
        CHECK(weight < lexical::kK1 + 1.0);
        before = weight;
    }
}
