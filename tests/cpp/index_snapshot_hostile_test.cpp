#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "snapshot_surgery.hpp"

using snapshot_surgery::Bytes;
using snapshot_surgery::File;
using snapshot_surgery::Section;
namespace format = rootleaf::index::format;

namespace {

/// Whether a snapshot of two segments is still accepted once it was changed, checksums and all.
bool accepts(const std::function<void(File&)>& change) {
    static const Bytes sound =
        rootleaf::index::encode_snapshot(snapshot_surgery::two_segments(), {});
    File file = snapshot_surgery::take_apart(sound);
    change(file);
    try {
        (void)snapshot_surgery::read(snapshot_surgery::put_together(std::move(file)));
        return true;
    } catch (const rootleaf::Error& error) {
        REQUIRE(error.code() == rootleaf::ErrorCode::snapshot_invalid);
        return false;
    }
}

Section& section(File& file, std::uint32_t segment, format::Kind kind) {
    for (Section& each : file.sections) {
        if (each.segment == segment && each.kind == static_cast<std::uint32_t>(kind)) {
            return each;
        }
    }
    FAIL("no such section");
    return file.sections.front();
}

}  // namespace

TEST_CASE("a snapshot that is put together again is accepted") {
    CHECK(accepts([](File&) {}));
}

TEST_CASE("only this version and this byte order are read") {
    CHECK_FALSE(accepts([](File& f) { f.header.version = 2; }));
    CHECK_FALSE(accepts([](File& f) { f.header.byte_order = 0x04030201; }));
    CHECK_FALSE(accepts([](File& f) { f.header.magic[0] = 'R'; }));
    CHECK_FALSE(accepts([](File& f) { f.header.reserved = 1; }));
}

TEST_CASE("an unknown section is skipped where it may be, and refuses the file where not") {
    const auto add = [](std::size_t at, std::uint32_t segment, std::uint32_t kind) {
        return [=](File& f) {
            f.sections.insert(f.sections.begin() + static_cast<std::ptrdiff_t>(at),
                              {segment, kind, Bytes(5)});
        };
    };
    static const std::size_t end =
        snapshot_surgery::take_apart(
            rootleaf::index::encode_snapshot(snapshot_surgery::two_segments(), {}))
            .sections.size();
    CHECK(accepts(add(end, 2, 0x80000000)));
    CHECK(accepts(add(2, 0, 0xFFFFFFFF)));
    CHECK(accepts(add(end, 77, 0x80000001)));
    CHECK_FALSE(accepts(add(end, 2, 0x7FFFFFFF)));
    CHECK_FALSE(accepts(add(2, 0, 3)));
    CHECK_FALSE(accepts(add(end, 3, 16)));
    CHECK_FALSE(accepts(add(0, 2, 0x80000000)));  // out of order
}

TEST_CASE("a section that is missing, twice there or in another place refuses the file") {
    File sound = snapshot_surgery::take_apart(
        rootleaf::index::encode_snapshot(snapshot_surgery::two_segments(), {}));
    for (std::size_t i = 0; i < sound.sections.size(); ++i) {
        CAPTURE(sound.sections[i].kind);
        const auto at = static_cast<std::ptrdiff_t>(i);
        const bool may_be_missing =
            sound.sections[i].kind == static_cast<std::uint32_t>(format::Kind::live_documents);
        CHECK(accepts([&](File& f) { f.sections.erase(f.sections.begin() + at); }) ==
              may_be_missing);
        CHECK_FALSE(
            accepts([&](File& f) { f.sections.insert(f.sections.begin() + at, f.sections[i]); }));
        CHECK_FALSE(accepts(
            [&](File& f) { std::swap(f.sections[i], f.sections[(i + 1) % f.sections.size()]); }));
    }
}

TEST_CASE("no section may be longer or shorter, whatever its checksum") {
    const std::size_t count = snapshot_surgery::two_segments().size();
    REQUIRE(count == 2);
    File sound = snapshot_surgery::take_apart(
        rootleaf::index::encode_snapshot(snapshot_surgery::two_segments(), {}));
    for (std::size_t i = 2; i < sound.sections.size(); ++i) {  // the first two are free text
        const std::size_t bytes = sound.sections[i].bytes.size();
        CAPTURE(sound.sections[i].kind);
        for (const std::size_t length : {std::size_t{0}, bytes - 1, bytes - 4, bytes - 8, bytes + 1,
                                         bytes + 4, bytes + 8, bytes + 64, 2 * bytes}) {
            if (length == bytes || length > bytes + bytes + 64) {
                continue;
            }
            CAPTURE(length);
            CHECK_FALSE(accepts([&](File& f) { f.sections[i].bytes.resize(length); }));
        }
    }
}

TEST_CASE("numbers of segments that are not there refuse the file") {
    for (const std::uint32_t segments : {0U, 1U, 3U, 0xFFFFFFFFU}) {
        CHECK_FALSE(accepts([&](File& f) { f.header.segment_count = segments; }));
    }
}

TEST_CASE("marks of live documents are one 0 or 1 for each") {
    using format::Kind;
    CHECK(accepts(
        [](File& f) { section(f, 1, Kind::live_documents).bytes.assign(3, std::byte{0}); }));
    CHECK_FALSE(
        accepts([](File& f) { section(f, 1, Kind::live_documents).bytes[0] = std::byte{2}; }));
    CHECK_FALSE(accepts([](File& f) { section(f, 1, Kind::live_documents).bytes.clear(); }));
    CHECK_FALSE(accepts([](File& f) { section(f, 1, Kind::live_documents).bytes.pop_back(); }));
}

TEST_CASE("an id that is live twice refuses the file, one that is live once does not") {
    using format::Kind;
    const auto give_id = [](std::size_t document) {
        return [=](File& f) {
            const Bytes& ids = section(f, 1, Kind::document_ids).bytes;
            section(f, 2, Kind::document_ids)
                .bytes.assign(ids.begin() + static_cast<std::ptrdiff_t>(document * 8),
                              ids.begin() + static_cast<std::ptrdiff_t>(document * 8 + 8));
        };
    };
    CHECK_FALSE(accepts(give_id(0)));
    CHECK(accepts(give_id(1)));  // not live in the first
    CHECK_FALSE(accepts([](File& f) {
        Bytes& ids = section(f, 1, Kind::document_ids).bytes;
        std::copy(ids.begin(), ids.begin() + 8, ids.begin() + 8);
    }));
}

TEST_CASE("vectors of two widths are accepted of removed documents only") {
    using rootleaf::index::Segment;
    std::vector<segment_samples::SampleDocument> others = segment_samples::garden();
    for (segment_samples::SampleDocument& document : others) {
        document.id += 100;
    }
    const auto other = segment_samples::build(others);
    const auto garden = segment_samples::build(segment_samples::garden());
    const std::vector<std::uint8_t> none(other.document_count(), 0);
    const auto with = [](const Segment& segment, std::uint32_t dimension) {
        return std::make_shared<const Segment>(segment_samples::with_vectors(segment, dimension));
    };
    const std::vector<rootleaf::index::SnapshotSegment> segments = {{with(other, 3), none},
                                                                    {with(garden, 4), {}}};
    File file = snapshot_surgery::take_apart(rootleaf::index::encode_snapshot(segments, {}));
    const auto is_read = [&] {
        try {
            (void)snapshot_surgery::read(snapshot_surgery::put_together(file));
            return true;
        } catch (const rootleaf::Error& error) {
            REQUIRE(error.code() == rootleaf::ErrorCode::snapshot_invalid);
            return false;
        }
    };
    CHECK(is_read());
    for (std::byte& mark : section(file, 1, format::Kind::live_documents).bytes) {
        mark = std::byte{1};
    }
    CHECK_FALSE(is_read());
    const std::vector<rootleaf::index::SnapshotSegment> alive = {{with(other, 3), {}},
                                                                 {with(garden, 4), {}}};
    CHECK_THROWS_AS(static_cast<void>(rootleaf::index::encode_snapshot(alive, {})),
                    rootleaf::Error);
}
