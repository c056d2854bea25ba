#pragma once

#include <cstdint>

#include "rootleaf/index/view.hpp"

namespace rootleaf::index {

/// A chunkset of a view, and what it is ranked by.
struct RankedChunkset {
    double score;
    std::uint32_t segment;   ///< in View::segments
    std::uint32_t document;  ///< in the segment
    std::uint32_t chunkset;  ///< in the segment
};

/// The one order of answers: the greater score, then the smaller path, byte by byte, then the
/// earlier place in the document, then the smaller id. It speaks of documents alone and not of
/// segments, so that it is the same however they are laid out.
class ByScoreThenPlace {
public:
    /// @param view  borrowed
    explicit ByScoreThenPlace(const View& view) noexcept : segments_(view.segments()) {}

    [[nodiscard]] bool operator()(const RankedChunkset& a, const RankedChunkset& b) const noexcept {
        return a.score != b.score ? a.score > b.score : stands_before(a, b);
    }

    [[nodiscard]] std::uint32_t ordinal(const RankedChunkset& ranked) const noexcept {
        return ranked.chunkset -
               segment(ranked).inverted().layout().first_chunkset[ranked.document];
    }

    [[nodiscard]] std::uint64_t document_id(const RankedChunkset& ranked) const noexcept {
        return segment(ranked).document_ids()[ranked.document];
    }

private:
    [[nodiscard]] const Segment& segment(const RankedChunkset& ranked) const noexcept {
        return segments_[ranked.segment].segment();
    }

    [[nodiscard]] bool stands_before(const RankedChunkset& a,
                                     const RankedChunkset& b) const noexcept {
        if (a.segment == b.segment && a.document == b.document) {
            return a.chunkset < b.chunkset;
        }
        const int paths = segment(a).path(a.document).compare(segment(b).path(b.document));
        if (paths != 0) {
            return paths < 0;
        }
        return ordinal(a) != ordinal(b) ? ordinal(a) < ordinal(b) : document_id(a) < document_id(b);
    }

    std::span<const LiveSegment> segments_;
};

}  // namespace rootleaf::index
