#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "segment_samples.hpp"
#include "snapshot_surgery.hpp"
#include "temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace rootleaf;
using index::Segment;
using index::Snapshot;
using index::SnapshotIdentity;
using index::SnapshotSegment;

/// Bytes at an address that is a multiple of 8.
class Aligned {
public:
    explicit Aligned(std::string_view content)
        : words_(std::make_shared<std::vector<std::uint64_t>>(content.size() / 8 + 1)),
          size_(content.size()) {
        std::memcpy(words_->data(), content.data(), content.size());
    }

    [[nodiscard]] Snapshot read() const {
        return index::read_snapshot(std::as_bytes(std::span(*words_)).first(size_), words_);
    }

private:
    std::shared_ptr<std::vector<std::uint64_t>> words_;
    std::size_t size_;
};

index::View view_of(const std::shared_ptr<const Segment>& segment) {
    return index::View({index::LiveSegment(segment, {})});
}

std::string read_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view content) {
    std::ofstream(path, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::shared_ptr<const Segment> share(const std::vector<segment_samples::SampleDocument>& sample) {
    return std::make_shared<const Segment>(segment_samples::build(sample));
}

SnapshotIdentity identity() {
    SnapshotIdentity identity;
    for (std::size_t i = 0; i < identity.database_id.size(); ++i) {
        identity.database_id[i] = std::byte(i + 1);
    }
    identity.generation = 41;
    identity.analyzer_id = "analyzer-a";
    identity.chunker_id = "chunker-b";
    identity.max_tokens = 256;
    return identity;
}

template <typename Element>
bool equal(std::span<const Element> a, std::span<const Element> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool equal(const StringList& a, const StringList& b) {
    return equal(a.bytes(), b.bytes()) && equal(a.ends(), b.ends());
}

bool equal(const lexical::PostingLists& a, const lexical::PostingLists& b) {
    return equal(a.starts, b.starts) && equal(a.ordinals, b.ordinals) && equal(a.first, b.first) &&
           equal(a.second, b.second);
}

bool equal(const filter::ValueIndex& a, const filter::ValueIndex& b) {
    return equal(a.keys(), b.keys()) && equal(a.values(), b.values()) &&
           equal(a.key_of_value(), b.key_of_value()) && equal(a.starts(), b.starts()) &&
           equal(a.documents(), b.documents());
}

bool equal(const vector::Matrix* a, const vector::Matrix* b) {
    if (a == nullptr || b == nullptr) {
        return a == b;
    }
    return a->dimension() == b->dimension() && equal(a->rows(), b->rows()) &&
           equal(a->present(), b->present());
}

bool equal(const Segment& one, const Segment& other) {
    const index::SegmentSections& a = one.sections();
    const index::SegmentSections& b = other.sections();
    return equal(a.document_ids, b.document_ids) && equal(a.paths, b.paths) &&
           equal(a.layout.first_chunkset, b.layout.first_chunkset) &&
           equal(a.layout.document_lengths, b.layout.document_lengths) &&
           equal(a.layout.chunkset_lengths, b.layout.chunkset_lengths) &&
           equal(a.dictionary, b.dictionary) && equal(a.by_document, b.by_document) &&
           equal(a.by_chunkset, b.by_chunkset) && equal(a.values, b.values) &&
           equal(one.vectors(), other.vectors()) &&
           equal(one.inverted().weighted_lengths(), other.inverted().weighted_lengths());
}

bool equal(const Snapshot& a, const Snapshot& b) {
    return a.identity == b.identity &&
           std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                      [](const SnapshotSegment& one, const SnapshotSegment& other) {
                          return equal(*one.segment, *other.segment) && equal(one.live, other.live);
                      });
}

std::optional<ErrorCode> refusal(const auto& attempt) {
    try {
        attempt();
    } catch (const Error& error) {
        return error.code();
    }
    return std::nullopt;
}

std::string sample_bytes() {
    const std::vector<std::byte> bytes =
        index::encode_snapshot(snapshot_surgery::two_segments(), identity());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("a snapshot gives back the identity, the segments and the live documents") {
    const TemporaryFolder folder;
    const std::vector<SnapshotSegment> segments = snapshot_surgery::two_segments();
    index::write_snapshot(folder.file("a"), segments, identity());
    CHECK(equal(index::open_snapshot(folder.file("a")), {identity(), segments}));
    CHECK(folder.file_count() == 1);
    CHECK(read_file(folder.file("a")) == sample_bytes());
}

TEST_CASE("a segment that lies in a snapshot answers as the one that was written") {
    const TemporaryFolder folder;
    const std::vector<SnapshotSegment> segments = {{share(segment_samples::garden()), {}}};
    index::write_snapshot(folder.file("a"), segments, identity());
    const std::shared_ptr<const Segment> opened =
        index::open_snapshot(folder.file("a")).segments.at(0).segment;
    fs::remove(folder.file("a"));  // what is mapped stays

    for (const char* query : {"late", "pears cold", "fruit", "nothing there", ""}) {
        for (const char* kind : {"fruit", "legume", "stone"}) {
            CAPTURE(query);
            index::SearchRequest request{query};
            request.predicate.value("kind", kind);
            const index::Ranking expected = index::search(view_of(segments[0].segment), request);
            const index::Ranking ranking = index::search(view_of(opened), request);
            CHECK(ranking.document_ids == expected.document_ids);
            CHECK(ranking.ordinals == expected.ordinals);
            CHECK(ranking.scores == expected.scores);
            REQUIRE(ranking.parts.find("bm25") != nullptr);
            CHECK(*ranking.parts.find("bm25") == *expected.parts.find("bm25"));
        }
    }
    CHECK(opened->path(0) == "/garden/beans.md");
    const auto values = opened->values();
    REQUIRE(values.size() == 4);
    CHECK(values[2].key == "season");
    CHECK(values[2].value == "autumn");
    CHECK(std::vector<std::uint32_t>(values[2].documents.begin(), values[2].documents.end()) ==
          std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a snapshot of nothing and of a segment without documents can be opened") {
    const TemporaryFolder folder;
    index::write_snapshot(folder.file("a"), index::View(), SnapshotIdentity{});
    CHECK(index::open_snapshot(folder.file("a")).segments.empty());

    const std::vector<SnapshotSegment> segments = {{share({}), {}}};
    index::write_snapshot(folder.file("a"), segments, identity());
    CHECK(equal(index::open_snapshot(folder.file("a")), {identity(), segments}));
}

TEST_CASE("equal segments give equal bytes, in whatever order their documents were added") {
    const TemporaryFolder folder;
    std::vector<segment_samples::SampleDocument> documents = segment_samples::garden();
    const std::vector<SnapshotSegment> first = {{share(documents), {}}};
    index::write_snapshot(folder.file("a"), first, identity());
    std::reverse(documents.begin(), documents.end());
    const std::vector<SnapshotSegment> second = {{share(documents), {}}};
    index::write_snapshot(folder.file("b"), second, identity());
    CHECK(read_file(folder.file("a")) == read_file(folder.file("b")));

    // What is opened is written as it was.
    const Snapshot opened = index::open_snapshot(folder.file("a"));
    index::write_snapshot(folder.file("c"), opened.segments, opened.identity);
    CHECK(read_file(folder.file("a")) == read_file(folder.file("c")));
}

TEST_CASE("sections start at multiples of 64 bytes in memory") {
    const TemporaryFolder folder;
    const std::vector<SnapshotSegment> segments = {{share(segment_samples::garden()), {}}};
    index::write_snapshot(folder.file("a"), segments, identity());
    const Snapshot opened = index::open_snapshot(folder.file("a"));
    const index::SegmentSections& sections = opened.segments.at(0).segment->sections();
    for (const void* start : {static_cast<const void*>(sections.document_ids.data()),
                              static_cast<const void*>(sections.by_chunkset.ordinals.data()),
                              static_cast<const void*>(sections.values.documents().data())}) {
        CHECK(reinterpret_cast<std::uintptr_t>(start) % 64 == 0);
    }
}

TEST_CASE("a snapshot that is cut short anywhere is refused") {
    const std::string whole = sample_bytes();
    CHECK(refusal([&] { (void)Aligned(whole).read(); }) == std::nullopt);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        REQUIRE(refusal([&] { (void)Aligned(whole.substr(0, length)).read(); }) ==
                ErrorCode::snapshot_invalid);
    }
    CHECK(refusal([&] { (void)Aligned(whole + '\0').read(); }) == ErrorCode::snapshot_invalid);
}

TEST_CASE("a snapshot with any byte changed is refused") {
    const std::string whole = sample_bytes();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
            CAPTURE(at);
            std::string changed = whole;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            REQUIRE(refusal([&] { (void)Aligned(changed).read(); }) == ErrorCode::snapshot_invalid);
        }
    }
}

TEST_CASE("segments that do not go together are not written") {
    const std::shared_ptr<const Segment> garden = share(segment_samples::garden());
    const auto code = [](const std::vector<SnapshotSegment>& segments) {
        return refusal([&] { (void)index::encode_snapshot(segments, {}); });
    };
    const std::vector<std::uint8_t> none = {0, 0, 0};
    const std::vector<std::uint8_t> two = {1, 2, 1};
    const std::vector<std::uint8_t> too_few = {1, 1};
    CHECK(code({{garden, none}, {garden, {}}}) == std::nullopt);
    CHECK(code({{garden, {}}, {garden, {}}}) == ErrorCode::invalid_input);
    CHECK(code({{garden, two}}) == ErrorCode::invalid_input);
    CHECK(code({{garden, too_few}}) == ErrorCode::invalid_input);
    index::SegmentParts parts = segment_samples::parts_of(*garden);
    parts.document_ids[0] = parts.document_ids[1];
    const auto twice = std::make_shared<const Segment>(index::make_segment(std::move(parts)));
    CHECK(code({{twice, {}}}) == ErrorCode::invalid_input);
    CHECK(code({{twice, none}}) == ErrorCode::invalid_input);
}

TEST_CASE("what is no snapshot is refused, and an absent file is told apart") {
    const TemporaryFolder folder;
    for (const std::string& content :
         {std::string(), std::string("# A note\n"), std::string(4096, '\0'),
          std::string("SQLite format 3\0", 16) + std::string(4080, 'x')}) {
        write_file(folder.file("a"), content);
        CHECK(refusal([&] { (void)index::open_snapshot(folder.file("a")); }) ==
              ErrorCode::snapshot_invalid);
    }
    CHECK(refusal([&] { (void)index::open_snapshot(folder.file("absent")); }) ==
          ErrorCode::file_unreadable);
    CHECK(refusal([&] { (void)index::open_snapshot(folder.file("")); }) ==
          ErrorCode::file_unreadable);
}

TEST_CASE("a snapshot takes another's place in one step, and a failure leaves nothing") {
    const TemporaryFolder folder;
    const std::vector<SnapshotSegment> garden = {{share(segment_samples::garden()), {}}};
    const std::vector<SnapshotSegment> orchard = {{share(segment_samples::orchard()), {}}};
    index::write_snapshot(folder.file("a"), garden, identity());
    const Snapshot before = index::open_snapshot(folder.file("a"));
    write_file(folder.file("a.tmp"), std::string(100000, 'x'));  // what a killed writer left
    index::write_snapshot(folder.file("a"), orchard, identity());
    CHECK(equal(index::open_snapshot(folder.file("a")), {identity(), orchard}));
    CHECK(equal(before, {identity(), garden}));
    CHECK(folder.file_count() == 1);

    CHECK(refusal([&] { index::write_snapshot(folder.file("absent/a"), garden, identity()); }) ==
          ErrorCode::file_unwritable);
    const std::vector<std::uint8_t> too_few = {1};
    const std::vector<SnapshotSegment> wrong = {{garden[0].segment, too_few}};
    CHECK(refusal([&] { index::write_snapshot(folder.file("a"), wrong, identity()); }) ==
          ErrorCode::invalid_input);
    fs::create_directory(folder.file("b"));
    write_file(folder.file("b") + "/x", "x");
    CHECK(refusal([&] { index::write_snapshot(folder.file("b"), garden, identity()); }) ==
          ErrorCode::file_unwritable);
    CHECK(equal(index::open_snapshot(folder.file("a")), {identity(), orchard}));
    CHECK(folder.file_count() == 2);
}
