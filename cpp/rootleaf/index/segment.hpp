#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/filter/value_index.hpp"
#include "rootleaf/lexical/inverted_index.hpp"

namespace rootleaf::index {

/// An immutable slice of the index: documents in the order of their paths, the chunksets of each,
/// their terms, and their metadata values. Any number of threads may read it.
class Segment {
public:
    Segment(std::vector<std::uint64_t> document_ids,
            lexical::InvertedIndex inverted,
            filter::ValueIndex values)
        : document_ids_(std::move(document_ids)),
          inverted_(std::move(inverted)),
          values_(std::move(values)) {}

    [[nodiscard]] std::uint32_t document_count() const noexcept {
        return inverted_.layout().document_count();
    }
    [[nodiscard]] std::uint32_t chunkset_count() const noexcept {
        return inverted_.layout().chunkset_count();
    }

    /// The caller's ids, by document.
    [[nodiscard]] const std::vector<std::uint64_t>& document_ids() const noexcept {
        return document_ids_;
    }
    [[nodiscard]] const lexical::InvertedIndex& inverted() const noexcept { return inverted_; }
    [[nodiscard]] const filter::ValueIndex& values() const noexcept { return values_; }

private:
    std::vector<std::uint64_t> document_ids_;
    lexical::InvertedIndex inverted_;
    filter::ValueIndex values_;
};

}  // namespace rootleaf::index
