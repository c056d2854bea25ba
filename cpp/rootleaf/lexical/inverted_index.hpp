#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/base/string_list.hpp"
#include "rootleaf/lexical/posting_lists.hpp"
#include "rootleaf/lexical/term_table.hpp"

namespace rootleaf::lexical {

/// Words in the two fields of a document or of a chunkset, in the order of Frequency.
struct FieldLengths {
    std::uint32_t first;
    std::uint32_t second;

    friend bool operator==(const FieldLengths&, const FieldLengths&) = default;
};

/// Documents and chunksets by their canonical numbers: those of one document are consecutive.
/// Borrowed: holds while the arrays do.
struct Layout {
    std::span<const std::uint32_t>
        first_chunkset;  ///< by document, and one more: the number of chunksets
    std::span<const FieldLengths> document_lengths;
    std::span<const FieldLengths> chunkset_lengths;

    [[nodiscard]] std::uint32_t document_count() const noexcept {
        return static_cast<std::uint32_t>(document_lengths.size());
    }
    [[nodiscard]] std::uint32_t chunkset_count() const noexcept {
        return static_cast<std::uint32_t>(chunkset_lengths.size());
    }
};

/// A layout that owns its arrays.
struct LayoutParts {
    std::vector<std::uint32_t> first_chunkset{0};
    std::vector<FieldLengths> document_lengths;
    std::vector<FieldLengths> chunkset_lengths;

    /// Ends a document whose chunksets were appended to `chunkset_lengths`.
    void end_document(FieldLengths lengths) {
        document_lengths.push_back(lengths);
        first_chunkset.push_back(static_cast<std::uint32_t>(chunkset_lengths.size()));
    }

    [[nodiscard]] Layout layout() const noexcept {
        return {first_chunkset, document_lengths, chunkset_lengths};
    }
};

/// The terms of a table in the order of their bytes.
struct SortedTerms {
    StringParts dictionary;
    std::vector<std::uint32_t> ranks;  ///< the place of each term number
};

[[nodiscard]] SortedTerms sort_terms(const TermTable& terms);

/// Σ of field weight × field length, by chunkset.
[[nodiscard]] std::vector<double> weigh_lengths(const Layout& layout);

/// Terms in the order of their bytes, and where they stand. Borrowed: holds while the arrays do,
/// and any number of threads may read.
class InvertedIndex {
public:
    InvertedIndex() = default;
    /// @param dictionary        distinct terms in the order of their bytes
    /// @param weighted_lengths  weigh_lengths(layout)
    InvertedIndex(StringList dictionary,
                  PostingLists by_document,
                  PostingLists by_chunkset,
                  Layout layout,
                  std::span<const double> weighted_lengths) noexcept
        : dictionary_(dictionary),
          by_document_(by_document),
          by_chunkset_(by_chunkset),
          layout_(layout),
          weighted_lengths_(weighted_lengths) {}

    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }

    [[nodiscard]] std::uint32_t term_count() const noexcept { return dictionary_.size(); }

    /// The term at a place of the dictionary, below term_count().
    [[nodiscard]] std::string_view term(std::uint32_t rank) const noexcept {
        return dictionary_[rank];
    }

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
    StringList dictionary_;
    PostingLists by_document_;
    PostingLists by_chunkset_;
    Layout layout_;
    std::span<const double> weighted_lengths_;
};

}  // namespace rootleaf::lexical
