#include <doctest/doctest.h>

#include <string>

#include "block_outline.hpp"

using rootleaf::markdown::testing::outline;

TEST_CASE("a link definition is a block of its own, taken off the start of its paragraph") {
    CHECK(outline("[a]: b\n") == "definition 0-1\n");
    CHECK(outline("[a]: b\n[c]: <d e> 'f'\ntext\n[g]: h\n") ==
          "definition 0-1\ndefinition 1-2\nparagraph 2-4\n");
    CHECK(outline("text\n[a]: b\n") == "paragraph 0-2\n");
}

TEST_CASE("a link definition may go over several lines") {
    CHECK(outline("[a\nb]:\n  c\n  \"d\n  e\"\nf\n") == "definition 0-5\nparagraph 5-6\n");
    CHECK(outline("[a]: b\n\"c\" d\n") == "definition 0-1\nparagraph 1-2\n");
    CHECK(outline("[a]: b\n\"c\n") == "definition 0-1\nparagraph 1-2\n");
}

TEST_CASE("a link definition in a quote may have a lazy title") {
    CHECK(outline("> [a]: b\n'c'\n") == "quote 0-2\n  definition 0-2\n");
    CHECK(outline("> [a]:\n> b\n> c\n") == "quote 0-3\n  definition 0-2\n  paragraph 2-3\n");
}

TEST_CASE("what is no link definition stays text") {
    for (const char* text : {"[]: a\n", "[ ]: a\n", "[a] : b\n", "[a]:\n", "[a[]: b\n", "[a]: <b\n",
                             "[a]: b c\n", "[a]: <b>c\n", "[a]: b\"c\" d\n", "[a]: (b\n",
                             "[a]: b 'c' d\n", "[a: b\n", "[a\\]: b\n"}) {
        CAPTURE(text);
        CHECK(outline(text) == "paragraph 0-1\n");
    }
    for (const char* text :
         {"[a\\]]: b\n", "[a]: (b)\n", "[a]: \\(b\n", "[a]: <>\n", "[a]:b\n", "[a]:\tb\t(c)\t\n",
          "[a]: b\"c\"\n", "[a]: 'b'\n", "[a]: <b\\>> \"c\"\n"}) {
        CAPTURE(text);
        CHECK(outline(text) == "definition 0-1\n");
    }
}

TEST_CASE("the label of a link definition has at most 999 characters") {
    std::string label;
    for (int character = 0; character < 999; ++character) {
        label += "\xc3\xa9";
    }
    CHECK(outline("[" + label + "]: b\n") == "definition 0-1\n");
    CHECK(outline("[" + label + "x]: b\n") == "paragraph 0-1\n");
}

TEST_CASE("an underline below nothing but link definitions is text") {
    CHECK(outline("[a]: b\n===\n") == "definition 0-1\nparagraph 1-2\n");
    CHECK(outline("[a]: b\n===\n===\n") == "definition 0-1\nheading:1 1-3\n");
    CHECK(outline("[a]: b\n---\n") == "definition 0-1\nbreak 1-2\n");
    CHECK(outline("[a]: b\nc\n===\n") == "definition 0-1\nheading:1 1-3\n");
    CHECK(outline("[a]: b\n===\n[c]: d\n") == "definition 0-1\nparagraph 1-3\n");
}

TEST_CASE("text that follows a link definition is a paragraph, however deep it is indented") {
    CHECK(outline("[a]: b\n    c\n") == "definition 0-1\nparagraph 1-2\n");
}
