#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "chunk_invariants.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace {

using namespace rootleaf::markdown;

/// The texts of all chunks, checked for the invariants of any document.
std::vector<std::string> chunk_texts(std::string_view text, const ChunkOptions& options = {}) {
    const Document document = chunk(text, options);
    CHECK(testing::ChunkInvariants(text, document, options.max_tokens).broken(0).empty());
    std::vector<std::string> texts;
    texts.reserve(document.chunks.size());
    for (const Chunk& part : document.chunks) {
        texts.emplace_back(text.substr(part.span.start, part.span.end - part.span.start));
    }
    return texts;
}

}  // namespace

TEST_CASE("lines may end in any of three ways, also mixed") {
    const std::vector<std::string> expected = {"# a", "b", "- c"};
    CHECK(chunk_texts("# a\n\nb\n\n- c\n") == expected);
    CHECK(chunk_texts("# a\r\rb\r\r- c\r") == expected);
    CHECK(chunk_texts("# a\r\n\r\nb\r\n\r\n- c\r\n") == expected);
    CHECK(chunk_texts("# a\r\n\rb\n\r- c") == expected);
}

TEST_CASE("bytes that are no text are kept as they are") {
    CHECK(chunk_texts(std::string_view("a\0b\n\n\xFF\xFE\n\n# \xE6\xBC\n", 14)).size() == 3);
    const std::string continuations(1000, '\x80');
    ChunkOptions options;
    options.max_tokens = 16;
    std::string joined;
    for (const std::string& piece : chunk_texts(continuations, options)) {
        joined += piece;
    }
    CHECK(joined == continuations);
}

TEST_CASE("options outside their range are refused") {
    ChunkOptions options;
    for (const std::uint32_t max_tokens : {0U, 15U, 65537U}) {
        options.max_tokens = max_tokens;
        CHECK_THROWS_AS(static_cast<void>(chunk("a", options)), rootleaf::Error);
    }
}

TEST_CASE("front matter is text where it is not looked for or was not understood") {
    constexpr std::string_view kText = "---\nkind: note\n---\nbody\n";
    ChunkOptions options;
    CHECK(chunk(kText, options).chunks.size() == 1);
    options.front_matter_parsed = false;
    CHECK(chunk_texts(kText, options) == std::vector<std::string>{"---\nkind: note\n---", "body"});
    options.front_matter = false;
    const Document document = chunk(kText, options);
    REQUIRE(document.chunks.size() == 3);
    CHECK(document.chunks[0].kind == ChunkKind::thematic_break);
    CHECK(document.chunks[1].level == 2);
}

TEST_CASE("parents are right when heading levels jump") {
    const Document document = chunk("intro\n# a\n### b\n## c\n#### d\n# e\nx\n");
    std::vector<std::uint32_t> parents;
    parents.reserve(document.chunks.size());
    for (const Chunk& part : document.chunks) {
        parents.push_back(part.parent);
    }
    CHECK(parents == std::vector<std::uint32_t>{kNone, kNone, 1, 1, 3, kNone, 5});
}

TEST_CASE("an item is its marker line and first leaf; what follows in it are its children") {
    const Document document = chunk("- - a\n\n    b\n  - c\n- > q\n  > r\n\n  ```\n  x\n  ```\n");
    std::vector<std::uint32_t> parents;
    std::vector<ChunkKind> kinds;
    parents.reserve(document.chunks.size());
    kinds.reserve(document.chunks.size());
    for (const Chunk& part : document.chunks) {
        parents.push_back(part.parent);
        kinds.push_back(part.kind);
    }
    using enum ChunkKind;
    CHECK(kinds == std::vector<ChunkKind>{list_item, paragraph, list_item, list_item, code});
    CHECK(parents == std::vector<std::uint32_t>{kNone, 0, 0, kNone, 3});
}

TEST_CASE("further pieces of a long heading are no sections") {
    const std::string text = "# " + std::string(3000, 'x') + "\n\nbody\n\n## next\n";
    const Document document = chunk(text);
    REQUIRE(document.chunks.size() > 4);
    const Chunk& second = document.chunks[1];
    CHECK(second.kind == ChunkKind::heading);
    CHECK(second.level == 0);
    CHECK(second.parent == 0);
    CHECK(document.chunks[0].span.end - document.chunks[0].span.start <= 256);
    CHECK(document.chunks.back().parent == 0);
    CHECK(document.title_chunk == 0);
}

TEST_CASE("time is linear and memory bounded however deep a document nests") {
    std::string lists;
    for (std::size_t level = 0; level < 5000; ++level) {
        lists += std::string(2 * level, ' ') + "- lvl\n";
    }
    const Document document = chunk(lists);
    CHECK(testing::ChunkInvariants(lists, document, 256).broken(0).empty());
    CHECK(chunk_texts(std::string(20000, '>') + " quince\n").back().ends_with("quince"));
}
