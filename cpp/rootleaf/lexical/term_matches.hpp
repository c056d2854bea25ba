#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/lexical/inverted_index.hpp"

namespace rootleaf::lexical {

/// A chunkset that a term stands in, and its weighted frequency there, which is above 0.
struct Match {
    std::uint32_t chunkset;
    double frequency;
};

/// Finds the chunksets of one term after the other: postings of documents are spread over their
/// chunksets, and joined with the chunksets' own.
class MatchFinder {
public:
    /// @param allowed  one byte per document, not 0 where it is looked at; or empty: all are
    MatchFinder(const InvertedIndex& index, std::span<const std::uint8_t> allowed)
        : index_(&index), first_chunkset_(index.layout().first_chunkset), allowed_(allowed) {}

    /// In ascending order; holds until the next call.
    std::span<const Match> find(std::uint32_t rank);

private:
    [[nodiscard]] bool is_allowed(std::uint32_t document) const noexcept {
        return allowed_.empty() || allowed_[document] != 0;
    }

    void add_own_before(std::uint32_t end);
    void add_document(std::uint32_t document, std::uint8_t name, std::uint8_t front_matter);

    const InvertedIndex* index_;
    std::span<const std::uint32_t> first_chunkset_;
    std::span<const std::uint8_t> allowed_;
    std::vector<Match> matches_;
    Postings own_;
    std::size_t at_ = 0;
    std::uint32_t document_ = 0;
};

}  // namespace rootleaf::lexical
