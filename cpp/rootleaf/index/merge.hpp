#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rootleaf/index/live.hpp"

namespace rootleaf::index {

/// One segment of the documents that are alive in these, the same in every array as one built of
/// their texts at once. Works on postings and vectors alone, in time linear in what the segments
/// hold, times the logarithm of their number. Their vectors have one dimension.
[[nodiscard]] Segment merge_segments(std::span<const LiveSegment> segments);

/// What a segment counts in the policy below: its live documents and their chunksets.
[[nodiscard]] std::uint64_t merge_size(const LiveSegment& segment) noexcept;

/// Where the tail begins that is to become one segment, so that afterwards each segment is larger
/// than all behind it together; `sizes.size()` where that holds already.
///
/// There are then at most log2(n) + 1 segments of a total size n. What it costs: a segment is
/// merged when those behind it are together as large, so what is written again lies in a segment at
/// least twice as large as before. One document after the other, each is written at most
/// log2(n) + 1 times; a removal makes room for at most as much again as it took away.
/// Source: Bentley and Saxe, "Decomposable searching problems I: static-to-dynamic
/// transformation", 1980.
[[nodiscard]] std::size_t first_to_merge(std::span<const std::uint64_t> sizes) noexcept;

/// Whether a segment has more dead than alive, so that writing it again is paid for by the removals
/// and a search passes over at most as much dead as it reads.
[[nodiscard]] bool is_mostly_dead(const LiveSegment& segment) noexcept;

}  // namespace rootleaf::index
