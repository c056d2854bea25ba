#include "rootleaf/index/search_selection.hpp"

#include <algorithm>
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

/// One byte per chunkset, 1 or 0, from one per document.
std::vector<std::uint8_t> by_chunkset(std::span<const std::uint8_t> by_document,
                                      std::span<const std::uint32_t> first_chunkset) {
    std::vector<std::uint8_t> mask(first_chunkset.back());
    for (std::size_t document = 0; document < by_document.size(); ++document) {
        std::fill(mask.begin() + first_chunkset[document],
                  mask.begin() + first_chunkset[document + 1],
                  by_document[document] != 0 ? std::uint8_t{1} : std::uint8_t{0});
    }
    return mask;
}

}  // namespace

Selection::Selection(const View& view,
                     const filter::Predicate& predicate,
                     const std::optional<std::span<const std::uint64_t>>& allowed_ids) {
    const bool is_filtered = !predicate.holds_for_all() || allowed_ids.has_value();
    slices_.reserve(view.segments().size());
    masks_.reserve(view.segments().size());
    for (const LiveSegment& live : view.segments()) {
        const lexical::InvertedIndex& inverted = live.segment().inverted();
        std::vector<std::uint8_t> mask;
        std::span<const std::uint8_t> documents = live.live();
        lexical::Totals totals = live.totals();
        if (is_filtered) {
            mask = mask_of(live, predicate, allowed_ids);
            documents = mask;
            totals = lexical::totals_of(inverted.layout(), documents);
        }
        // Loops that need not ask are faster.
        const bool all = totals.document_count == live.segment().document_count();
        masks_.push_back(all ? std::vector<std::uint8_t>()
                             : by_chunkset(documents, inverted.layout().first_chunkset));
        slices_.push_back({&inverted, masks_.back()});
        totals_ += totals;
    }
}

}  // namespace rootleaf::index
