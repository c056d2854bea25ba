#include <doctest/doctest.h>

#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "block_outline.hpp"

using rootleaf::markdown::BlockKind;
using rootleaf::markdown::BlockTree;
using rootleaf::markdown::kMaxContainerDepth;
using rootleaf::markdown::parse_blocks;
using rootleaf::markdown::testing::broken_block_invariant;

namespace {

constexpr std::size_t kLongLine = 5'000'000;
constexpr std::size_t kManyLines = 2'000'000;

/// About `bytes` bytes of a piece, over and over.
[[nodiscard]] std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string text;
    text.reserve(bytes + piece.size());
    while (text.size() < bytes) {
        text += piece;
    }
    return text;
}

/// Parses, and checks that it took nothing like quadratic time. These inputs take a few hundredths
/// of a second; one step per pair of their bytes or lines would take hours.
[[nodiscard]] BlockTree parse_in_time(const std::string& text) {
    const std::clock_t start = std::clock();
    BlockTree tree = parse_blocks(text);
    CHECK(std::clock() - start < 30 * CLOCKS_PER_SEC);
    CHECK(broken_block_invariant(text, tree).empty());
    return tree;
}

[[nodiscard]] std::size_t count(const BlockTree& tree, BlockKind kind) {
    std::size_t found = 0;
    for (const auto& block : tree.blocks) {
        found += block.kind == kind ? 1U : 0U;
    }
    return found;
}

}  // namespace

TEST_CASE("containers are nested up to the limit, deeper marks are text") {
    const BlockTree quotes =
        parse_in_time(std::string(20'000, '>') + "a\n" + std::string(20'000, '>') + "b\n");
    CHECK(count(quotes, BlockKind::block_quote) == kMaxContainerDepth);
    CHECK(quotes.blocks.back().kind == BlockKind::paragraph);
    CHECK(quotes.blocks.back().end_line == 2);

    const BlockTree lists = parse_in_time(repeated("- ", 10'000) + "a\n");
    CHECK(count(lists, BlockKind::list) == kMaxContainerDepth / 2);
    CHECK(lists.blocks.size() == kMaxContainerDepth + 1);

    const BlockTree mixed = parse_in_time(repeated("> - ", 40'000) + "a\n");
    CHECK(count(mixed, BlockKind::block_quote) == 34);
    CHECK(count(mixed, BlockKind::list_item) == 33);
}

TEST_CASE("five thousand list levels, one a line, cost no more than their bytes") {
    std::string text;
    for (std::size_t level = 0; level < 5'000; ++level) {
        text.append(2 * level, ' ');
        text += "- a\n";
    }
    const BlockTree tree = parse_in_time(text);
    CHECK(count(tree, BlockKind::list) == kMaxContainerDepth / 2);
}

TEST_CASE("an item of a list at the limit still finds its list") {
    const std::string text = repeated("- ", kMaxContainerDepth) + "a\n" +
                             std::string(kMaxContainerDepth - 2, ' ') + "- b\n";
    const BlockTree tree = parse_in_time(text);
    CHECK(count(tree, BlockKind::list_item) == kMaxContainerDepth / 2 + 1);
}

TEST_CASE("one line of megabytes takes linear time, whatever it is made of") {
    for (const std::string_view piece :
         {"a",  " ",    "\t",    "*",       "* ", "- ",    "> ",      "`",    "~",
          "<",  "<a ",  "<a b ", "<a b=\"", "</", "</pre", "[",       "[a]:", "[a](",
          "\\", "|",    "|-",    "| \\",    "#",  "# ",    "=",       "1. ",  "1",
          "_ ", "- * ", "<!--",  "-->",     "(",  "\xff",  "\xf0\x9f"}) {
        CAPTURE(piece);
        CHECK(parse_in_time(repeated(piece, kLongLine)).line_starts.size() == 2);
    }
    CHECK(count(parse_in_time("[a]: " + repeated("(", kLongLine)), BlockKind::paragraph) == 1);
    CHECK(count(parse_in_time("[a]: <" + repeated("\\<", kLongLine)), BlockKind::paragraph) == 1);
    CHECK(count(parse_in_time("<pre>" + repeated("</", kLongLine)), BlockKind::html) == 1);
}

TEST_CASE("megabytes of lines take linear time, whatever they are made of") {
    for (const std::string_view piece :
         {"\n",       "\r",         "\r\n",          "a\n",         "[\n",        "[a\n",
          "[a]:\n",   "[a]: b\n",   "[a]: b\n===\n", "[a]: b\n'\n", "[a]: b '\n", "[a]: b\n\n",
          "[a]: (\n", "===\n",      "---\n",         "|\n",         "|-\n",       "|a|\n|-|\n",
          "|-|\n",    "- \n",       "-\n\n",         ">\n",         "> a\nb\n",   "```\n",
          "~~~\n\n",  "<!--\n",     "<pre>\n",       "<div>\n\n",   "    a\n\n",  "- a\n\n\n",
          "1. a\n",   "- a\n+ b\n", "\t\n",          "\x7f\n"}) {
        CAPTURE(piece);
        static_cast<void>(parse_in_time(repeated(piece, kManyLines)));
    }
}

TEST_CASE("what is never closed ends with the document") {
    for (const auto& [opening, kind] :
         std::vector<std::pair<std::string, BlockKind>>{{"```\n", BlockKind::fenced_code},
                                                        {"<!--\n", BlockKind::html},
                                                        {"<![CDATA[\n", BlockKind::html},
                                                        {"[a]: b '\n", BlockKind::paragraph},
                                                        {"[a\n", BlockKind::paragraph}}) {
        const BlockTree tree = parse_in_time(opening + repeated("text ``` ( *\n", kManyLines));
        CHECK(tree.blocks.size() == 1);
        CHECK(tree.blocks.front().kind == kind);
        CHECK(tree.blocks.front().end_line + 1 == tree.line_starts.size());
    }
}

TEST_CASE("blank lines in deep containers cost no more than a bounded number of steps each") {
    const std::string deep = repeated("- ", kMaxContainerDepth) + "a\n";
    const BlockTree lists = parse_in_time(deep + std::string(kManyLines, '\n') + "b\n");
    CHECK(lists.blocks.back().kind == BlockKind::paragraph);
    static_cast<void>(parse_in_time("> " + repeated("- ", kMaxContainerDepth - 2) + "a\n" +
                                    repeated(">\n", kManyLines / 5)));
}
