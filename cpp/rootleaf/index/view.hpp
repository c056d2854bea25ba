#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rootleaf/index/live.hpp"

namespace rootleaf::index {

/// What can be searched at one moment: segments, which of their documents are alive, and exact
/// totals over those. No document is alive in two segments. Immutable; any number of threads may
/// read, and it stays as it is while a collection goes on.
class View {
public:
    View() = default;
    explicit View(std::vector<LiveSegment> segments) : segments_(std::move(segments)) {
        for (const LiveSegment& segment : segments_) {
            totals_ += segment.totals();
            vector_count_ += segment.vector_count();
        }
    }

    [[nodiscard]] std::span<const LiveSegment> segments() const noexcept { return segments_; }

    /// Of the documents alive.
    [[nodiscard]] const lexical::Totals& totals() const noexcept { return totals_; }
    [[nodiscard]] std::uint64_t document_count() const noexcept { return totals_.document_count; }
    [[nodiscard]] std::uint64_t chunkset_count() const noexcept { return totals_.chunkset_count; }

    /// Chunksets that have no vector.
    [[nodiscard]] std::uint64_t without_vector() const noexcept {
        return chunkset_count() - vector_count_;
    }
    /// The width of its vectors; 0 where no chunkset alive has one. Segments may still hold vectors
    /// of removed documents, of whatever width.
    [[nodiscard]] std::uint32_t dimension() const noexcept {
        for (const LiveSegment& segment : segments_) {
            if (segment.vector_count() > 0) {
                return segment.segment().vectors()->dimension();
            }
        }
        return 0;
    }

private:
    std::vector<LiveSegment> segments_;
    lexical::Totals totals_;
    std::uint64_t vector_count_ = 0;
};

}  // namespace rootleaf::index
