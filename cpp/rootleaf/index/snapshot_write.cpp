#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/replacement_file.hpp"
#include "rootleaf/index/segment_check.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "rootleaf/index/snapshot_format.hpp"

namespace rootleaf::index {

namespace {

using format::Kind;

/// So that the sections of all can be counted in 32 bits.
constexpr std::size_t kMaxSegments = 0xFFFFFFFFU / 64;

struct Section {
    std::uint32_t segment;
    Kind kind;
    std::span<const std::byte> bytes;
};

/// The sections of a file, in the order of the table.
class Sections {
public:
    template <typename Element>
    void add(std::uint32_t segment, Kind kind, std::span<const Element> elements) {
        sections_.push_back({segment, kind, std::as_bytes(elements)});
    }

    void add(std::uint32_t segment, Kind kind, std::string_view text) {
        add(segment, kind, std::span<const char>(text));
    }

    void add(std::uint32_t number, const SnapshotSegment& entry) {
        const SegmentSections& own = entry.segment->sections();
        add(number, Kind::document_ids, own.document_ids);
        add(number, Kind::path_bytes, own.paths.bytes());
        add(number, Kind::path_ends, own.paths.ends());
        add(number, Kind::first_chunksets, own.layout.first_chunkset);
        add(number, Kind::document_lengths, own.layout.document_lengths);
        add(number, Kind::chunkset_lengths, own.layout.chunkset_lengths);
        add(number, Kind::term_bytes, own.dictionary.bytes());
        add(number, Kind::term_ends, own.dictionary.ends());
        add(number, Kind::document_posting_starts, own.by_document.starts);
        add(number, Kind::document_posting_ordinals, own.by_document.ordinals);
        add(number, Kind::document_posting_first, own.by_document.first);
        add(number, Kind::document_posting_second, own.by_document.second);
        add(number, Kind::chunkset_posting_starts, own.by_chunkset.starts);
        add(number, Kind::chunkset_posting_ordinals, own.by_chunkset.ordinals);
        add(number, Kind::chunkset_posting_first, own.by_chunkset.first);
        add(number, Kind::chunkset_posting_second, own.by_chunkset.second);
        add(number, Kind::key_bytes, own.values.keys().bytes());
        add(number, Kind::key_ends, own.values.keys().ends());
        add(number, Kind::value_bytes, own.values.values().bytes());
        add(number, Kind::value_ends, own.values.values().ends());
        add(number, Kind::value_keys, own.values.key_of_value());
        add(number, Kind::value_starts, own.values.starts());
        add(number, Kind::value_documents, own.values.documents());
        if (!entry.live.empty()) {
            add(number, Kind::live_documents, entry.live);
        }
        if (const vector::Matrix* const vectors = entry.segment->vectors()) {
            add(number, Kind::vector_dimension, keep(vectors->dimension()));
            add(number, Kind::vector_present, vectors->present());
            add(number, Kind::vector_rows, vectors->rows());
        }
    }

    [[nodiscard]] const std::vector<Section>& all() const noexcept { return sections_; }

private:
    /// A number that lies nowhere else.
    std::span<const std::uint32_t> keep(std::uint32_t number) {
        return {&kept_.emplace_back(number), 1};
    }

    std::vector<Section> sections_;
    std::deque<std::uint32_t> kept_;
};

/// What `open_snapshot` would refuse is not written.
void require_sound(std::span<const SnapshotSegment> segments) {
    std::optional<std::string_view> fault = find_live_fault(segments);
    for (const SnapshotSegment& entry : segments) {
        if (!fault) {
            fault = find_fault(entry.segment->sections());
        }
    }
    if (fault) {
        throw Error(ErrorCode::invalid_input,
                    "these segments make no snapshot: " + std::string(*fault));
    }
}

/// The header and the table of sections that follow it.
std::vector<std::byte> make_front(const std::vector<Section>& sections,
                                  std::size_t segment_count,
                                  const SnapshotIdentity& identity) {
    std::uint64_t end = sizeof(format::Header) + sections.size() * sizeof(format::SectionEntry);
    std::vector<std::byte> front(static_cast<std::size_t>(end));
    std::byte* row = front.data() + sizeof(format::Header);
    for (const Section& section : sections) {
        const format::SectionEntry entry{section.segment, static_cast<std::uint32_t>(section.kind),
                                         format::aligned(end), section.bytes.size(),
                                         checksum(section.bytes)};
        std::memcpy(row, &entry, sizeof entry);
        row += sizeof entry;
        end = entry.offset + entry.bytes;
    }

    const format::Header header{format::kMagic,
                                format::kByteOrder,
                                format::kFormatVersion,
                                {},
                                end,
                                static_cast<std::uint32_t>(segment_count),
                                static_cast<std::uint32_t>(sections.size()),
                                identity.database_id,
                                identity.generation,
                                identity.max_tokens,
                                0};
    std::memcpy(front.data(), &header, sizeof header);
    const Checksum of_front = checksum(std::span(front).subspan(format::kCheckedFrom));
    std::memcpy(front.data() + offsetof(format::Header, checksum), of_front.data(),
                of_front.size());
    return front;
}

/// The bytes of a snapshot as pieces to be laid end to end.
class Pieces {
public:
    Pieces(std::span<const SnapshotSegment> segments, const SnapshotIdentity& identity) {
        if constexpr (std::endian::native != std::endian::little) {
            throw Error(ErrorCode::file_unwritable,
                        "snapshots are written by little-endian CPUs only");
        }
        if (segments.size() > kMaxSegments) {
            throw Error(ErrorCode::too_large, "a snapshot would hold too many segments");
        }
        require_sound(segments);
        sections_.add(0, Kind::analyzer_id, identity.analyzer_id);
        sections_.add(0, Kind::chunker_id, identity.chunker_id);
        for (std::uint32_t i = 0; i < segments.size(); ++i) {
            sections_.add(i + 1, segments[i]);
        }
        front_ = make_front(sections_.all(), segments.size(), identity);
    }

    template <typename Append>
    void each(Append&& append) const {
        static constexpr std::array<std::byte, format::kAlignment> kPadding{};
        append(std::span<const std::byte>(front_));
        std::uint64_t end = front_.size();
        for (const Section& section : sections_.all()) {
            const std::uint64_t offset = format::aligned(end);
            append(std::span(kPadding).first(static_cast<std::size_t>(offset - end)));
            append(section.bytes);
            end = offset + section.bytes.size();
        }
    }

private:
    Sections sections_;
    std::vector<std::byte> front_;
};

}  // namespace

void write_snapshot(const std::string& path,
                    std::span<const SnapshotSegment> segments,
                    const SnapshotIdentity& identity,
                    std::optional<std::uint32_t> permissions) {
    const Pieces pieces(segments, identity);
    ReplacementFile file(path, permissions);
    pieces.each([&](std::span<const std::byte> bytes) { file.append(bytes); });
    file.commit();
}

void write_snapshot(const std::string& path,
                    const View& view,
                    const SnapshotIdentity& identity,
                    std::optional<std::uint32_t> permissions) {
    std::vector<SnapshotSegment> segments;
    for (const LiveSegment& segment : view.segments()) {
        segments.push_back({segment.shared_segment(), segment.live()});
    }
    write_snapshot(path, segments, identity, permissions);
}

std::vector<std::byte> encode_snapshot(std::span<const SnapshotSegment> segments,
                                       const SnapshotIdentity& identity) {
    std::vector<std::byte> encoded;
    Pieces(segments, identity).each([&](std::span<const std::byte> bytes) {
        encoded.insert(encoded.end(), bytes.begin(), bytes.end());
    });
    return encoded;
}

}  // namespace rootleaf::index
