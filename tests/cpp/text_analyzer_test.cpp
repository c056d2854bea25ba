#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/characters.hpp"
#include "rootleaf/text/folding.hpp"
#include "rootleaf/text/matching.hpp"

namespace {

using rootleaf::text::Analyzer;
using rootleaf::text::fold;
using rootleaf::text::Occurrence;
using rootleaf::text::Term;

std::vector<std::string> terms_of(std::string_view text) {
    Analyzer analyzer;
    std::vector<std::string> terms;
    for (Occurrence& occurrence : analyzer.analyze(text)) {
        terms.push_back(std::move(occurrence.text));
    }
    return terms;
}

using Terms = std::vector<std::string>;

}  // namespace

TEST_CASE("Folding twice equals folding once, for every code point, and with an accent") {
    for (std::uint32_t code_point = 0x80; code_point < 0x110000; ++code_point) {
        if (code_point >= 0xD800 && code_point < 0xE000) {
            continue;
        }
        std::string text;
        rootleaf::text::append_code_point(text, code_point);
        for (const char* accent : {"", "\xCC\x81"}) {
            if (*accent != 0 && code_point > 0x3000) {
                continue;
            }
            const std::string once = fold(text + accent);
            if (fold(once) != once) {
                CAPTURE(code_point);
                CHECK(fold(once) == once);
            }
        }
    }
}

TEST_CASE("Folding drops case, accents and width, and keeps marks that make another letter") {
    CHECK(fold("CAF\xC3\x89") == "cafe");
    CHECK(fold("cafe\xCC\x81") == "cafe");
    CHECK(fold("\xEF\xBC\xA1\xEF\xBC\xA2") == "ab");  // full-width A B
    CHECK(fold("Stra\xC3\x9F"
               "e") == "strasse");
    CHECK(fold("\xE3\x81\x8C") == "\xE3\x81\x8C");              // hiragana ga is not ka
    CHECK(fold("\xE1\x84\x92\xE1\x85\xA1") == "\xED\x95\x98");  // jamo compose
}

TEST_CASE("A compound stands before its parts, which name it") {
    Analyzer analyzer;
    std::vector<Term> terms;
    analyzer.analyze_word("net/retryPolicy", terms);
    REQUIRE(terms.size() == 5);
    CHECK(terms[0].text == "net/retrypolicy");
    CHECK(terms[0].compound);
    CHECK(terms[0].enclosing == rootleaf::text::kNoTerm);
    CHECK(terms[1].text == "net");
    CHECK(terms[1].enclosing == 0);
    CHECK(terms[2].text == "retrypolici");
    CHECK(terms[2].compound);
    CHECK(terms[3].text == "retri");
    CHECK(terms[3].enclosing == 2);
    CHECK_FALSE(terms[3].compound);
}

TEST_CASE("Words end where their punctuation begins, and joints need a letter on both sides") {
    CHECK(terms_of("end. (next), -last- 'so'") == Terms{"end", "next", "last", "so"});
    CHECK(terms_of("a:b") == Terms{"a:b", "a", "b"});
    CHECK(terms_of("a--b a..b") == Terms{"a", "b", "a", "b"});
    CHECK(terms_of("## Title") == Terms{"titl"});
    CHECK(terms_of("C++ and C#") == Terms{"c++", "c", "and", "c#", "c"});
}

TEST_CASE("Terms longer than the limit are a hash, equal for equal words in either case") {
    const std::string longest(64, 'q');
    CHECK(terms_of(longest).front().size() == 64);
    const Terms hashed = terms_of(longest + "q1");
    REQUIRE(hashed.size() == 1);
    CHECK(hashed.front().size() == 17);
    CHECK(hashed.front().front() == '~');
    CHECK(hashed == terms_of(std::string(65, 'Q') + "1"));
    CHECK(hashed != terms_of(longest + "q2"));
}

TEST_CASE("A text without spaces makes bounded words, each at a position of its own") {
    const std::string blob(1000000, 'x');
    const Terms terms = terms_of(blob);
    CHECK(terms.size() ==
          (blob.size() + rootleaf::text::kMaxWordBytes - 1) / rootleaf::text::kMaxWordBytes);
}

TEST_CASE("Any bytes are legal, and offsets stay inside the text and in order") {
    std::mt19937 random(7);
    const std::string alphabet =
        "aB9_-'./:@#+ \xC3\xA9\xE8\xAF\x81\xCC\x81\xF0\x9F\x91\xFF\x80\xED\xA0";
    Analyzer analyzer;
    for (int round = 0; round < 20000; ++round) {
        std::string text(random() % 24, ' ');
        for (char& c : text) {
            c = alphabet[random() % alphabet.size()];
        }
        std::uint32_t start = 0;
        std::uint32_t position = 0;
        for (const Occurrence& occurrence : analyzer.analyze(text)) {
            REQUIRE(occurrence.start_byte >= start);
            REQUIRE(occurrence.end_byte > occurrence.start_byte);
            REQUIRE(occurrence.end_byte <= text.size());
            REQUIRE(occurrence.position >= position);
            REQUIRE(occurrence.position <= position + 1);
            REQUIRE_FALSE(occurrence.text.empty());
            start = occurrence.start_byte;
            position = occurrence.position;
        }
        (void)rootleaf::text::matching_spans(text, text);
    }
}
