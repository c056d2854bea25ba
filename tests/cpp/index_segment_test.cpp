#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/lexical/fields.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace {

using namespace rootleaf;

struct Given {
    std::uint64_t id;
    std::string path;
    std::string text;
};

void add(index::SegmentBuilder& builder, const Given& given) {
    const std::vector<std::pair<std::string_view, std::string_view>> metadata = {
        {"parity", given.id % 2 == 0 ? "even" : "odd"}};
    builder.add({given.id, given.path, "", "", metadata}, given.text, markdown::chunk(given.text));
}

index::Segment build(const std::vector<Given>& documents) {
    index::SegmentBuilder builder;
    for (const Given& given : documents) {
        add(builder, given);
    }
    return builder.build();
}

index::Ranking search(const index::Segment& segment, const index::SearchRequest& request) {
    return index::search(index::View({index::LiveSegment(segment)}), request);
}

std::vector<std::uint64_t> found(const index::Segment& segment,
                                 std::string_view query,
                                 const filter::Predicate& predicate = {}) {
    return search(segment, {.query = query, .predicate = predicate, .top_k = 10, .per_document = 1})
        .document_ids;
}

std::vector<std::uint64_t> ids_of(const index::Segment& segment) {
    return {segment.document_ids().begin(), segment.document_ids().end()};
}

bool by_id(const Given& a, const Given& b) { return a.id < b.id; }

}  // namespace

TEST_CASE("Documents stand in the order of their paths, whatever order they are added in") {
    std::vector<Given> documents = {
        {4, "/b", "# T\n\nplum\n"}, {2, "/c", "# T\n\nplum\n"}, {9, "/a", "# T\n\nplum\n"}};
    std::sort(documents.begin(), documents.end(), by_id);
    bool more = true;
    while (more) {
        const index::Segment segment = build(documents);
        CHECK(ids_of(segment) == std::vector<std::uint64_t>{9, 4, 2});
        CHECK(found(segment, "plum") == std::vector<std::uint64_t>{9, 4, 2});
        more = std::next_permutation(documents.begin(), documents.end(), by_id);
    }
}

TEST_CASE("A filter that brings its own set joins with values, and not") {
    const index::Segment segment =
        build({{1, "/a", "plum"}, {2, "/b", "plum"}, {3, "/c", "plum"}, {4, "/d", "plum"}});
    filter::Predicate predicate;
    predicate.value("parity", "even").given(filter::Bitmap::below(3)).all_of(2);
    CHECK(found(segment, "plum", predicate) == std::vector<std::uint64_t>{2});
    filter::Predicate inverse;
    inverse.everything().value("parity", "even").and_not();
    CHECK(found(segment, "plum", inverse) == std::vector<std::uint64_t>{1, 3});
}

TEST_CASE("The heading path stops where its words would pass the limit") {
    std::string item = "- quince";
    for (std::uint32_t i = 0; i < lexical::kMaxPathWords; ++i) {
        item += " w" + std::to_string(i % 10);
    }
    const index::Segment segment = build({{1, "/a", "# Medlar\n\n" + item + "\n  - fig\n"}});
    CHECK(search(segment, {.query = "quince", .top_k = 1, .per_document = 9}).ordinals.size() <
          segment.chunkset_count());
    CHECK(found(segment, "fig") == std::vector<std::uint64_t>{1});
}

TEST_CASE("A frequency above its limit is held, and the length is not") {
    std::string text;
    for (int i = 0; i < 900; ++i) {
        text += "a b ";
    }
    markdown::ChunkOptions options;
    options.max_tokens = 65536;
    index::SegmentBuilder builder;
    builder.add({1, "/a", "", "", {}}, text, markdown::chunk(text, options));
    const index::Segment segment = builder.build();
    REQUIRE(segment.chunkset_count() == 1);
    CHECK(segment.inverted().layout().chunkset_lengths[0].second == 1800);
    const std::optional<std::uint32_t> rank = segment.inverted().find("b");
    REQUIRE(rank.has_value());
    CHECK(segment.inverted().chunksets_of(rank.value_or(0)).second[0] == lexical::kMaxFrequency);
}

TEST_CASE("Hostile texts build in bounded time and answer") {
    std::string nested;
    for (int i = 0; i < 3000; ++i) {
        nested +=
            std::string(static_cast<std::size_t>(i) * 2, ' ') + "- lvl" + std::to_string(i) + "\n";
    }
    const std::string quotes = std::string(20000, '>') + " quince\n";
    std::string joints = "x";
    for (int i = 0; i < 200000; ++i) {
        joints += "./:@_-'"[i % 7];
        joints += 'x';
    }
    const std::string bytes = std::string("\xFF\xFE\0\x80 medlar \xC3", 13);
    const index::Segment segment = build(
        {{1, "/a", nested}, {2, "/b", quotes}, {3, "/c", joints + " loquat"}, {4, "/d", bytes}});
    CHECK(found(segment, "quince") == std::vector<std::uint64_t>{2});
    CHECK(found(segment, "loquat") == std::vector<std::uint64_t>{3});
    CHECK(found(segment, "medlar") == std::vector<std::uint64_t>{4});
    CHECK(found(segment, "lvl2999") == std::vector<std::uint64_t>{1});
}
