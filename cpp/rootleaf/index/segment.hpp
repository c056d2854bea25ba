#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/base/string_list.hpp"
#include "rootleaf/filter/value_index.hpp"
#include "rootleaf/lexical/inverted_index.hpp"
#include "rootleaf/vector/matrix.hpp"
#include "rootleaf/vector/rounded_rows.hpp"

namespace rootleaf::index {

/// The flat arrays of a segment, wherever they lie. Documents stand in the order of their paths,
/// then of their ids; segment_check.hpp says what else holds between the arrays.
struct SegmentSections {
    std::span<const std::uint64_t> document_ids;
    StringList paths;  ///< by document
    lexical::Layout layout;
    StringList dictionary;  ///< distinct terms in the order of their bytes
    lexical::PostingLists by_document;
    lexical::PostingLists by_chunkset;
    filter::ValueIndex values;
    std::optional<vector::Matrix> vectors;  ///< a row for each chunkset, where there are any
};

/// Sections that own their arrays: what a builder or a merge makes a segment of.
struct SegmentParts {
    std::vector<std::uint64_t> document_ids;
    StringParts paths;
    lexical::LayoutParts layout;
    StringParts dictionary;
    lexical::PostingParts by_document;
    lexical::PostingParts by_chunkset;
    filter::ValueParts values;
    std::optional<vector::MatrixParts> vectors;

    [[nodiscard]] SegmentSections sections() const noexcept {
        SegmentSections sections{document_ids,      paths.list(),        layout.layout(),
                                 dictionary.list(), by_document.lists(), by_chunkset.lists(),
                                 values.index(),    std::nullopt};
        if (vectors) {
            sections.vectors = vectors->matrix();
        }
        return sections;
    }
};

/// An immutable slice of the index: documents in the order of their paths, the chunksets of each,
/// their terms, their metadata values, and
/// maybe their vectors. Any number of threads may read it. Copies share their
/// arrays.
class Segment {
public:
    /// @param owner  keeps the arrays of the sections alive
    Segment(const SegmentSections& sections, std::shared_ptr<const void> owner);

    [[nodiscard]] std::uint32_t document_count() const noexcept {
        return inverted_.layout().document_count();
    }
    [[nodiscard]] std::uint32_t chunkset_count() const noexcept {
        return inverted_.layout().chunkset_count();
    }

    /// The caller's ids, by document.
    [[nodiscard]] std::span<const std::uint64_t> document_ids() const noexcept {
        return sections_.document_ids;
    }
    /// Ascending by document, byte by byte; documents of one path by their ids.
    [[nodiscard]] std::string_view path(std::uint32_t document) const noexcept {
        return sections_.paths[document];
    }
    [[nodiscard]] const lexical::InvertedIndex& inverted() const noexcept { return inverted_; }
    [[nodiscard]] const filter::ValueIndex& values() const noexcept { return sections_.values; }
    /// The vectors of its chunksets, or null where there are none.
    [[nodiscard]] const vector::Matrix* vectors() const noexcept {
        return sections_.vectors ? &*sections_.vectors : nullptr;
    }

    /// The same rounded, once it pays to have them; null before, and where there are none.
    [[nodiscard]] const vector::RoundedRows* rounded_rows() const {
        return sections_.vectors ? rounded_rows_->of(*sections_.vectors) : nullptr;
    }

    [[nodiscard]] const SegmentSections& sections() const noexcept { return sections_; }

private:
    std::shared_ptr<const void> owner_;
    SegmentSections sections_;
    std::shared_ptr<const std::vector<double>> weighted_lengths_;
    std::shared_ptr<const vector::RoundedRowsOnDemand> rounded_rows_;
    lexical::InvertedIndex inverted_;
};

/// A segment over arrays that are already inverted and in order.
[[nodiscard]] Segment make_segment(SegmentParts parts);

}  // namespace rootleaf::index
