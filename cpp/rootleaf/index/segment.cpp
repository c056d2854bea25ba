#include "rootleaf/index/segment.hpp"

#include <utility>

namespace rootleaf::index {

Segment::Segment(const SegmentSections& sections, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)),
      sections_(sections),
      weighted_lengths_(
          std::make_shared<const std::vector<double>>(lexical::weigh_lengths(sections.layout))),
      rounded_rows_(std::make_shared<const vector::RoundedRowsOnDemand>()),
      inverted_(sections.dictionary,
                sections.by_document,
                sections.by_chunkset,
                sections.layout,
                *weighted_lengths_) {}

Segment make_segment(SegmentParts parts) {
    const auto owner = std::make_shared<const SegmentParts>(std::move(parts));
    return {owner->sections(), owner};
}

}  // namespace rootleaf::index
