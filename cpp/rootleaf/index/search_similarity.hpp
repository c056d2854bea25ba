#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/base/reused_array.hpp"
#include "rootleaf/index/search_selection.hpp"
#include "rootleaf/index/view.hpp"
#include "rootleaf/vector/rounded_rows.hpp"

namespace rootleaf::index {

/// Which similarities a search looks at.
struct SimilarityList {
    bool all = false;  ///< every one: nothing below is looked at
    std::size_t limit = 0;
    std::size_t per_document = 0;
};

/// The similarity of every selected chunkset to a vector of the question, 0..1; 0 for the others
/// and for those without a vector. Each is exact, however it is found: a scan of rounded rows tells
/// first which of them cannot be in the list, and these are compared when one is asked for. View,
/// selection and vector are borrowed.
class Similarities {
public:
    /// Throws Error(invalid_input) where the vector is no unit vector, or of another dimension than
    /// those of the view.
    Similarities(const View& view,
                 const Selection& selection,
                 std::span<const float> query_vector,
                 const SimilarityList& list);

    /// Selected chunksets without a vector.
    [[nodiscard]] std::uint64_t without_vector() const noexcept { return without_vector_; }
    /// The greatest of all.
    [[nodiscard]] float best() const noexcept { return best_; }

    [[nodiscard]] float of(std::uint32_t segment, std::uint32_t chunkset) const;
    /// Of one that may be in the list that was asked for, else 0.
    [[nodiscard]] float listed(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        const float similarity = at(segment, chunkset);
        return similarity >= 0.0F ? similarity : 0.0F;
    }
    /// Whether any of the chunksets has one above 0.
    [[nodiscard]] bool has_any(std::uint32_t segment, std::uint32_t first, std::uint32_t end) const;
    /// Of a segment, by chunkset: where all were asked for, all; else below 0 where it is not
    /// known.
    [[nodiscard]] std::span<const float> all(std::uint32_t segment) const noexcept {
        return similarities_.span().subspan(starts_[segment],
                                            starts_[segment + 1] - starts_[segment]);
    }

private:
    [[nodiscard]] float at(std::uint32_t segment, std::uint32_t chunkset) const noexcept {
        return similarities_.span()[starts_[segment] + chunkset];
    }
    [[nodiscard]] std::span<float> places(std::uint32_t segment) noexcept {
        return similarities_.span().subspan(starts_[segment],
                                            starts_[segment + 1] - starts_[segment]);
    }
    [[nodiscard]] float exact(std::uint32_t segment, std::uint32_t chunkset) const;
    void bound(std::uint32_t segment,
               const vector::RoundedRows& rows,
               std::span<const std::uint8_t> allowed);
    [[nodiscard]] float list_least(const SimilarityList& list) const;
    void compare_from(float least);

    std::span<const LiveSegment> segments_;
    vector::QueryVector query_;
    vector::RoundedQuery rounded_;
    std::vector<std::size_t> starts_;  // of each segment in the arrays, and their end
    /// Those that are known. One that is not is below 0: the negative of what it is at most.
    ReusedArray<float> similarities_;
    /// What each is at least, in the segments that are bounded; empty where none is.
    ReusedArray<float> least_;
    std::vector<bool> is_bounded_;  // by segment
    std::uint64_t without_vector_ = 0;
    float best_ = 0.0F;
};

}  // namespace rootleaf::index
