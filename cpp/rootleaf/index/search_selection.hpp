#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/index/view.hpp"
#include "rootleaf/lexical/bm25.hpp"

namespace rootleaf::index {

/// The documents of a view that may be in an answer: alive, in the predicate, and among the ids
/// that the caller allows. The view is borrowed.
class Selection {
public:
    /// @param allowed_ids  ascending; nothing where all are allowed. Ids of no document are passed
    ///                     over.
    Selection(const View& view,
              const filter::Predicate& predicate,
              const std::optional<std::span<const std::uint64_t>>& allowed_ids);

    /// By segment of the view.
    [[nodiscard]] std::span<const lexical::Slice> slices() const noexcept { return slices_; }

    /// Of the selected documents: exact, and the same for the same documents in any layout.
    [[nodiscard]] const lexical::Totals& totals() const noexcept { return totals_; }

private:
    std::vector<std::vector<std::uint8_t>> masks_;  // by chunkset: what slices_ refers to
    std::vector<lexical::Slice> slices_;
    lexical::Totals totals_;
};

}  // namespace rootleaf::index
