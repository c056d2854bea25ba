#include <doctest/doctest.h>

#include <string>

#include "block_outline.hpp"
#include "rootleaf/markdown/block_html.hpp"

using rootleaf::markdown::html_start_condition;
using rootleaf::markdown::testing::outline;

TEST_CASE("a number sign in a fence, in code or in a comment is no heading") {
    CHECK(outline("```sh\n# a\n```\n") == "fence:1 0-3\n");
    CHECK(outline("    # a\n") == "code 0-1\n");
    CHECK(outline("<!--\n# a\n-->\n# b\n") == "html:2 0-3\nheading:1 3-4\n");
    CHECK(outline("#a\n####### b\n\\# c\n") == "paragraph 0-3\n");
}

TEST_CASE("a fence closes with as many marks of its kind and nothing behind them") {
    CHECK(outline("````\n```\n~~~~\n````` x\n`````\n") == "fence:1 0-5\n");
    CHECK(outline("``` a`b\n") == "paragraph 0-1\n");
    CHECK(outline("~~~ a`b\n\n\n") == "fence 0-1\n");
    CHECK(outline("```\n    ```\n   ```\na\n") == "fence:1 0-3\nparagraph 3-4\n");
}

TEST_CASE("trailing blank lines count for no block") {
    CHECK(outline("    a\n\n    b\n\n\nc\n") == "code 0-3\nparagraph 5-6\n");
    CHECK(outline("```\na\n\n\n") == "fence 0-2\n");
    CHECK(outline("<script>\na\n\n") == "html:1 0-2\n");
    CHECK(outline("- a\n\n\n") == "list 0-1\n  item 0-1\n    paragraph 0-1\n");
}

TEST_CASE("each kind of HTML block starts and ends by its own condition") {
    CHECK(outline("<pre>\n\na</pre> b\nc\n") == "html:1 0-3\nparagraph 3-4\n");
    CHECK(outline("<textarea\n</SCRIPT>\nc\n") == "html:1 0-2\nparagraph 2-3\n");
    CHECK(outline("<!-->\nc\n") == "html:2 0-1\nparagraph 1-2\n");
    CHECK(outline("<?php\n\n?>\nc\n") == "html:3 0-3\nparagraph 3-4\n");
    CHECK(outline("<!X\n>\nc\n") == "html:4 0-2\nparagraph 2-3\n");
    CHECK(outline("<![CDATA[\n\n]]>\nc\n") == "html:5 0-3\nparagraph 3-4\n");
    CHECK(outline("a\n</Section \nb\n\nc\n") == "paragraph 0-1\nhtml:6 1-3\nparagraph 4-5\n");
    CHECK(outline("<x-y a=\"1\" b='2' c=3 d>\nb\n\nc\n") == "html:7 0-2\nparagraph 3-4\n");
    CHECK(outline("a\n<x>\n") == "paragraph 0-2\n");
    CHECK(outline("> a\n<x>\n") == "quote 0-2\n  paragraph 0-2\n");
}

TEST_CASE("a lone tag is complete and well-formed") {
    for (const char* tag :
         {"<a>", "<a/>", "<a />", "</a >", "<a _b:c.d-e>", "<a b = c >  ", "<a b=\"\">"}) {
        CAPTURE(tag);
        CHECK(html_start_condition(tag) == 7);
    }
    for (const char* tag : {"<", "<>", "<1>", "<a", "<a b=>", "<a b=\"c>", "<a b='c'd>", "<a 1>",
                            "</a b>", "<a>x", "<a / >", "<a b=`>", "<a=b>", "< a>", "<a:b>"}) {
        CAPTURE(tag);
        CHECK(html_start_condition(tag) == 0);
    }
}

TEST_CASE("the names of block elements are matched whole and without case") {
    CHECK(html_start_condition("<TABLE") == 6);
    CHECK(html_start_condition("<h6/>") == 6);
    CHECK(html_start_condition("</blockquote\t") == 6);
    CHECK(html_start_condition("<h7>") == 7);
    CHECK(html_start_condition("<blockquotes>") == 7);
    CHECK(html_start_condition("<pre/>") == 7);
    CHECK(html_start_condition("<div/x") == 0);
}

TEST_CASE("a table needs a delimiter row of as many cells as its header") {
    CHECK(outline("| a | b |\n|---|:-:|\n| 1 |\n") == "table 0-3\n");
    CHECK(outline("| a | b |\n|---|\n") == "paragraph 0-2\n");
    CHECK(outline("| a |\n|---|---|\n") == "paragraph 0-2\n");
    CHECK(outline("a | b\n-|-\n") == "table 0-2\n");
    CHECK(outline("| a |\n|--x|\n") == "paragraph 0-2\n");
    CHECK(outline("| a || b |\n|-|-|-|\n") == "table 0-2\n");
    CHECK(outline("| a |\n||-|\n") == "paragraph 0-2\n");
    CHECK(outline("a\n:-\n") == "paragraph 0-2\n");
    CHECK(outline("|\n|-\n") == "paragraph 0-2\n");
}

TEST_CASE("pipes in code spans part cells, escaped pipes do not") {
    CHECK(outline("| `a|b` |\n|---|---|\n") == "table 0-2\n");
    CHECK(outline("| `a\\|b` |\n|---|\n") == "table 0-2\n");
    CHECK(outline("| a \\|\n|---|\n") == "table 0-2\n");
}

TEST_CASE("a table ends at a blank line or where another block starts") {
    CHECK(outline("|a|\n|-|\n|1|\n\n|2|\n") == "table 0-3\nparagraph 4-5\n");
    CHECK(outline("|a|\n|-|\ntext\n# b\n") == "table 0-3\nheading:1 3-4\n");
    CHECK(outline("|a|\n|-|\n> b\n") == "table 0-2\nquote 2-3\n  paragraph 2-3\n");
    CHECK(outline("|a|\n|-|\n---\n") == "table 0-2\nbreak 2-3\n");
    CHECK(outline("|a|\n|-|\n2. b\n") == "table 0-2\nlist:1 2-3\n  item 2-3\n    paragraph 2-3\n");
    CHECK(outline("|a|\n|-|\n    b\n") == "table 0-2\ncode 2-3\n");
    CHECK(outline("|a|\n|-|\n===\n") == "table 0-3\n");
    CHECK(outline("|a|\n|-|\n```\n") == "table 0-2\nfence 2-3\n");
}

TEST_CASE("a table stands in lists and quotes, and its rows are never lazy") {
    CHECK(outline("- |a|\n  |-|\n  |1|\n") == "list 0-3\n  item 0-3\n    table 0-3\n");
    CHECK(outline("> |a|\n> |-|\n|1|\n") == "quote 0-2\n  table 0-2\nparagraph 2-3\n");
    CHECK(outline("> |a|\n|-|\n") == "quote 0-2\n  paragraph 0-2\n");
    CHECK(outline("> x\n|a|\n> |-|\n") == "quote 0-3\n  paragraph 0-3\n");
}

TEST_CASE("the last line of a paragraph can be a table's header") {
    CHECK(outline("text\n|a|\n|-|\n") == "paragraph 0-1\ntable 1-3\n");
    CHECK(outline("[a]: b\n|a|\n|-|\n") == "definition 0-1\ntable 1-3\n");
    CHECK(outline("[a]|b\n-|-\n") == "table 0-2\n");
    CHECK(outline("    |a|\n|-|\n") == "code 0-1\nparagraph 1-2\n");
}

TEST_CASE("an underline makes a heading of what could be a header row of one cell") {
    CHECK(outline("| a |\n---\n") == "heading:2 0-2\n");
}

TEST_CASE("every kind of line end ends a line") {
    CHECK(outline("# a\r\rb\rc\r") == "heading:1 0-1\nparagraph 2-4\n");
    CHECK(outline("# a\r\n\r\nb\r\nc") == "heading:1 0-1\nparagraph 2-4\n");
    CHECK(outline("# a\r\n\rb\nc\r") == "heading:1 0-1\nparagraph 2-4\n");
    CHECK(outline("").empty());
    CHECK(outline("\n\n \t\n").empty());
}

TEST_CASE("bytes that are no text are text") {
    CHECK(outline(std::string("\0", 1)) == "paragraph 0-1\n");
    CHECK(outline(std::string("# \0\n\xff\xfe\n", 7)) == "heading:1 0-1\nparagraph 1-2\n");
    CHECK(outline("\f\n\v\n\xc2\xa0\n") == "paragraph 0-3\n");
}
