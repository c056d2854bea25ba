#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/render/cheatsheet.hpp"
#include "rootleaf/render/prepared_document.hpp"

namespace rootleaf::render {

/// A document of an answer with its chunksets that count, best first. Borrows all of it.
struct HitPassages {
    const PreparedDocument* document;
    std::span<const std::uint32_t> ordinals;
    std::span<const double> coverages;  ///< of each chunkset; which of two documents comes first
    std::optional<std::string_view> cite_path;
};

/// Renders the hits of an answer, in their order.
///
/// With a budget all cheatsheets together take fewer tokens than it: the best chunksets of all
/// documents first (ties by document, then by place), while there is room.
/// Throws Error(invalid_input) for an ordinal that is not there, or a coverage too many or too few.
[[nodiscard]] std::vector<Cheatsheet> render_hits(std::span<const HitPassages> hits,
                                                  std::optional<std::string_view> query,
                                                  std::optional<std::uint64_t> budget_tokens);

/// The smallest budget that shows something, where `too_few_tokens` shows nothing.
/// Throws as render_hits does, and if no hit has a chunkset.
[[nodiscard]] std::uint64_t least_budget(std::span<const HitPassages> hits,
                                         std::optional<std::string_view> query,
                                         std::uint64_t too_few_tokens);

}  // namespace rootleaf::render
