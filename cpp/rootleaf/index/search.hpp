#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/index/view.hpp"
#include "rootleaf/rank/fusion.hpp"
#include "rootleaf/rank/score_parts.hpp"

namespace rootleaf::index {

/// As many chunksets of one document are candidates of one list, or more where more are asked for:
/// so that one long document cannot use them up.
inline constexpr std::uint32_t kCandidatesPerDocument = 3;

/// A question to a view. Borrowed for the call.
// NOLINTBEGIN(readability-redundant-member-init): callers name only what they ask, and GCC would
// warn of members without an initializer.
struct SearchRequest {
    std::string_view query;         ///< any text
    filter::Predicate predicate{};  ///< over metadata; an empty one holds for all
    /// The ids of the documents that may be in the answer, ascending; nothing where all may.
    std::optional<std::span<const std::uint64_t>> allowed_ids{};
    std::uint32_t top_k = 5;         ///< documents in the answer; 0 counts only
    std::uint32_t per_document = 3;  ///< chunksets of one document in the answer
    /// Also tell ranks where they are not fused: which would double the time of a small search, and
    /// with a vector more.
    bool with_ranks = false;

    /// A unit vector of the question, compared with those of the chunksets; empty: by keyword
    /// alone, and what follows is not looked at.
    std::span<const float> query_vector{};
    rank::Fusion fusion = rank::Fusion::weighted;
    /// What the score is made of; empty: coverage and similarity, or their ranks, in equal shares.
    std::span<const rank::PartWeight> weights{};
    /// How many chunksets of each list are looked at; never fewer than would fill the answer.
    std::uint32_t candidates = 100;
};
// NOLINTEND(readability-redundant-member-init)

/// The chunksets of an answer as columns: documents best first, and the chunksets of each best
/// first. A document is as good as its best chunkset. Ties go to the smaller path, then to the
/// earlier chunkset, then to the smaller id.
struct Ranking {
    std::vector<std::uint64_t> document_ids;
    std::vector<std::uint32_t> ordinals;  ///< of the chunkset in its document
    std::vector<double> scores;           ///< what it is ranked by; above 0
    /// bm25, and coverage (the query's words, each once, by the greatest that they could weigh, in
    /// 0..1; see lexical/coverage.hpp); with a query vector similarity (0..1). Where ranks
    /// are asked for or fused, rank_keyword (by coverage) and, with a query vector, rank_vector:
    /// among all chunksets that are allowed.
    rank::ScoreParts parts{0};

    std::uint64_t allowed_documents = 0;
    std::uint64_t allowed_chunksets = 0;
    /// Allowed documents with a chunkset that has a term of the query, or a similarity above 0.
    std::uint64_t matched_documents = 0;
    std::uint64_t without_vector = 0;  ///< allowed chunksets that have none; 0 by keyword alone
    double best_coverage = 0.0;        ///< of all allowed chunksets
    double best_similarity = 0.0;      ///< of all allowed chunksets
    /// Allowed chunksets in which the query's rarest identifier stands; 0 where none does. See
    /// lexical/identifier_frequency.hpp.
    std::uint64_t rarest_identifier = 0;
};

/// Answers as a view of one segment with only those documents would that are alive, allowed, and in
/// the predicate: hits, order, and every bit of the scores. Any query is legal.
///
/// By keyword alone a chunkset scores its coverage, and every match is ranked. With a query vector
/// both measures are computed for the union of the best `candidates` of either list, of which one
/// document has at most kCandidatesPerDocument, and fused; both lists are exact.
///
/// Throws Error(invalid_input) for a query vector that is no unit vector or of another dimension
/// than those of the view, and for weights that `rank::fuse` refuses.
[[nodiscard]] Ranking search(const View& view, const SearchRequest& request);

/// The rankings of many questions to one view, in their order, each as `search` gives it.
///
/// @param thread_count  how many threads work on them at once, the caller's among them
[[nodiscard]] std::vector<Ranking> search_many(const View& view,
                                               std::span<const SearchRequest> requests,
                                               std::uint32_t thread_count);

}  // namespace rootleaf::index
