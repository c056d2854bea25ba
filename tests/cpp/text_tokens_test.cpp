#include <doctest/doctest.h>

#include <string>

#include "rootleaf/text/tokens.hpp"

using rootleaf::text::count_tokens;
using rootleaf::text::kTokenSeam;

TEST_CASE("a word, a mark and a run of spaces count about one each") {
    CHECK(count_tokens("") == 0);
    CHECK(count_tokens(" ") == 0);
    CHECK(count_tokens("pump") == 1);
    CHECK(count_tokens("the pump is dry") == 4);
    CHECK(count_tokens(std::string(8, ' ')) == 2);
}

TEST_CASE("scripts, hex and emoji count more than their bytes say") {
    CHECK(count_tokens("\xE6\xB0\xB4\xE6\xB3\xB5") == 4);
    CHECK(count_tokens("\xF0\x9F\x9A\x80") == 4);
    CHECK(count_tokens("9f3a7c20e4b1") > count_tokens("understanding"));
}

TEST_CASE("any bytes are legal and appending never lowers the count") {
    std::string text;
    std::uint64_t before = 0;
    for (unsigned i = 0; i < 4096; ++i) {
        text.push_back(static_cast<char>((i * i + 7 * i) % 256));
        const std::uint64_t after = count_tokens(text);
        CHECK(before <= after);
        before = after;
    }
}

TEST_CASE("one long word cut in two counts what the whole does, to within the seam") {
    const std::string word(60, 'b');
    for (std::size_t cut = 0; cut <= word.size(); ++cut) {
        const std::uint64_t parts =
            count_tokens(word.substr(0, cut)) + count_tokens(word.substr(cut));
        CHECK(parts <= count_tokens(word) + kTokenSeam);
        CHECK(count_tokens(word) <= parts + kTokenSeam);
    }
}
