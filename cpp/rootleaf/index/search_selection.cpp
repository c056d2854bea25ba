#include "rootleaf/index/search_selection.hpp"

#include <utility>

namespace rootleaf::index {

namespace {

/// One byte per document of a segment, 1 where it is selected.
std::vector<std::uint8_t> mask_of(const LiveSegment& live,
                                  const filter::Predicate& predicate,
                                  const std::optional<std::span<const std::uint64_t>>& ids) {
    const Segment& segment = live.segment();
    const std::uint32_t document_count = segment.document_count();
    std::vector<std::uint8_t> in_predicate;
    if (!predicate.holds_for_all()) {
        in_predicate.assign(document_count, 0);
        const filter::Bitmap found = predicate.evaluate(segment.values(), document_count);
        for (const std::uint32_t document : found.members()) {
            in_predicate[document] = live.is_live(document) ? 1 : 0;
        }
    }
    if (!ids.has_value()) {
        return in_predicate;
    }
    std::vector<std::uint8_t> mask(document_count, 0);
    live.lookup().each(ids.value(), [&](std::uint32_t document) {
        const bool wanted = in_predicate.empty() || in_predicate[document] != 0;
        mask[document] = wanted && live.is_live(document) ? 1 : 0;
    });
    return mask;
}

}  // namespace

Selection::Selection(const View& view,
                     const filter::Predicate& predicate,
                     const std::optional<std::span<const std::uint64_t>>& allowed_ids) {
    const std::span<const LiveSegment> segments = view.segments();
    slices_.reserve(segments.size());
    if (predicate.holds_for_all() && !allowed_ids) {
        totals_ = view.totals();
        for (const LiveSegment& live : segments) {
            slices_.push_back({&live.segment().inverted(), live.live()});
        }
        return;
    }
    masks_.reserve(segments.size());
    for (const LiveSegment& live : segments) {
        masks_.push_back(mask_of(live, predicate, allowed_ids));
        const lexical::InvertedIndex& inverted = live.segment().inverted();
        const lexical::Totals totals = lexical::totals_of(inverted.layout(), masks_.back());
        // Loops that need not ask are faster.
        const bool all = totals.document_count == live.segment().document_count();
        slices_.push_back({&inverted, all ? std::span<const std::uint8_t>() : masks_.back()});
        totals_ += totals;
    }
}

}  // namespace rootleaf::index
