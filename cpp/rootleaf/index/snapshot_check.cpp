#include <algorithm>
#include <cstddef>
#include <functional>

#include "rootleaf/index/live.hpp"
#include "rootleaf/index/snapshot.hpp"

namespace rootleaf::index {

namespace {

using Ids = std::vector<std::uint64_t>;

bool are_distinct(Ids ids) {
    if (!std::is_sorted(ids.begin(), ids.end())) {
        std::sort(ids.begin(), ids.end());
    }
    return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

bool are_marks(std::span<const std::uint8_t> live) noexcept {
    return std::all_of(live.begin(), live.end(), [](std::uint8_t byte) { return byte <= 1; });
}

/// Whether live chunksets have vectors of two widths. Segments of one width, as all are but those
/// that another model left and that are dead by now, cost nothing.
bool have_two_widths(std::span<const SnapshotSegment> segments) {
    std::vector<std::uint32_t> widths;
    for (const SnapshotSegment& entry : segments) {
        if (const vector::Matrix* vectors = entry.segment->vectors()) {
            widths.push_back(vectors->dimension());
        }
    }
    if (std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()) == widths.end()) {
        return false;
    }
    widths.clear();
    for (const SnapshotSegment& entry : segments) {
        if (LiveSegment(entry.segment, entry.live).vector_count() > 0) {
            widths.push_back(entry.segment->vectors()->dimension());
        }
    }
    return std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()) != widths.end();
}

}  // namespace

std::optional<std::string_view> find_live_fault(std::span<const SnapshotSegment> segments) {
    Ids live_ids;
    for (const SnapshotSegment& entry : segments) {
        const std::span<const std::uint64_t> ids = entry.segment->document_ids();
        if (!entry.live.empty() && (entry.live.size() != ids.size() || !are_marks(entry.live))) {
            return "the marks of live documents are not one 0 or 1 for each";
        }
        const bool all_live = entry.live.empty();
        if (!all_live && !are_distinct(Ids(ids.begin(), ids.end()))) {
            return "two documents of a segment have one id";
        }
        for (std::size_t document = 0; document < ids.size(); ++document) {
            if (all_live || entry.live[document] != 0) {
                live_ids.push_back(ids[document]);
            }
        }
    }
    if (!are_distinct(std::move(live_ids))) {
        return "two live documents have one id";
    }
    if (have_two_widths(segments)) {
        return "its vectors have two widths";
    }
    return std::nullopt;
}

}  // namespace rootleaf::index
