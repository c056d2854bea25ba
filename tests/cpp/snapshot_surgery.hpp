#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rootleaf/base/checksum.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "rootleaf/index/snapshot_format.hpp"
#include "segment_samples.hpp"

/// Takes a snapshot apart and puts it together again, changed, with right offsets and checksums.
namespace snapshot_surgery {

namespace format = rootleaf::index::format;
using Bytes = std::vector<std::byte>;

struct Section {
    std::uint32_t segment;
    std::uint32_t kind;
    Bytes bytes;
};

struct File {
    format::Header header;
    std::vector<Section> sections;
};

template <typename Value>
Value load(std::span<const std::byte> bytes, std::size_t offset) {
    Value value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <typename Value>
void append(Bytes& bytes, const Value& value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

/// Trusts the bytes.
inline File take_apart(std::span<const std::byte> bytes) {
    File file{load<format::Header>(bytes, 0), {}};
    for (std::size_t i = 0; i < file.header.section_count; ++i) {
        const auto entry = load<format::SectionEntry>(
            bytes, sizeof(format::Header) + i * sizeof(format::SectionEntry));
        const auto content = bytes.subspan(entry.offset, entry.bytes);
        file.sections.push_back({entry.segment, entry.kind, {content.begin(), content.end()}});
    }
    return file;
}

inline Bytes put_together(File file) {
    Bytes table;
    std::uint64_t end =
        sizeof(format::Header) + file.sections.size() * sizeof(format::SectionEntry);
    for (const Section& section : file.sections) {
        const std::uint64_t offset = format::aligned(end);
        append(table,
               format::SectionEntry{section.segment, section.kind, offset, section.bytes.size(),
                                    rootleaf::checksum(section.bytes)});
        end = offset + section.bytes.size();
    }
    file.header.file_bytes = end;
    file.header.section_count = static_cast<std::uint32_t>(file.sections.size());
    Bytes bytes;
    // Room for all at once: GCC 12 sees an overrun that is not there where a vector grows.
    bytes.reserve(end);
    append(bytes, file.header);
    bytes.insert(bytes.end(), table.begin(), table.end());
    const rootleaf::Checksum of_front =
        rootleaf::checksum(std::span(bytes).subspan(format::kCheckedFrom));
    std::memcpy(bytes.data() + offsetof(format::Header, checksum), of_front.data(),
                of_front.size());
    for (const Section& section : file.sections) {
        bytes.resize(format::aligned(bytes.size()));
        bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
    }
    return bytes;
}

/// Two segments: one with a document that is gone, one with vectors.
inline std::vector<rootleaf::index::SnapshotSegment> two_segments() {
    using rootleaf::index::Segment;
    static const std::vector<std::uint8_t> live = {1, 0, 1};
    return {
        {std::make_shared<const Segment>(segment_samples::build(segment_samples::garden())), live},
        {std::make_shared<const Segment>(
             segment_samples::with_vectors(segment_samples::build(segment_samples::orchard()), 3)),
         {}}};
}

/// Reads bytes that end where the heap block does, so that a sanitizer sees a read behind them.
inline rootleaf::index::Snapshot read(const Bytes& bytes) {
    const auto owner = std::make_shared<const Bytes>(bytes.begin(), bytes.end());
    return rootleaf::index::read_snapshot(*owner, owner);
}

}  // namespace snapshot_surgery
