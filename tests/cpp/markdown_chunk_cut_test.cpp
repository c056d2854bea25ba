#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/chunk_border.hpp"
#include "rootleaf/markdown/chunk_cut.hpp"

namespace {

using namespace rootleaf::markdown;

std::vector<std::string> pieces(std::string_view text, CutStyle style, std::uint32_t max_bytes) {
    const auto size = static_cast<std::uint32_t>(text.size());
    Cutter cutter(text, max_bytes);
    std::vector<std::string> texts;
    for (const ByteSpan piece : cutter.cut({{0, size}, style, 0, size, {}}, max_bytes)) {
        texts.emplace_back(text.substr(piece.start, piece.end - piece.start));
    }
    return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("sentence ends are better than line ends, line ends than words, words than characters") {
    CHECK(pieces("Aaaaa bbb. Ccc\nddd eeee ffff gggg", CutStyle::prose, 18) ==
          Texts{"Aaaaa bbb. ", "Ccc\nddd eeee ", "ffff gggg"});
    CHECK(pieces("aaaaa bbbbb\nccc ddddd eee", CutStyle::prose, 18) ==
          Texts{"aaaaa bbbbb", "ccc ddddd eee"});
    CHECK(pieces("aaaaaaa bbbbbbbbbbbb", CutStyle::prose, 14) == Texts{"aaaaaaa ", "bbbbbbbbbbbb"});
    for (const std::string& piece : pieces(std::string(100, 'a'), CutStyle::prose, 16)) {
        CHECK(piece.size() <= 16);
    }
}

TEST_CASE("a full stop in a word, before a small letter or after nothing ends no sentence") {
    CHECK(pieces("aa v1.2 bb e.g. cc dddd", CutStyle::prose, 20) !=
          Texts{"aa v1.", "2 bb e.g. cc dddd"});
    const Texts cut = pieces("aaaa bbb e.g. ccc. Dddd eeeee fff", CutStyle::prose, 24);
    CHECK(cut.front() == "aaaa bbb e.g. ccc. ");
    CHECK(pieces("Aaaa (bbb.) \"Ccc?\" Ddddd eee ff", CutStyle::prose, 20).front() ==
          "Aaaa (bbb.) \"Ccc?\" ");
}

TEST_CASE("blank lines between pieces belong to none, indentation to the piece that it starts") {
    CHECK(pieces("aa\nbb\n\n\n  cc\n  dd\nee", CutStyle::code, 12) ==
          Texts{"aa\nbb", "  cc\n  dd\nee"});
    CHECK(pieces("aaaaaa\r\n\r\nbbbbbb\r\ncc", CutStyle::code, 12) ==
          Texts{"aaaaaa", "bbbbbb\r\ncc"});
}

TEST_CASE("marker lines are not left alone where there is another cut") {
    const std::string text = "```sh\nrun one\nrun two\nrun six\n```";
    Cutter cutter(text, 22);
    const auto& cut = cutter.cut({{0, 33}, CutStyle::code, 6, 30, {}}, 22);
    REQUIRE(cut.size() == 2);
    CHECK(cut[0].end < 22);
    CHECK(cut[1].end - cut[1].start > 3);
}

TEST_CASE("borders lie between characters, clusters and line ends") {
    Borders borders;
    borders.read("ab\r\ncd", 0, 5);
    CHECK(borders.at(2));
    CHECK_FALSE(borders.at(3));
    CHECK(borders.at(4));
    const std::string_view accents = "e\xCC\x81x\xE6\xBC\xA2y";
    borders.read(accents, 0, 7);
    for (const std::uint32_t position : {3U, 4U, 7U}) {
        CHECK(borders.at(position));
    }
    for (const std::uint32_t position : {1U, 2U, 5U, 6U}) {
        CHECK_FALSE(borders.at(position));
    }
    CHECK(borders.last_resort() == 7);
}

TEST_CASE("no border stands before a byte that looks like a continuation") {
    Borders borders;
    borders.read("a\x80\x80z\xFFz", 0, 5);
    CHECK_FALSE(borders.at(1));
    CHECK_FALSE(borders.at(2));
    CHECK(borders.at(3));
    CHECK(borders.at(4));
    CHECK(borders.at(5));
}
