#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/search.hpp"
#include "segment_samples.hpp"

/// Random documents whose words, paths and metadata collide, and the plain way to search them: make
/// a new collection of them.
namespace random_documents {

using segment_samples::SampleDocument;
using Documents = std::map<std::uint64_t, SampleDocument>;

/// The same numbers on every platform, which std::uniform_int_distribution does not promise.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}

    /// From 0 to `end`, exclusive.
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_() % end); }

    template <typename Element>
    void shuffle(std::vector<Element>& elements) {
        for (auto i = static_cast<std::uint32_t>(elements.size()); i > 1; --i) {
            std::swap(elements[i - 1], elements[below(i)]);
        }
    }

private:
    std::mt19937 engine_;
};

inline std::string words(Dice& dice, std::uint32_t most) {
    static constexpr std::array<std::string_view, 12> kWords = {
        "pear",  "pears",       "cellar",     "straw", "cold", "fetchUserTokens",
        "token", "gate-keeper", "gatekeeper", "the",   "late", "证书轮换"};
    std::string text;
    for (std::uint32_t i = dice.below(most + 1); i > 0; --i) {
        text.append(kWords[dice.below(kWords.size())]).append(" ");
    }
    return text;
}

/// Now and then without a text, or with one that has no chunkset; paths may be equal.
inline SampleDocument document(Dice& dice, std::uint64_t id) {
    SampleDocument made{
        id, "/r/" + std::to_string(dice.below(7)) + ".md", words(dice, 2), "", words(dice, 2), {}};
    for (std::uint32_t i = dice.below(5); i > 0; --i) {
        const std::uint32_t kind = dice.below(4);
        made.text += (kind == 0 ? "# " : kind == 1 ? "- " : "") + words(dice, 6) + "\n\n";
    }
    for (std::uint32_t i = dice.below(3); i > 0; --i) {
        made.metadata.emplace_back(dice.below(2) == 0 ? "kind" : "tag",
                                   std::to_string(dice.below(3)));
    }
    return made;
}

inline std::vector<SampleDocument> shuffled(const Documents& documents, Dice& dice) {
    std::vector<SampleDocument> listed;
    for (const auto& [id, document] : documents) {
        listed.push_back(document);
    }
    dice.shuffle(listed);
    return listed;
}

/// A view of one segment with exactly these documents.
inline rootleaf::index::View fresh(const Documents& documents, Dice& dice) {
    std::vector<rootleaf::index::LiveSegment> segments;
    segments.emplace_back(segment_samples::build(shuffled(documents, dice)));
    return rootleaf::index::View(std::move(segments));
}

inline Documents only(const Documents& documents, auto&& keeps) {
    Documents kept;
    for (const auto& [id, document] : documents) {
        if (keeps(document)) {
            kept.emplace(id, document);
        }
    }
    return kept;
}

/// Hits, order, every bit of the scores, and the counts.
inline bool equal(const rootleaf::index::Ranking& a, const rootleaf::index::Ranking& b) {
    return a.document_ids == b.document_ids && a.ordinals == b.ordinals && a.scores == b.scores &&
           std::ranges::equal(a.parts.parts(), b.parts.parts(),
                              [](const auto& one, const auto& other) {
                                  return one.name == other.name && one.column == other.column;
                              }) &&
           a.without_vector == b.without_vector && a.best_coverage == b.best_coverage &&
           a.best_similarity == b.best_similarity && a.allowed_documents == b.allowed_documents &&
           a.allowed_chunksets == b.allowed_chunksets && a.matched_documents == b.matched_documents;
}

}  // namespace random_documents
