// Any bytes are edits to a sound snapshot. Its sections are changed, cut, grown or left out, and
// laid out anew with right checksums, so that only what the opener verifies stands between them and
// the searches, merges and look-ups that follow.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../cpp/segment_samples.hpp"
#include "rootleaf/base/checksum.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/index/merge.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "rootleaf/index/snapshot_format.hpp"

namespace {

using namespace rootleaf;
namespace format = index::format;

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
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <typename Value>
void append(Bytes& bytes, const Value& value) {
    const auto* const start = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), start, start + sizeof value);
}

/// Takes a file apart, trusting it.
File parse(std::span<const std::byte> bytes) {
    File file{load<format::Header>(bytes, 0), {}};
    for (std::size_t i = 0; i < file.header.section_count; ++i) {
        const auto entry = load<format::SectionEntry>(
            bytes, sizeof(format::Header) + i * sizeof(format::SectionEntry));
        const auto content = bytes.subspan(entry.offset, entry.bytes);
        file.sections.push_back({entry.segment, entry.kind, {content.begin(), content.end()}});
    }
    return file;
}

const File& sound_file() {
    static const File file = [] {
        const std::vector<std::uint8_t> live = {1, 0, 1};
        const auto share = [](const auto& sample) {
            return std::make_shared<const index::Segment>(segment_samples::build(sample));
        };
        const std::vector<index::SnapshotSegment> segments = {
            {share(segment_samples::garden()), live}, {share(segment_samples::orchard()), {}}};
        return parse(index::encode_snapshot(segments, {}));
    }();
    return file;
}

/// Puts a file together with offsets, sizes and checksums as they have to be.
Bytes assemble(File file) {
    Bytes table;
    std::uint64_t end =
        sizeof(format::Header) + file.sections.size() * sizeof(format::SectionEntry);
    for (const Section& section : file.sections) {
        const std::uint64_t offset = format::aligned(end);
        append(table, format::SectionEntry{section.segment, section.kind, offset,
                                           section.bytes.size(), checksum(section.bytes)});
        end = offset + section.bytes.size();
    }
    file.header.file_bytes = end;
    file.header.section_count = static_cast<std::uint32_t>(file.sections.size());
    Bytes bytes;
    append(bytes, file.header);
    bytes.insert(bytes.end(), table.begin(), table.end());
    const Checksum of_front = checksum(std::span(bytes).subspan(format::kCheckedFrom));
    std::memcpy(bytes.data() + offsetof(format::Header, checksum), of_front.data(),
                of_front.size());
    for (const Section& section : file.sections) {
        bytes.resize(format::aligned(bytes.size()));
        bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
    }
    return bytes;
}

/// One edit, as it lies in the input.
struct Edit {
    std::uint8_t verb;
    std::uint8_t section;
    std::uint16_t place;
    std::uint32_t value;
};
static_assert(sizeof(Edit) == 8);

constexpr std::size_t kMaxSectionBytes = 1U << 16U;

void apply(const Edit& edit, File& file) {
    if (file.sections.empty()) {
        return;
    }
    Section& section = file.sections[edit.section % file.sections.size()];
    Bytes& bytes = section.bytes;
    const std::size_t words = bytes.size() / 4;
    const auto set_word = [&](std::size_t at, std::uint32_t word) {
        std::memcpy(bytes.data() + at % words * 4, &word, sizeof word);
    };
    switch (edit.verb % 9) {
        case 0:
            if (words > 0) {
                set_word(edit.place, edit.value);
            }
            break;
        case 1:
            if (words > 0) {
                const std::size_t at = edit.place % words;
                set_word(at, load<std::uint32_t>(bytes, at * 4) + edit.value);
            }
            break;
        case 2:
            if (!bytes.empty()) {
                bytes[edit.place % bytes.size()] = static_cast<std::byte>(edit.value);
            }
            break;
        case 3:
            bytes.resize(edit.value % kMaxSectionBytes);
            break;
        case 4:
            if (words > 0) {
                const auto one = load<std::uint32_t>(bytes, edit.place % words * 4);
                const auto other = load<std::uint32_t>(bytes, edit.value % words * 4);
                set_word(edit.place, other);
                set_word(edit.value, one);
            }
            break;
        case 5: {
            const std::size_t at = edit.place % (bytes.size() + 1);
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), edit.value % 64,
                         static_cast<std::byte>(edit.value >> 8U));
            break;
        }
        case 6:
            bytes = file.sections[edit.place % file.sections.size()].bytes;
            break;
        case 7:
            file.sections.erase(file.sections.begin() +
                                edit.section % static_cast<std::ptrdiff_t>(file.sections.size()));
            break;
        default:
            (edit.place % 2 == 0 ? section.kind : file.header.segment_count) = edit.value;
            break;
    }
}

/// Reads everything that a segment gives access to.
std::size_t walk(const index::Segment& segment) {
    std::size_t sum = 0;
    for (std::uint32_t document = 0; document < segment.document_count(); ++document) {
        sum += segment.path(document).size() + segment.document_ids()[document];
    }
    const lexical::InvertedIndex& inverted = segment.inverted();
    for (std::uint32_t rank = 0; rank < inverted.term_count(); ++rank) {
        if (inverted.find(inverted.term(rank)) != rank) {
            std::abort();
        }
        for (const std::uint32_t chunkset : inverted.chunksets_of(rank).ordinals) {
            sum += inverted.layout().chunkset_lengths[chunkset].first;
        }
        for (const std::uint32_t document : inverted.documents_of(rank).ordinals) {
            sum += inverted.layout().document_lengths[document].second;
        }
    }
    const filter::ValueIndex& values = segment.values();
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        const filter::ValueDocuments value = values[i];
        const auto found = values.find(value.key, value.value);
        if (!found || found->size() != value.documents.size()) {
            std::abort();
        }
        sum += found->size();
    }
    return sum;
}

void use(const index::Snapshot& snapshot) {
    static const std::array<std::string_view, 3> kQueries = {"late pears garden", "cold cellar",
                                                             "fruit beans"};
    std::vector<index::LiveSegment> segments;
    for (const index::SnapshotSegment& entry : snapshot.segments) {
        walk(*entry.segment);
        segments.emplace_back(entry.segment, entry.live);
    }
    walk(index::merge_segments(segments));
    const index::View view(std::move(segments));
    for (const std::string_view query : kQueries) {
        index::SearchRequest request{query};
        (void)index::search(view, request);
        request.predicate.value("kind", "fruit").value("season", "autumn").any_of(2);
        (void)index::search(view, request);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    File file = sound_file();
    const std::size_t edits = std::min<std::size_t>(size / sizeof(Edit), 64);
    for (std::size_t i = 0; i < edits; ++i) {
        apply(load<Edit>(std::as_bytes(std::span(bytes, size)), i * sizeof(Edit)), file);
    }
    // The rest of an input, less than an edit, damages the front itself.
    Bytes content = assemble(std::move(file));
    for (std::size_t i = edits * sizeof(Edit); i + 1 < size && i < edits * sizeof(Edit) + 6;
         i += 2) {
        content[bytes[i] % content.size()] ^= static_cast<std::byte>(bytes[i + 1]);
    }
    // On the heap and no longer than it says, so that a read past the end is seen.
    const auto owner = std::make_shared<const Bytes>(content.begin(), content.end());
    try {
        use(index::read_snapshot(*owner, owner));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::snapshot_invalid) {
            throw;
        }
    }
    return 0;
}
