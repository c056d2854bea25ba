#include <doctest/doctest.h>

#include "block_outline.hpp"

using rootleaf::markdown::testing::outline;

TEST_CASE("a tab in a list indent counts to the next multiple of four columns") {
    CHECK(outline("-\tone\n\n\ttwo\n") ==
          "list 0-3\n  item 0-3\n    paragraph 0-1\n    paragraph 2-3\n");
    CHECK(outline(" -\tone\n\n   two\n") ==
          "list 0-1\n  item 0-1\n    paragraph 0-1\nparagraph 2-3\n");
    CHECK(outline("-\t\tcode\n") == "list 0-1\n  item 0-1\n    code 0-1\n");
    CHECK(outline(">\t\tcode\n") == "quote 0-1\n  code 0-1\n");
    CHECK(outline("1.\tone\n\t- two\n") ==
          "list:1 0-2\n  item 0-2\n    paragraph 0-1\n    list 1-2\n      item 1-2\n"
          "        paragraph 1-2\n");
}

TEST_CASE("text goes on a paragraph in quotes and items without their marks") {
    CHECK(outline("> - one\ntwo\n") ==
          "quote 0-2\n  list 0-2\n    item 0-2\n      paragraph 0-2\n");
    CHECK(outline("> one\n    two\n") == "quote 0-2\n  paragraph 0-2\n");
    CHECK(outline("> one\n- two\n") ==
          "quote 0-1\n  paragraph 0-1\nlist 1-2\n  item 1-2\n    paragraph 1-2\n");
    CHECK(outline("> ```\none\n") == "quote 0-1\n  fence 0-1\nparagraph 1-2\n");
    CHECK(outline("- one\n\ntwo\n") == "list 0-1\n  item 0-1\n    paragraph 0-1\nparagraph 2-3\n");
}

TEST_CASE("an underline below a lazy line is a heading only inside of the quote") {
    CHECK(outline("> one\ntwo\n> ===\n") == "quote 0-3\n  heading:1 0-3\n");
    CHECK(outline("> one\n===\n") == "quote 0-2\n  paragraph 0-2\n");
    CHECK(outline("> one\n---\n") == "quote 0-1\n  paragraph 0-1\nbreak 1-2\n");
}

TEST_CASE("a leaf that needs its marks ends with the container it stands in") {
    CHECK(outline("- ```\n  code\nafter\n") ==
          "list 0-2\n  item 0-2\n    fence 0-2\nparagraph 2-3\n");
    CHECK(outline("> <!-- open\nafter\n") == "quote 0-1\n  html:2 0-1\nparagraph 1-2\n");
    CHECK(outline("- <div>\n  text\n\n  after\n") ==
          "list 0-4\n  item 0-4\n    html:6 0-2\n    paragraph 3-4\n");
    CHECK(outline("> ~~~\n> a\n> ~~~\n> b\n") == "quote 0-4\n  fence:1 0-3\n  paragraph 3-4\n");
}

TEST_CASE("another bullet or delimiter starts another list") {
    CHECK(outline("- a\n+ b\n") ==
          "list 0-1\n  item 0-1\n    paragraph 0-1\nlist 1-2\n  item 1-2\n    paragraph 1-2\n");
    CHECK(outline("1. a\n2) b\n") ==
          "list:1 0-1\n  item 0-1\n    paragraph 0-1\nlist:1 1-2\n  item 1-2\n    paragraph 1-2\n");
    CHECK(outline("1. a\n\n\n7. b\n") ==
          "list:1 0-4\n  item 0-1\n    paragraph 0-1\n  item 3-4\n    paragraph 3-4\n");
}

TEST_CASE("only a number one, and no empty item, interrupts a paragraph") {
    CHECK(outline("a\n2. b\n") == "paragraph 0-2\n");
    CHECK(outline("a\n*\n") == "paragraph 0-2\n");
    CHECK(outline("a\n1. b\n") == "paragraph 0-1\nlist:1 1-2\n  item 1-2\n    paragraph 1-2\n");
    CHECK(outline("1234567890. a\n") == "paragraph 0-1\n");
}

TEST_CASE("an item begins with at most one blank line") {
    CHECK(outline("-\n  a\n") == "list 0-2\n  item 0-2\n    paragraph 1-2\n");
    CHECK(outline("-\n\n  a\n") == "list 0-1\n  item 0-1\nparagraph 2-3\n");
    CHECK(outline("- [a]: b\n\n\n  c\n") ==
          "list 0-4\n  item 0-4\n    definition 0-1\n    paragraph 3-4\n");
}

TEST_CASE("a line with nothing but the marks of a quote belongs to the quote") {
    CHECK(outline("> a\n>\n> \nb\n") == "quote 0-3\n  paragraph 0-1\nparagraph 3-4\n");
    CHECK(outline("- > a\n  >\n") == "list 0-2\n  item 0-2\n    quote 0-2\n      paragraph 0-1\n");
}

TEST_CASE("a thematic break wins over a list item, a heading's underline over both") {
    CHECK(outline("* * *\n") == "break 0-1\n");
    CHECK(outline("a\n---\n") == "heading:2 0-2\n");
    CHECK(outline("- * * *\n- a\n") ==
          "list 0-2\n  item 0-1\n    break 0-1\n  item 1-2\n    paragraph 1-2\n");
    CHECK(outline("- - -x\n") ==
          "list 0-1\n  item 0-1\n    list 0-1\n      item 0-1\n        paragraph 0-1\n");
}
