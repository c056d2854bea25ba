#include "rootleaf/index/live.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rootleaf::index {

std::span<const std::uint64_t> DocumentLookup::sorted_ids() const {
    std::call_once(made_, [this] {
        if (std::is_sorted(ids_.begin(), ids_.end())) {
            return;
        }
        documents_.resize(ids_.size());
        std::iota(documents_.begin(), documents_.end(), 0U);
        std::sort(documents_.begin(), documents_.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return ids_[a] < ids_[b]; });
        sorted_ids_.reserve(ids_.size());
        for (const std::uint32_t document : documents_) {
            sorted_ids_.push_back(ids_[document]);
        }
    });
    return documents_.empty() ? ids_ : std::span<const std::uint64_t>(sorted_ids_);
}

std::size_t DocumentLookup::lower_bound(std::uint64_t id, std::size_t first) const noexcept {
    const std::span<const std::uint64_t> sorted =
        documents_.empty() ? ids_ : std::span<const std::uint64_t>(sorted_ids_);
    return static_cast<std::size_t>(
        std::lower_bound(sorted.begin() + static_cast<std::ptrdiff_t>(first), sorted.end(), id) -
        sorted.begin());
}

LiveSegment::LiveSegment(Segment segment)
    : LiveSegment(std::make_shared<const Segment>(std::move(segment)), {}) {}

LiveSegment::LiveSegment(std::shared_ptr<const Segment> segment, std::span<const std::uint8_t> live)
    : segment_(std::move(segment)),
      lookup_(std::make_shared<const DocumentLookup>(segment_->document_ids())),
      live_(live.empty()
                ? nullptr
                : std::make_shared<const std::vector<std::uint8_t>>(live.begin(), live.end())),
      totals_(lexical::totals_of(segment_->inverted().layout(), live)) {
    for (std::uint32_t document = 0; document < segment_->document_count(); ++document) {
        if (segment_->vectors() != nullptr && is_live(document)) {
            vector_count_ += count_vectors(document);
        }
    }
}

std::uint64_t LiveSegment::count_vectors(std::uint32_t document) const noexcept {
    const vector::Matrix* const vectors = segment_->vectors();
    if (vectors == nullptr) {
        return 0;
    }
    const std::span<const std::uint32_t> first_chunkset =
        segment_->inverted().layout().first_chunkset;
    std::uint64_t count = 0;
    for (std::uint32_t c = first_chunkset[document]; c < first_chunkset[document + 1]; ++c) {
        count += vectors->has(c) ? 1U : 0U;
    }
    return count;
}

LiveSegment LiveSegment::without(std::span<const std::uint64_t> ids) const {
    LiveSegment remaining = *this;
    std::shared_ptr<std::vector<std::uint8_t>> live;
    lookup_->each(ids, [&](std::uint32_t document) {
        if (!is_live(document)) {
            return;
        }
        if (live == nullptr) {
            live = live_ == nullptr
                       ? std::make_shared<std::vector<std::uint8_t>>(segment_->document_count(), 1)
                       : std::make_shared<std::vector<std::uint8_t>>(*live_);
            remaining.live_ = live;
        }
        if ((*live)[document] != 0) {
            (*live)[document] = 0;
            remaining.totals_ -= lexical::totals_of(segment_->inverted().layout(), document);
            remaining.vector_count_ -= count_vectors(document);
        }
    });
    return remaining;
}

}  // namespace rootleaf::index
