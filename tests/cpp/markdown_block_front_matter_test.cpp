#include <doctest/doctest.h>

#include <string_view>

#include "block_outline.hpp"

using rootleaf::markdown::find_front_matter;
using rootleaf::markdown::FrontMatterSpan;
using rootleaf::markdown::FrontMatterState;

TEST_CASE("front matter stands between two lines of three hyphens, or one and three dots") {
    for (const std::string_view text : {"---\na: b\n---\n# c\n", "---\na: b\n...\n# c\n"}) {
        const FrontMatterSpan span = find_front_matter(text);
        CHECK(span.state == FrontMatterState::closed);
        CHECK(text.substr(span.content_start, span.content_end - span.content_start) == "a: b\n");
        CHECK(text.substr(span.end) == "# c\n");
    }
    const std::string_view blanks = "--- \t\r\na:\r\n--- \r\nx";
    CHECK(blanks.substr(find_front_matter(blanks).end) == "x");
    CHECK(find_front_matter("---\na: b\n---").end == 12);
}

TEST_CASE("the first line that is neither blank nor a comment must be a key") {
    for (const char* text :
         {"---\n\n# c\nkey: v\n---\n", "---\n\"a b\" : c\n---\n", "---\n'a:b': c\n---\n",
          "---\na:b: c\n---\n", "---\n<<: c\n---\n", "---\n-a: c\n---\n"}) {
        CAPTURE(text);
        CHECK(find_front_matter(text).state == FrontMatterState::closed);
    }
    for (const char* text :
         {"---\n\nIntro\n\n---\n", "---\n- a: b\n---\n", "---\n---\n", "---\nhttp://a.b\n---\n",
          "---\n**a**: b\n---\n", "---\n[a]: b\n---\n", "---\n> a: b\n---\n",
          "---\n# c\n---\na: b\n", "---\n\"a: b\n---\n", "---\n  a: b\n---\n", "---"}) {
        CAPTURE(text);
        CHECK(find_front_matter(text).state == FrontMatterState::absent);
    }
}

TEST_CASE("front matter starts on the first line, with three hyphens and nothing else") {
    for (const char* text : {"", "\n---\na: b\n---\n", " ---\na: b\n---\n", "----\na: b\n---\n",
                             "--- a\na: b\n---\n", "...\na: b\n---\n"}) {
        CAPTURE(text);
        CHECK(find_front_matter(text).state == FrontMatterState::absent);
    }
}

TEST_CASE("front matter that never ends is unclosed") {
    const FrontMatterSpan span = find_front_matter("---\nkind: note\n# Title\n\nlychee\n");
    CHECK(span.state == FrontMatterState::unclosed);
    CHECK(span.content_start == 4);
    CHECK(span.end == 0);
    CHECK(find_front_matter("---\na: b\n ---\n----\n--- c\n").state == FrontMatterState::unclosed);
}

TEST_CASE("lines before the first byte are counted and hold no block") {
    const std::string_view text = "---\na: b\n---\n# c\n";
    const auto tree = rootleaf::markdown::parse_blocks(text, find_front_matter(text).end);
    CHECK(rootleaf::markdown::testing::outline_of(tree) == "heading:1 3-4\n");
    CHECK(tree.line_starts.size() == 5);
}
