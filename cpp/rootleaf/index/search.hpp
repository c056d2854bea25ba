#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/index/segment.hpp"

namespace rootleaf::index {

struct SearchOptions {
    std::uint32_t top_k = 5;         ///< documents in the answer; 0 counts only
    std::uint32_t per_document = 3;  ///< chunksets of one document in the answer
};

/// The chunksets of an answer as columns: documents best first, and the chunksets of each best
/// first. A document is as good as its best chunkset; ties go to the smaller path, then to the
/// earlier chunkset.
struct Ranking {
    std::vector<std::uint64_t> document_ids;
    std::vector<std::uint32_t> ordinals;  ///< of the chunkset in its document
    std::vector<double> bm25;
    std::vector<double> coverage;  ///< bm25 by the greatest that the query could reach, in 0..1
    std::uint64_t allowed_documents = 0;
    std::uint64_t allowed_chunksets = 0;
    std::uint64_t matched_documents = 0;
};

/// Answers as a segment of only those documents would that the predicate holds for: hits, order,
/// scores. Any query is legal; one without known words matches nothing.
[[nodiscard]] Ranking search(const Segment& segment,
                             std::string_view query,
                             const filter::Predicate& predicate,
                             const SearchOptions& options);

}  // namespace rootleaf::index
