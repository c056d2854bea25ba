#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rootleaf/index/segment.hpp"

namespace rootleaf::index {

/// What is wrong with the arrays of a segment, or nothing: then every accessor, search and merge
/// stays within them, whoever made them. Linear in their size, a few array reads an element.
///
/// It holds them to all that is promised of them: lengths that agree, ends and starts that ascend
/// and stay in range, documents in the order of path and id, terms, keys and values distinct and in
/// the order of their bytes, ordinals ascending and in range, no posting without a frequency, and a
/// vector or none for each chunkset, as vector::find_fault wants them.
[[nodiscard]] std::optional<std::string_view> find_fault(const SegmentSections& sections) noexcept;

}  // namespace rootleaf::index
