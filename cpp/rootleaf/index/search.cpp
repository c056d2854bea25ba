#include "rootleaf/index/search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rootleaf/base/parallel.hpp"
#include "rootleaf/index/search_candidates.hpp"
#include "rootleaf/index/search_measures.hpp"
#include "rootleaf/index/search_order.hpp"
#include "rootleaf/index/search_selection.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::index {

namespace {

using Chunksets = std::vector<RankedChunkset>;
using Best = rank::TopK<RankedChunkset, ByScoreThenPlace>;

constexpr std::array<rank::PartWeight, 2> kEqualMeasures = {
    {{rank::kCoverage, 0.5}, {rank::kSimilarity, 0.5}}};
constexpr std::array<rank::PartWeight, 2> kEqualRanks = {
    {{rank::kRankKeyword, 1.0}, {rank::kRankVector, 1.0}}};

/// The greatest of some numbers of a list, and no less than 0. Two maxima at once: each waits for
/// the one before.
template <typename Number>
Number greatest(std::span<const Number> numbers, std::uint32_t first, std::uint32_t end) noexcept {
    Number even{0};
    Number odd{0};
    std::uint32_t i = first;
    for (; i + 1 < end; i += 2) {
        even = numbers[i] > even ? numbers[i] : even;
        odd = numbers[i + 1] > odd ? numbers[i + 1] : odd;
    }
    if (i < end) {
        even = numbers[i] > even ? numbers[i] : even;
    }
    return std::max(even, odd);
}

/// Takes the chunksets over, in their order.
void fill(Ranking& ranking, const ByScoreThenPlace& order, const Chunksets& chunksets) {
    for (const RankedChunkset& chunkset : chunksets) {
        ranking.document_ids.push_back(order.document_id(chunkset));
        ranking.ordinals.push_back(order.ordinal(chunkset));
        ranking.scores.push_back(chunkset.score);
    }
}

void rank_by_keyword(const View& view,
                     const SearchRequest& request,
                     const Measures& measures,
                     Ranking& ranking) {
    const ByScoreThenPlace order(view);
    Best documents(std::min<std::size_t>(request.top_k, ranking.allowed_documents), order);
    const lexical::Scores& keyword = measures.keyword();
    for (std::uint32_t segment = 0; segment < view.segments().size(); ++segment) {
        const std::span<const double> sums = keyword.sums(segment);
        each_document(view.segments()[segment].segment(),
                      [&](std::uint32_t document, std::uint32_t first, std::uint32_t end) {
                          const double sum = greatest(sums, first, end);
                          if (sum > 0.0) {
                              const double coverage = keyword.coverage_of(sum);
                              ++ranking.matched_documents;
                              ranking.best_coverage = std::max(ranking.best_coverage, coverage);
                              const RankedChunkset* const bar = documents.bar();
                              if (bar == nullptr || coverage >= bar->score) {
                                  std::uint32_t best = first;
                                  while (keyword.coverage_of(sums[best]) < coverage) {
                                      ++best;
                                  }
                                  documents.offer({coverage, segment, document, best});
                              }
                          }
                      });
    }
    Chunksets chosen;
    for (const RankedChunkset& document : documents.take()) {
        const std::span<const std::uint32_t> first_chunkset =
            view.segments()[document.segment].segment().inverted().layout().first_chunkset;
        Best chunksets(request.per_document, order);
        for (std::uint32_t c = first_chunkset[document.document];
             c < first_chunkset[document.document + 1]; ++c) {
            const double coverage = measures.coverage(document.segment, c);
            if (coverage > 0.0) {
                chunksets.offer({coverage, document.segment, document.document, c});
            }
        }
        const Chunksets own = chunksets.take();
        chosen.insert(chosen.end(), own.begin(), own.end());
    }
    fill(ranking, order, chosen);
    ranking.parts = measures.parts_of(chosen, request.with_ranks);
}

/// Whether the places of chunksets among all are part of an answer.
bool needs_ranks(const SearchRequest& request) {
    return request.with_ranks || (request.weights.empty() && request.fusion == rank::Fusion::rrf) ||
           std::ranges::any_of(request.weights, [](const rank::PartWeight& weight) {
               return weight.part == rank::kRankKeyword || weight.part == rank::kRankVector;
           });
}

/// Of both lists.
SimilarityList list_of(const View& view, const SearchRequest& request) {
    const std::size_t per_document = std::max(kCandidatesPerDocument, request.per_document);
    const std::size_t limit =
        std::max<std::size_t>(request.candidates, std::size_t{request.top_k} * per_document);
    return {needs_ranks(request), std::min<std::size_t>(limit, view.chunkset_count()),
            per_document};
}

/// The union of the best of both lists, in no order that matters.
Chunksets candidates_of(const View& view, const SearchRequest& request, const Measures& measures) {
    const SimilarityList list = list_of(view, request);
    const lexical::Scores& keyword = measures.keyword();
    Chunksets candidates = best_of_list(
        view, list.limit, list.per_document,
        [&](std::uint32_t s, std::uint32_t c) { return keyword.coverage(s, c); },
        [&](std::uint32_t s, std::uint32_t first, std::uint32_t end) {
            return keyword.coverage_of(greatest(keyword.sums(s), first, end));
        });
    const Similarities& similarities = *measures.similarities();
    const Chunksets similar = best_of_list(
        view, list.limit, list.per_document,
        [&](std::uint32_t s, std::uint32_t c) {
            return static_cast<double>(similarities.listed(s, c));
        },
        [&](std::uint32_t s, std::uint32_t first, std::uint32_t end) {
            return static_cast<double>(greatest(similarities.all(s), first, end));
        });
    candidates.insert(candidates.end(), similar.begin(), similar.end());
    const auto place = [](const RankedChunkset& ranked) {
        return std::tuple(ranked.segment, ranked.chunkset);
    };
    std::ranges::sort(candidates, {}, place);
    const auto [first, last] = std::ranges::unique(candidates, {}, place);
    candidates.erase(first, last);
    return candidates;
}

/// Which of the candidates are the answer, by their numbers: documents in the order of their best.
std::vector<std::size_t> merge_by_document(const Chunksets& candidates,
                                           const SearchRequest& request,
                                           const ByScoreThenPlace& order) {
    std::vector<std::size_t> by_score(candidates.size());
    std::iota(by_score.begin(), by_score.end(), std::size_t{0});
    std::ranges::sort(by_score, [&](std::size_t a, std::size_t b) {
        return order(candidates[a], candidates[b]);
    });
    std::vector<std::vector<std::size_t>> documents;
    std::unordered_map<std::uint64_t, std::size_t> place_of_document;
    for (const std::size_t i : by_score) {
        const RankedChunkset& candidate = candidates[i];
        const std::uint64_t document =
            (std::uint64_t{candidate.segment} << 32U) | candidate.document;
        const auto known = place_of_document.find(document);
        if (known != place_of_document.end()) {
            if (documents[known->second].size() < request.per_document) {
                documents[known->second].push_back(i);
            }
        } else if (documents.size() < request.top_k && candidate.score > 0.0) {
            place_of_document.emplace(document, documents.size());
            documents.push_back({i});
        }
    }
    std::vector<std::size_t> chosen;
    for (const std::vector<std::size_t>& chunksets : documents) {
        chosen.insert(chosen.end(), chunksets.begin(), chunksets.end());
    }
    return chosen;
}

void rank_by_fusion(const View& view,
                    const SearchRequest& request,
                    const Measures& measures,
                    Ranking& ranking) {
    const lexical::Scores& keyword = measures.keyword();
    const Similarities& similarities = *measures.similarities();
    for (std::uint32_t segment = 0; segment < view.segments().size(); ++segment) {
        each_document(
            view.segments()[segment].segment(),
            [&](std::uint32_t /*document*/, std::uint32_t first, std::uint32_t end) {
                const double sum = greatest(keyword.sums(segment), first, end);
                const bool is_match = sum > 0.0 || similarities.has_any(segment, first, end);
                ranking.matched_documents += is_match ? 1U : 0U;
                ranking.best_coverage = std::max(ranking.best_coverage, keyword.coverage_of(sum));
            });
    }
    ranking.best_similarity = static_cast<double>(similarities.best());

    const ByScoreThenPlace order(view);
    Chunksets candidates = candidates_of(view, request, measures);
    const rank::ScoreParts parts = measures.parts_of(candidates, needs_ranks(request));
    std::span<const rank::PartWeight> weights = request.weights;
    if (weights.empty()) {
        weights = request.fusion == rank::Fusion::weighted ? kEqualMeasures : kEqualRanks;
    }
    const std::vector<double> scores = rank::fuse(request.fusion, parts, weights);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        candidates[i].score = scores[i];
    }
    const std::vector<std::size_t> chosen = merge_by_document(candidates, request, order);
    Chunksets answer;
    answer.reserve(chosen.size());
    for (const std::size_t i : chosen) {
        answer.push_back(candidates[i]);
    }
    fill(ranking, order, answer);
    ranking.parts = rank::ScoreParts(chosen.size());
    for (const rank::ScoreParts::Part& part : parts.parts()) {
        std::vector<double> column;
        column.reserve(chosen.size());
        for (const std::size_t i : chosen) {
            column.push_back(part.column[i]);
        }
        ranking.parts.set(part.name, std::move(column));
    }
}

}  // namespace

Ranking search(const View& view, const SearchRequest& request) {
    const Selection selection(view, request.predicate, request.allowed_ids);
    const Measures measures(view, selection, text::analyze_query(request.query),
                            request.query_vector, list_of(view, request));
    Ranking ranking;
    ranking.allowed_documents = selection.totals().document_count;
    ranking.allowed_chunksets = selection.totals().chunkset_count;
    ranking.rarest_identifier = measures.rarest_identifier();
    if (measures.similarities() != nullptr) {
        ranking.without_vector = measures.similarities()->without_vector();
        rank_by_fusion(view, request, measures, ranking);
    } else {
        rank_by_keyword(view, request, measures, ranking);
    }
    return ranking;
}

std::vector<Ranking> search_many(const View& view,
                                 std::span<const SearchRequest> requests,
                                 std::uint32_t thread_count) {
    std::vector<Ranking> rankings(requests.size());
    for_each_index(requests.size(), thread_count,
                   [&](std::size_t index) { rankings[index] = search(view, requests[index]); });
    return rankings;
}

}  // namespace rootleaf::index
