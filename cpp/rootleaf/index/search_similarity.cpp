#include "rootleaf/index/search_similarity.hpp"

#include <algorithm>
#include <functional>

#include "rootleaf/index/search_candidates.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/vector/scan.hpp"

namespace rootleaf::index {

namespace {

/// The vectors of a segment; nothing where only removed documents have any, which may be of another
/// width than those of the view.
const vector::Matrix* vectors_alive(const LiveSegment& live) noexcept {
    return live.vector_count() > 0 ? live.segment().vectors() : nullptr;
}

std::uint64_t count_without(const vector::Matrix* vectors,
                            std::span<const std::uint8_t> allowed,
                            std::uint32_t chunkset_count) {
    std::uint64_t count = 0;
    for (std::uint32_t c = 0; c < chunkset_count; ++c) {
        const bool is_allowed = allowed.empty() || allowed[c] != 0;
        count += is_allowed && (vectors == nullptr || !vectors->has(c)) ? 1U : 0U;
    }
    return count;
}

}  // namespace

Similarities::Similarities(const View& view,
                           const Selection& selection,
                           std::span<const float> query_vector,
                           const SimilarityList& list)
    : segments_(view.segments()),
      query_(query_vector),
      rounded_(query_),
      is_bounded_(segments_.size(), false) {
    starts_.push_back(0);
    for (const LiveSegment& live : segments_) {
        starts_.push_back(starts_.back() + live.segment().chunkset_count());
    }
    similarities_ = ReusedArray<float>(starts_.back());
    for (std::uint32_t s = 0; s < segments_.size(); ++s) {
        const std::span<const std::uint8_t> allowed = selection.slices()[s].allowed;
        const vector::Matrix* const vectors = vectors_alive(segments_[s]);
        without_vector_ += count_without(vectors, allowed, segments_[s].segment().chunkset_count());
        if (vectors == nullptr) {
            std::ranges::fill(places(s), 0.0F);
            continue;
        }
        const vector::RoundedRows* const rows =
            list.all || vectors->dimension() != query_.dimension()
                ? nullptr
                : segments_[s].segment().rounded_rows();
        if (rows == nullptr) {
            vector::scan(*vectors, query_, allowed, places(s));
        } else {
            bound(s, *rows, allowed);
        }
    }
    if (!least_.span().empty()) {
        compare_from(list_least(list));
    }
    for (const float similarity : similarities_.span()) {
        best_ = similarity > best_ ? similarity : best_;
    }
}

void Similarities::bound(std::uint32_t segment,
                         const vector::RoundedRows& rows,
                         std::span<const std::uint8_t> allowed) {
    if (least_.span().empty()) {
        least_ = ReusedArray<float>(starts_.back());
    }
    is_bounded_[segment] = true;
    const vector::Matrix& vectors = *segments_[segment].segment().vectors();
    const std::span<float> estimates = places(segment);
    float* const least = least_.data() + starts_[segment];
    rows.estimate(rounded_, 0, estimates);
    for (std::uint32_t c = 0; c < estimates.size(); ++c) {
        const float margin = rows.margin(rounded_, c);
        const float most = estimates[c] + margin;
        const bool is_open = most > 0.0F && vectors.has(c) && (allowed.empty() || allowed[c] != 0);
        least[c] = is_open ? estimates[c] - margin : 0.0F;
        estimates[c] = is_open ? -most : 0.0F;
    }
}

/// What a similarity that is not known must reach to be in the list: as many of the list are at
/// least that. The j-th greatest of what those of a document are at least is less than the j-th
/// greatest of them, so that the bounds are cut to `per_document` as the list itself is.
float Similarities::list_least(const SimilarityList& list) const {
    rank::TopK<float, std::greater<>> greatest(std::max<std::size_t>(list.limit, 1), {});
    const std::size_t per_document = std::max<std::size_t>(list.per_document, 1);
    std::vector<float> own;
    for (std::uint32_t s = 0; s < segments_.size(); ++s) {
        const float* const known = similarities_.span().data() + starts_[s];
        const float* const least = is_bounded_[s] ? least_.span().data() + starts_[s] : nullptr;
        each_document(segments_[s].segment(), [&](std::uint32_t /*document*/, std::uint32_t first,
                                                  std::uint32_t end) {
            const float bar = greatest.bar() == nullptr ? 0.0F : *greatest.bar();
            own.clear();
            for (std::uint32_t c = first; c < end; ++c) {
                const float at_least = known[c] < 0.0F ? least[c] : known[c];
                if (at_least > bar) {
                    own.push_back(at_least);
                }
            }
            if (own.size() > per_document) {
                std::ranges::nth_element(
                    own, own.begin() + static_cast<std::ptrdiff_t>(per_document), std::greater{});
                own.resize(per_document);
            }
            for (const float at_least : own) {
                greatest.offer(at_least);
            }
        });
    }
    return greatest.bar() == nullptr ? 0.0F : *greatest.bar();
}

/// Finds out all that may be `least` or more.
void Similarities::compare_from(float least) {
    for (std::uint32_t s = 0; s < segments_.size(); ++s) {
        if (is_bounded_[s]) {
            const std::span<float> similarities = places(s);
            for (std::uint32_t c = 0; c < similarities.size(); ++c) {
                if (similarities[c] < 0.0F && -similarities[c] >= least) {
                    similarities[c] = exact(s, c);
                }
            }
        }
    }
}

float Similarities::exact(std::uint32_t segment, std::uint32_t chunkset) const {
    float similarity = 0.0F;
    vector::scan(*segments_[segment].segment().vectors(), query_, std::span(&chunkset, 1),
                 std::span(&similarity, 1));
    return similarity;
}

float Similarities::of(std::uint32_t segment, std::uint32_t chunkset) const {
    const float known = at(segment, chunkset);
    return known < 0.0F ? exact(segment, chunkset) : known;
}

bool Similarities::has_any(std::uint32_t segment, std::uint32_t first, std::uint32_t end) const {
    const std::span<const float> known = all(segment);
    for (std::uint32_t c = first; c < end; ++c) {
        if (known[c] > 0.0F || (known[c] < 0.0F && least_.span()[starts_[segment] + c] > 0.0F)) {
            return true;
        }
    }
    for (std::uint32_t c = first; c < end; ++c) {
        if (known[c] < 0.0F && exact(segment, c) > 0.0F) {
            return true;
        }
    }
    return false;
}

}  // namespace rootleaf::index
