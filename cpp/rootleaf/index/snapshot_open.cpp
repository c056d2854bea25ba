#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/base/mapped_file.hpp"
#include "rootleaf/index/segment_check.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "rootleaf/index/snapshot_format.hpp"

namespace rootleaf::index {

namespace {

using format::Kind;
using Bytes = std::span<const std::byte>;

[[noreturn]] void reject(std::string_view why) {
    throw Error(ErrorCode::snapshot_invalid, "the snapshot cannot be used: " + std::string(why));
}

void require(bool holds, std::string_view otherwise) {
    if (!holds) {
        reject(otherwise);
    }
}

template <typename Value>
Value load(Bytes bytes, std::size_t offset) noexcept {
    Value value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// The header, once it and the table after it are known to be there and undamaged.
format::Header read_header(Bytes file) {
    require(reinterpret_cast<std::uintptr_t>(file.data()) % alignof(std::uint64_t) == 0,
            "its bytes lie at an odd address");
    require(file.size() >= sizeof(format::Header), "it is cut short");
    const auto header = load<format::Header>(file, 0);
    require(header.magic == format::kMagic, "it is no snapshot");
    require(header.byte_order == format::kByteOrder, "its byte order is another");
    require(header.version == format::kFormatVersion, "its version is another");
    require(header.file_bytes == file.size(), "its size is another than it says");
    const std::size_t room = (file.size() - sizeof(format::Header)) / sizeof(format::SectionEntry);
    require(header.section_count <= room, "it is cut short");
    const std::size_t front_bytes =
        sizeof(format::Header) + header.section_count * sizeof(format::SectionEntry);
    require(checksum(file.subspan(format::kCheckedFrom, front_bytes - format::kCheckedFrom)) ==
                header.checksum,
            "its header is damaged");
    require(header.reserved == 0, "its header is of a later kind");
    return header;
}

/// The table of sections, read in order: every section is asked for where it has to stand.
class SectionReader {
public:
    SectionReader(Bytes file, std::uint32_t count)
        : file_(file),
          count_(count),
          end_(sizeof(format::Header) + count * sizeof(format::SectionEntry)) {
        advance();
    }

    /// The next section, which has to be this one.
    Bytes take(std::uint32_t segment, Kind kind) {
        require(is_next(segment, kind), "a section is missing");
        const Bytes bytes = bytes_;
        advance();
        return bytes;
    }

    template <typename Element>
    std::span<const Element> elements(std::uint32_t segment, Kind kind) {
        static_assert(std::is_trivially_copyable_v<Element>);
        static_assert(format::kAlignment % sizeof(Element) == 0 && alignof(Element) <= 8);
        const Bytes bytes = take(segment, kind);
        require(bytes.size() % sizeof(Element) == 0, "a section ends within an element");
        return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
    }

    std::string_view text(std::uint32_t segment, Kind kind) {
        const std::span<const char> bytes = elements<char>(segment, kind);
        return {bytes.data(), bytes.size()};
    }

    [[nodiscard]] bool is_next(std::uint32_t segment, Kind kind) const noexcept {
        return present_ && entry_.segment == segment &&
               entry_.kind == static_cast<std::uint32_t>(kind);
    }

    void require_end() const {
        require(!present_, "it has a section that this version does not know");
        require(end_ == file_.size(), "bytes follow its last section");
    }

private:
    /// Goes on to the next section that may not be skipped. Bounds and checksums of all are
    /// verified.
    void advance() {
        present_ = false;
        while (!present_ && next_ < count_) {
            const auto entry = load<format::SectionEntry>(
                file_, sizeof(format::Header) + next_ * sizeof(format::SectionEntry));
            require(next_ == 0 || entry_.segment < entry.segment ||
                        (entry_.segment == entry.segment && entry_.kind < entry.kind),
                    "its sections are out of order");
            entry_ = entry;
            ++next_;
            bytes_ = locate();
            present_ = entry_.kind < format::kFirstOptionalKind;
        }
    }

    Bytes locate() {
        const std::uint64_t start = format::aligned(end_);
        require(
            entry_.offset == start && start <= file_.size() && entry_.bytes <= file_.size() - start,
            "a section is out of bounds");
        const Bytes padding =
            file_.subspan(static_cast<std::size_t>(end_), static_cast<std::size_t>(start - end_));
        require(std::all_of(padding.begin(), padding.end(),
                            [](std::byte byte) { return byte == std::byte{0}; }),
                "bytes stand between its sections");
        const Bytes bytes =
            file_.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(entry_.bytes));
        require(checksum(bytes) == entry_.checksum, "a section is damaged");
        end_ = start + entry_.bytes;
        return bytes;
    }

    Bytes file_;
    std::uint32_t count_;
    std::uint32_t next_ = 0;  // entry to be read
    std::uint64_t end_;       // of the section read last
    bool present_ = false;
    format::SectionEntry entry_{};
    Bytes bytes_;
};

StringList take_strings(SectionReader& reader, std::uint32_t segment, Kind bytes, Kind ends) {
    const auto text = reader.elements<char>(segment, bytes);
    return {text, reader.elements<std::uint32_t>(segment, ends)};
}

lexical::PostingLists take_postings(SectionReader& reader,
                                    std::uint32_t segment,
                                    const std::array<Kind, 4>& kinds) {
    lexical::PostingLists lists;
    lists.starts = reader.elements<std::uint32_t>(segment, kinds[0]);
    lists.ordinals = reader.elements<std::uint32_t>(segment, kinds[1]);
    lists.first = reader.elements<std::uint8_t>(segment, kinds[2]);
    lists.second = reader.elements<std::uint8_t>(segment, kinds[3]);
    return lists;
}

SegmentSections take_sections(SectionReader& reader, std::uint32_t segment) {
    SegmentSections sections;
    sections.document_ids = reader.elements<std::uint64_t>(segment, Kind::document_ids);
    sections.paths = take_strings(reader, segment, Kind::path_bytes, Kind::path_ends);
    sections.layout.first_chunkset = reader.elements<std::uint32_t>(segment, Kind::first_chunksets);
    sections.layout.document_lengths =
        reader.elements<lexical::FieldLengths>(segment, Kind::document_lengths);
    sections.layout.chunkset_lengths =
        reader.elements<lexical::FieldLengths>(segment, Kind::chunkset_lengths);
    sections.dictionary = take_strings(reader, segment, Kind::term_bytes, Kind::term_ends);
    sections.by_document =
        take_postings(reader, segment,
                      {Kind::document_posting_starts, Kind::document_posting_ordinals,
                       Kind::document_posting_first, Kind::document_posting_second});
    sections.by_chunkset =
        take_postings(reader, segment,
                      {Kind::chunkset_posting_starts, Kind::chunkset_posting_ordinals,
                       Kind::chunkset_posting_first, Kind::chunkset_posting_second});
    const StringList keys = take_strings(reader, segment, Kind::key_bytes, Kind::key_ends);
    const StringList values = take_strings(reader, segment, Kind::value_bytes, Kind::value_ends);
    const auto value_keys = reader.elements<std::uint32_t>(segment, Kind::value_keys);
    const auto starts = reader.elements<std::uint32_t>(segment, Kind::value_starts);
    const auto documents = reader.elements<std::uint32_t>(segment, Kind::value_documents);
    sections.values = {keys, values, value_keys, starts, documents};
    return sections;
}

vector::Matrix take_vectors(SectionReader& reader, std::uint32_t segment) {
    const auto dimension = reader.elements<std::uint32_t>(segment, Kind::vector_dimension);
    require(dimension.size() == 1, "the vectors have no dimension");
    const auto present = reader.elements<std::uint8_t>(segment, Kind::vector_present);
    const auto rows = reader.elements<float>(segment, Kind::vector_rows);
    return {dimension[0], rows, present};
}

}  // namespace

Snapshot read_snapshot(Bytes bytes, const std::shared_ptr<const void>& owner) {
    if constexpr (std::endian::native != std::endian::little) {
        reject("it is read by little-endian CPUs only");
    }
    const format::Header header = read_header(bytes);
    SectionReader reader(bytes, header.section_count);
    Snapshot snapshot;
    snapshot.identity.database_id = header.database_id;
    snapshot.identity.generation = header.generation;
    snapshot.identity.max_tokens = header.max_tokens;
    snapshot.identity.analyzer_id = reader.text(0, Kind::analyzer_id);
    snapshot.identity.chunker_id = reader.text(0, Kind::chunker_id);
    for (std::uint32_t number = 1; number <= header.segment_count; ++number) {
        SegmentSections sections = take_sections(reader, number);
        std::span<const std::uint8_t> live;
        if (reader.is_next(number, Kind::live_documents)) {
            live = reader.elements<std::uint8_t>(number, Kind::live_documents);
            require(!live.empty(), "the marks of live documents are missing");
        }
        if (reader.is_next(number, Kind::vector_dimension)) {
            sections.vectors = take_vectors(reader, number);
        }
        // Before the segment, which reads its arrays as it is made.
        if (const auto fault = find_fault(sections)) {
            reject(*fault);
        }
        snapshot.segments.push_back({std::make_shared<const Segment>(sections, owner), live});
    }
    reader.require_end();
    if (const auto fault = find_live_fault(snapshot.segments)) {
        reject(*fault);
    }
    return snapshot;
}

View Snapshot::view() const {
    std::vector<LiveSegment> live_segments;
    live_segments.reserve(segments.size());
    for (const SnapshotSegment& entry : segments) {
        live_segments.emplace_back(entry.segment, entry.live);
    }
    return View(std::move(live_segments));
}

Snapshot open_snapshot(const std::string& path) {
    const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
    return read_snapshot(file->bytes(), file);
}

}  // namespace rootleaf::index
