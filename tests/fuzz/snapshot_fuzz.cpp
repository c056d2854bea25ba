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
#include "../cpp/snapshot_surgery.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/merge.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment_check.hpp"
#include "rootleaf/index/snapshot.hpp"

namespace {

using namespace rootleaf;
using snapshot_surgery::Bytes;
using snapshot_surgery::File;
using snapshot_surgery::load;
using snapshot_surgery::Section;

const File& sound_file() {
    static const File file =
        snapshot_surgery::take_apart(index::encode_snapshot(snapshot_surgery::two_segments(), {}));
    return file;
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

void use(const index::View& view) {
    static constexpr std::array<std::string_view, 3> kQueries = {"late pears garden", "cold cellar",
                                                                 "fruit beans"};
    for (const std::string_view query : kQueries) {
        index::SearchRequest request;
        request.query = query;
        (void)index::search(view, request);
        request.predicate.value("kind", "fruit").value("season", "autumn").any_of(2);
        (void)index::search(view, request);
        const std::array<std::uint64_t, 2> allowed = {3, 40};
        request.allowed_ids = allowed;
        (void)index::search(view, request);
    }
    for (const index::LiveSegment& segment : view.segments()) {
        walk(segment.segment());
    }
}

/// A sound view is searched, written again, and merged, and stays sound.
void live_on(const index::Snapshot& snapshot) {
    const index::View view = snapshot.view();
    use(view);
    (void)index::encode_snapshot(snapshot.segments, snapshot.identity);
    if (!view.segments().empty()) {
        const index::Segment merged = index::merge_segments(view.segments());
        if (index::find_fault(merged.sections())) {
            std::abort();
        }
    }
    index::Collection collection(view);
    collection.add(segment_samples::build(segment_samples::garden()));
    collection.remove({40});
    collection.merge();
    use(*collection.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    File file = sound_file();
    const std::size_t edits = std::min<std::size_t>(size / sizeof(Edit), 64);
    for (std::size_t i = 0; i < edits; ++i) {
        apply(load<Edit>(std::as_bytes(std::span(bytes, size)), i * sizeof(Edit)), file);
    }
    // The rest of an input, less than an edit, damages the front itself.
    Bytes content = snapshot_surgery::put_together(std::move(file));
    for (std::size_t i = edits * sizeof(Edit); i + 1 < size && i < edits * sizeof(Edit) + 6;
         i += 2) {
        content[bytes[i] % content.size()] ^= static_cast<std::byte>(bytes[i + 1]);
    }
    try {
        live_on(snapshot_surgery::read(content));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::snapshot_invalid) {
            throw;
        }
    }
    return 0;
}
