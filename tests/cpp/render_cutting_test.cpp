#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rootleaf/render/cutting.hpp"
#include "rootleaf/render/graphemes.hpp"

namespace {

using namespace rootleaf::render;

std::string_view cut(std::string_view passage, std::int64_t max_bytes, bool at_lines = false) {
    return passage.substr(0, cut_end(passage, max_bytes, at_lines));
}

constexpr std::string_view kAccented = "e\xCC\x81";  // e, acute
constexpr std::string_view kFlags =
    "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA"                                          // DE
    "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7";                                         // FR
constexpr std::string_view kConjunct = "\xE0\xA4\x95\xE0\xA5\x8D\xE0\xA4\xB7";  // ka, virama, ssa

}  // namespace

TEST_CASE("a passage that fits is not cut") {
    CHECK(cut("One. Two.", 9) == "One. Two.");
    CHECK(cut("One. Two.", 1000) == "One. Two.");
    CHECK(cut("", 0).empty());
    CHECK(cut("One.", 0).empty());
    CHECK(cut("One.", -5).empty());
}

TEST_CASE(
    "a cut takes the end of a sentence in the second half, else of a word, else a character") {
    CHECK(cut("One of these. Two of those.", 20) == "One of these.");
    CHECK(cut("One. And then two of those.", 20) == "One. And then two of");
    CHECK(cut("He said \"so.\") And more", 18) == "He said \"so.\")");
    CHECK(cut("version 1.2.3456789", 14) == "version");
    CHECK(cut("abcdefgh", 5) == "abcde");
    CHECK(cut("one\ntwo three", 6) == "one");
    CHECK(cut("run it\nstop. it. now", 17, true) == "run it\nstop. it.");
    CHECK(cut("run it all\nstop. it. now", 17, true) == "run it all");
}

TEST_CASE("a cut splits nothing that is read as one character") {
    for (std::int64_t room = 0; room <= 8; ++room) {
        const std::string_view kept = cut(std::string(kAccented) + std::string(kAccented), room);
        CHECK(kept.size() % kAccented.size() == 0);
    }
    CHECK(floor_grapheme(kFlags, 4) == 0);
    CHECK(floor_grapheme(kFlags, 8) == 8);
    CHECK(floor_grapheme(kFlags, 12) == 8);
    CHECK(floor_grapheme(kConjunct, 6) == 0);
    CHECK(floor_grapheme("a\r\nb", 2) == 1);
    CHECK(floor_grapheme("ab", 7) == 2);
    CHECK(floor_grapheme_characters(kFlags, 3) == 2);
    CHECK(floor_grapheme_characters(kFlags, 9) == 4);
}

TEST_CASE("a passage starts at the sentence or word of a match, within reach") {
    constexpr std::string_view kText = "First of all. Then comes the match here.";
    const std::size_t match = kText.find("match");
    CHECK(start_before(kText, match, 100) == 0);
    CHECK(start_before(kText, match, 20) == kText.find("Then"));
    CHECK(start_before(kText, match, 8) == kText.find("the match"));
    CHECK(start_before(kText, match, 0) == match);
}

TEST_CASE("bytes that are no text are cut without reading beyond them") {
    const std::string bytes = "\x80\x80\xFF\xF0\x9F. \xE3\x80 \x80\xCC";
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        const std::string_view text = std::string_view(bytes).substr(0, size);
        for (std::int64_t room = 0; room <= 14; ++room) {
            CHECK(cut_end(text, room, false) <= size);
            CHECK(cut_end(text, room, true) <= size);
        }
        for (std::size_t start = 0; start < size; ++start) {
            CHECK(start_before(text, start, 3) <= size);
            CHECK(floor_grapheme(text, start) <= start);
        }
    }
}
