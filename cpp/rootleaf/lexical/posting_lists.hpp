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

/// The postings of all terms, contiguous by term.
class PostingLists {
public:
    PostingLists() = default;

    /// Turns rows round. `rows_of(i)` gives the frequencies of ordinal i, each term at most once;
    /// `rank_of_term` the place of each term number in the dictionary.
    template <typename RowsOf>
    PostingLists(std::uint32_t ordinal_count,
                 std::span<const std::uint32_t> rank_of_term,
                 RowsOf&& rows_of)
        : starts_(rank_of_term.size() + 1) {
        std::size_t total = 0;
        for (std::uint32_t ordinal = 0; ordinal < ordinal_count; ++ordinal) {
            for (const Frequency& row : rows_of(ordinal)) {
                ++starts_[rank_of_term[row.term] + 1];
                ++total;
            }
        }
        allocate(total);
        std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
        for (std::uint32_t ordinal = 0; ordinal < ordinal_count; ++ordinal) {
            for (const Frequency& row : rows_of(ordinal)) {
                const std::uint32_t at = next[rank_of_term[row.term]]++;
                ordinals_[at] = ordinal;
                first_[at] = row.first;
                second_[at] = row.second;
            }
        }
    }

    /// The postings of the term at `rank`; maybe none.
    [[nodiscard]] Postings at(std::uint32_t rank) const noexcept;

private:
    void allocate(std::size_t total);

    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> ordinals_;
    std::vector<std::uint8_t> first_;
    std::vector<std::uint8_t> second_;
};

}  // namespace rootleaf::lexical
