#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rootleaf/lexical/fields.hpp"
#include "rootleaf/lexical/inverted_index.hpp"

namespace rootleaf::lexical {

/// What BM25 has to know of a set of documents, as integers: sums of them are exact, so that they
/// do not depend on how documents are spread over segments, nor on what was added or removed
/// before. Only `average_length` makes a real number of them, once for all segments.
struct Totals {
    std::uint64_t document_count = 0;
    std::uint64_t chunkset_count = 0;
    /// Words in each field, in the order of Field, over all chunksets: those of a document count
    /// for each of its chunksets.
    std::array<std::uint64_t, kFieldCount> words{};

    Totals& operator+=(const Totals& other) noexcept;
    /// `other` is of documents that were counted.
    Totals& operator-=(const Totals& other) noexcept;
    friend bool operator==(const Totals&, const Totals&) = default;

    /// Weighted words of a chunkset in the mean; 0 without chunksets.
    [[nodiscard]] double average_length() const noexcept;
};

/// Of one document.
[[nodiscard]] Totals totals_of(const Layout& layout, std::uint32_t document) noexcept;

/// @param chosen  one byte per document, not 0 where it counts; or empty: all do
[[nodiscard]] Totals totals_of(const Layout& layout, std::span<const std::uint8_t> chosen) noexcept;

}  // namespace rootleaf::lexical
