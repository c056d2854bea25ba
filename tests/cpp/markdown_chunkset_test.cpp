#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/markdown/chunkset.hpp"

namespace {

using namespace rootleaf::markdown;

std::string folded(std::string_view text) {
    std::string out(text.size(), '\0');
    out.resize(fold_blanks(text, out.data()));
    return out;
}

std::string folded_slowly(std::string_view text) {
    std::string out;
    bool is_pending = false;
    for (const char byte : text) {
        if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
            is_pending = !out.empty();
        } else {
            out += is_pending ? std::string{' ', byte} : std::string{byte};
            is_pending = false;
        }
    }
    return out;
}

std::string hex(const ChunksetKey& key) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : key) {
        out += kDigits[byte / 16];
        out += kDigits[byte % 16];
    }
    return out;
}

}  // namespace

TEST_CASE("runs of white space fold to one blank, and none is left at the ends") {
    CHECK(folded(" \t a\r\n  b \n") == "a b");
    CHECK(folded("   \n\t") == "");
    CHECK(folded("") == "");
    CHECK(folded(std::string_view("a\0 \x0B\x1F \xA0", 7)) ==
          std::string_view("a\0 \x0B\x1F \xA0", 7));
}

TEST_CASE("folding equals a slow model on random texts") {
    std::mt19937 random(1);
    constexpr std::array<char, 10> kAlphabet = {'a',  'b',  'c',  ' ',    ' ',
                                                '\t', '\n', '\r', '\xE6', '.'};
    for (int round = 0; round < 20000; ++round) {
        std::string text(random() % 40, ' ');
        for (char& byte : text) {
            byte = random() % 3 == 0 ? kAlphabet[random() % kAlphabet.size()] : 'x';
        }
        REQUIRE(folded(text) == folded_slowly(text));
    }
}

TEST_CASE("a key is the same on every platform and in every release of these rules") {
    // Computed with the reference implementation's Python package, by the recipe in docs/chunks.md.
    CHECK(hex(chunk("fig").chunksets[0].key) == "b7acf1d7bff602d6499297a5a0364a4c");
    CHECK(hex(chunk("# A\n\nfig\n  plum").chunksets[0].key) == "f91f9fa147965159dff7cad90967988d");
    CHECK(kChunkerVersion == 1);
}

TEST_CASE("siblings are joined until the next one would not fit") {
    std::string text;
    for (int item = 0; item < 12; ++item) {
        text += "- " + std::string(398, static_cast<char>('a' + item)) + "\n";
    }
    for (const Chunkset& chunkset : chunk(text).chunksets) {
        CHECK(chunkset.chunk_count <= 2);
    }
    CHECK(chunk("- a\n- b\n- c\n\npara\n").chunksets.size() == 1);
}

TEST_CASE("the header of a table is part of the key of its later pieces") {
    std::string rows;
    for (int row = 0; row < 100; ++row) {
        rows += "| cell " + std::to_string(row) + " | more text |\n";
    }
    const Document first = chunk("| a | b |\n|---|---|\n" + rows);
    const Document second = chunk("| c | d |\n|---|---|\n" + rows);
    REQUIRE(first.chunksets.size() == second.chunksets.size());
    REQUIRE(first.chunksets.size() > 2);
    for (std::size_t index = 0; index < first.chunksets.size(); ++index) {
        CHECK(first.chunksets[index].key != second.chunksets[index].key);
    }
}
