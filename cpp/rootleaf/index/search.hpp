#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/index/view.hpp"

namespace rootleaf::index {

/// A question to a view. Borrowed for the call.
struct SearchRequest {
    std::string_view query;         ///< any text
    filter::Predicate predicate{};  ///< over metadata; an empty one holds for all
    /// The ids of the documents that may be in the answer, ascending; nothing where all may.
    std::optional<std::span<const std::uint64_t>> allowed_ids{};
    std::uint32_t top_k = 5;         ///< documents in the answer; 0 counts only
    std::uint32_t per_document = 3;  ///< chunksets of one document in the answer
};

/// The chunksets of an answer as columns: documents best first, and the chunksets of each best
/// first. A document is as good as its best chunkset. Ties go to the smaller path, then to the
/// earlier chunkset, then to the smaller id.
struct Ranking {
    std::vector<std::uint64_t> document_ids;
    std::vector<std::uint32_t> ordinals;  ///< of the chunkset in its document
    std::vector<double> scores;           ///< what it is ranked by: its coverage
    std::vector<double> bm25;
    std::vector<double> coverage;  ///< bm25 by the greatest that the query could reach, in 0..1
    std::uint64_t allowed_documents = 0;
    std::uint64_t allowed_chunksets = 0;
    std::uint64_t matched_documents = 0;
};

/// Answers as a view of one segment with only those documents would that are alive, allowed, and in
/// the predicate: hits, order, and every bit of the scores. Any query is legal; one without known
/// words matches nothing.
[[nodiscard]] Ranking search(const View& view, const SearchRequest& request);

}  // namespace rootleaf::index
