#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rootleaf::lexical {

/// A term of a document or chunkset, with its frequencies in the two fields that it has.
struct Frequency {
    std::uint32_t term;
    std::uint8_t first;   ///< name of a document, headings of a chunkset
    std::uint8_t second;  ///< front matter of a document, body of a chunkset
};

/// The documents or chunksets of one term, in ascending order, with the frequencies beside them.
struct Postings {
    std::span<const std::uint32_t> ordinals;
    std::span<const std::uint8_t> first;
    std::span<const std::uint8_t> second;
};

/// The postings of all terms, contiguous by term. Borrowed: holds while the arrays do.
struct PostingLists {
    std::span<const std::uint32_t> starts;  ///< by rank of the term, and one more: their number
    std::span<const std::uint32_t> ordinals;
    std::span<const std::uint8_t> first;
    std::span<const std::uint8_t> second;

    /// The postings of the term at `rank`; maybe none.
    [[nodiscard]] Postings at(std::uint32_t rank) const noexcept {
        const std::size_t start = starts[rank];
        const std::size_t count = starts[rank + 1] - start;
        return {ordinals.subspan(start, count), first.subspan(start, count),
                second.subspan(start, count)};
    }
};

/// Posting lists that own their arrays.
struct PostingParts {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> ordinals;
    std::vector<std::uint8_t> first;
    std::vector<std::uint8_t> second;

    [[nodiscard]] PostingLists lists() const noexcept { return {starts, ordinals, first, second}; }

    /// Makes room for the postings that `starts` counts, one place after the term's own; turns the
    /// counts into starts. Throws Error(too_large) from 2^32 - 1 postings on.
    void allocate(std::size_t total);
};

/// Turns rows round. `rows_of(i)` gives the frequencies of ordinal i, each term at most once;
/// `rank_of_term` the place of each term number in the dictionary.
template <typename RowsOf>
[[nodiscard]] PostingParts invert(std::uint32_t ordinal_count,
                                  std::span<const std::uint32_t> rank_of_term,
                                  RowsOf&& rows_of) {
    PostingParts parts;
    parts.starts.resize(rank_of_term.size() + 1);
    std::size_t total = 0;
    for (std::uint32_t ordinal = 0; ordinal < ordinal_count; ++ordinal) {
        for (const Frequency& row : rows_of(ordinal)) {
            ++parts.starts[rank_of_term[row.term] + 1];
            ++total;
        }
    }
    parts.allocate(total);
    std::vector<std::uint32_t> next(parts.starts.begin(), parts.starts.end() - 1);
    for (std::uint32_t ordinal = 0; ordinal < ordinal_count; ++ordinal) {
        for (const Frequency& row : rows_of(ordinal)) {
            const std::uint32_t at = next[rank_of_term[row.term]]++;
            parts.ordinals[at] = ordinal;
            parts.first[at] = row.first;
            parts.second[at] = row.second;
        }
    }
    return parts;
}

}  // namespace rootleaf::lexical
