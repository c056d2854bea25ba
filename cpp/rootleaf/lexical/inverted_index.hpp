#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/lexical/posting_lists.hpp"
#include "rootleaf/lexical/term_table.hpp"

namespace rootleaf::lexical {

/// Words in the two fields of a document or of a chunkset, in the order of Frequency.
struct FieldLengths {
    std::uint32_t first;
    std::uint32_t second;
};

/// Documents and chunksets by their canonical numbers: those of one document are consecutive.
struct Layout {
    std::vector<std::uint32_t>
        first_chunkset;  ///< by document, and one more: the number of chunksets
    std::vector<FieldLengths> document_lengths;
    std::vector<FieldLengths> chunkset_lengths;

    [[nodiscard]] std::uint32_t document_count() const noexcept {
        return static_cast<std::uint32_t>(document_lengths.size());
    }
    [[nodiscard]] std::uint32_t chunkset_count() const noexcept {
        return static_cast<std::uint32_t>(chunkset_lengths.size());
    }
};

/// Terms in the order of their bytes, and where they stand. Immutable; any number of threads may
/// read.
class InvertedIndex {
public:
    /// Turns rows round: `document_rows(d)` and `chunkset_rows(c)` give spans of Frequency whose
    /// term numbers are those of `terms`.
    template <typename DocumentRows, typename ChunksetRows>
    InvertedIndex(const TermTable& terms,
                  Layout layout,
                  DocumentRows&& document_rows,
                  ChunksetRows&& chunkset_rows)
        : layout_(std::move(layout)) {
        const std::vector<std::uint32_t> ranks = sort_terms(terms);
        by_document_ = PostingLists(layout_.document_count(), ranks, document_rows);
        by_chunkset_ = PostingLists(layout_.chunkset_count(), ranks, chunkset_rows);
        weigh_lengths();
    }

    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }

    /// The place of a term in the dictionary.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view wanted) const noexcept;

    [[nodiscard]] Postings documents_of(std::uint32_t rank) const noexcept {
        return by_document_.at(rank);
    }
    [[nodiscard]] Postings chunksets_of(std::uint32_t rank) const noexcept {
        return by_chunkset_.at(rank);
    }

    /// Σ of field weight × field length, by chunkset.
    [[nodiscard]] std::span<const double> weighted_lengths() const noexcept {
        return weighted_lengths_;
    }

private:
    /// Fills the dictionary; gives the rank of each number.
    std::vector<std::uint32_t> sort_terms(const TermTable& terms);
    void weigh_lengths();
    [[nodiscard]] std::string_view term(std::uint32_t rank) const noexcept;

    Layout layout_;
    std::string term_bytes_;
    std::vector<std::uint32_t> term_ends_;
    PostingLists by_document_;
    PostingLists by_chunkset_;
    std::vector<double> weighted_lengths_;
};

}  // namespace rootleaf::lexical
