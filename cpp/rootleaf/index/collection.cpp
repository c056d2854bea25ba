#include "rootleaf/index/collection.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/index/merge.hpp"

namespace rootleaf::index {

std::shared_ptr<const View> Collection::view() const {
    const std::scoped_lock lock(pointing_);
    return view_;
}

void Collection::add(Segment batch) {
    std::vector<std::uint64_t> ids(batch.document_ids().begin(), batch.document_ids().end());
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) {
        throw Error(ErrorCode::invalid_input,
                    "document " + std::to_string(*twice) + " stands twice in one batch");
    }
    LiveSegment added(std::move(batch));
    const std::scoped_lock lock(writing_);
    Segments segments = without(ids);
    std::erase_if(segments, [](const LiveSegment& segment) { return merge_size(segment) == 0; });
    const std::uint32_t dimension = View(segments).dimension();
    const std::uint32_t added_dimension = View({added}).dimension();
    if (dimension != 0 && added_dimension != 0 && added_dimension != dimension) {
        throw Error(ErrorCode::invalid_input,
                    "the vectors of a batch have " + std::to_string(added_dimension) +
                        " elements, and those of the collection " + std::to_string(dimension));
    }
    segments.push_back(std::move(added));
    settle(std::move(segments));
}

std::uint64_t Collection::remove(std::vector<std::uint64_t> ids) {
    std::sort(ids.begin(), ids.end());
    const std::scoped_lock lock(writing_);
    const std::uint64_t before = view_->document_count();
    Segments segments = without(ids);
    std::uint64_t after = 0;
    for (const LiveSegment& segment : segments) {
        after += segment.totals().document_count;
    }
    if (after < before) {
        settle(std::move(segments));
    }
    return before - after;
}

void Collection::merge() {
    const std::scoped_lock lock(writing_);
    const std::span<const LiveSegment> segments = view_->segments();
    if (segments.size() > 1 || (segments.size() == 1 && !segments.front().live().empty())) {
        show({LiveSegment(merge_segments(segments))});
    }
}

Collection::Segments Collection::without(std::span<const std::uint64_t> ascending_ids) const {
    Segments segments;
    segments.reserve(view_->segments().size() + 1);
    for (const LiveSegment& segment : view_->segments()) {
        segments.push_back(segment.without(ascending_ids));
    }
    return segments;
}

void Collection::settle(Segments segments) {
    std::erase_if(segments, [](const LiveSegment& segment) { return merge_size(segment) == 0; });
    std::vector<std::uint64_t> sizes;
    sizes.reserve(segments.size());
    for (const LiveSegment& segment : segments) {
        sizes.push_back(merge_size(segment));
    }
    const auto first = segments.begin() + static_cast<std::ptrdiff_t>(first_to_merge(sizes));
    for (auto segment = segments.begin(); segment != first; ++segment) {
        if (is_mostly_dead(*segment)) {
            *segment = LiveSegment(merge_segments({&*segment, 1}));
        }
    }
    if (first != segments.end()) {
        LiveSegment merged(
            merge_segments({&*first, static_cast<std::size_t>(segments.end() - first)}));
        segments.erase(first, segments.end());
        segments.push_back(std::move(merged));
    }
    show(std::move(segments));
}

void Collection::show(Segments segments) {
    auto next = std::make_shared<const View>(std::move(segments));
    const std::scoped_lock lock(pointing_);
    view_.swap(next);
}  // the lock goes before `next`, the view of before, which may be the last hold on its segments

}  // namespace rootleaf::index
