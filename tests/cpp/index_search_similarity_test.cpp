#include "rootleaf/index/search_similarity.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "random_documents.hpp"

namespace {

using namespace rootleaf;
using random_documents::Dice;

constexpr std::uint32_t kDimension = 20;

/// Near one of a few directions or their opposites, and often just there: equals are frequent.
std::vector<float> direction(Dice& dice) {
    std::vector<float> vector(kDimension, 0.0F);
    vector[dice.below(4)] = dice.below(2) == 0 ? 1.0F : -1.0F;
    if (dice.below(3) != 0) {
        for (float& element : vector) {
            element += 0.02F * static_cast<float>(dice.below(9));
        }
    }
    double squares = 0.0;
    for (const float element : vector) {
        squares += static_cast<double>(element) * static_cast<double>(element);
    }
    for (float& element : vector) {
        element = static_cast<float>(static_cast<double>(element) / std::sqrt(squares));
    }
    return vector;
}

/// A segment of documents with up to 30 sections, most of which have a vector.
index::Segment segment(Dice& dice, std::uint64_t first_id, std::uint32_t document_count) {
    std::vector<segment_samples::SampleDocument> documents;
    for (std::uint64_t id = first_id; id < first_id + document_count; ++id) {
        documents.push_back(random_documents::document(dice, id));
        for (std::uint32_t i = dice.below(30); i > 0; --i) {
            documents.back().text += "\n# " + random_documents::words(dice, 2) + "\n\nlate " +
                                     random_documents::words(dice, 4) + "\n";
        }
    }
    const index::Segment plain = segment_samples::build(documents);
    index::SegmentParts parts = segment_samples::parts_of(plain);
    vector::MatrixBuilder builder(kDimension);
    for (std::uint32_t c = 0; c < plain.chunkset_count(); ++c) {
        if (dice.below(8) == 0) {
            builder.add_absent();
        } else {
            builder.add(direction(dice));
        }
    }
    parts.vectors = builder.build();
    return index::make_segment(std::move(parts));
}

/// Two segments, of which the smaller is not rounded, and some documents that are gone.
index::View view_of(Dice& dice) {
    std::vector<std::uint64_t> gone;
    for (std::uint64_t id = 0; id < 60; ++id) {
        if (dice.below(6) == 0) {
            gone.push_back(id);
        }
    }
    std::vector<index::LiveSegment> segments;
    segments.push_back(index::LiveSegment(segment(dice, 0, 50)).without(gone));
    segments.push_back(index::LiveSegment(segment(dice, 50, 4)).without(gone));
    return index::View(std::move(segments));
}

index::Ranking without_ranks(index::Ranking ranking) {
    rank::ScoreParts parts(ranking.document_ids.size());
    for (const rank::ScoreParts::Part& part : ranking.parts.parts()) {
        if (part.name != rank::kRankKeyword && part.name != rank::kRankVector) {
            parts.set(part.name, part.column);
        }
    }
    ranking.parts = std::move(parts);
    return ranking;
}

}  // namespace

TEST_CASE("a search that compares few vectors answers as one that compares all") {
    Dice dice(23);
    for (std::uint32_t round = 0; round < 6; ++round) {
        const index::View view = view_of(dice);
        for (std::uint32_t question = 0; question < 60; ++question) {
            const std::string query = random_documents::words(dice, 3);
            const std::vector<float> query_vector = direction(dice);
            index::SearchRequest request{query};
            request.query_vector = query_vector;
            request.top_k = dice.below(7);
            request.per_document = 1 + dice.below(5);
            request.candidates = dice.below(3) == 0 ? 1 : dice.below(120);
            std::vector<std::uint64_t> ids;
            for (std::uint64_t id = dice.below(3); id < 60; id += 1 + dice.below(4)) {
                ids.push_back(id);
            }
            if (dice.below(2) == 0) {
                request.allowed_ids = ids;
            }
            if (dice.below(3) == 0) {
                request.predicate.value("kind", "1");
            }
            const index::Ranking few = index::search(view, request);
            CHECK(few.parts.find(rank::kRankVector) == nullptr);
            request.with_ranks = true;
            const index::Ranking all = index::search(view, request);
            CHECK(all.parts.find(rank::kRankVector) != nullptr);
            REQUIRE(random_documents::equal(few, without_ranks(all)));
        }
        CHECK(view.segments()[0].segment().rounded_rows() != nullptr);
        CHECK(view.segments()[1].segment().rounded_rows() == nullptr);
    }
}

TEST_CASE("the few are few where the best stand out") {
    Dice dice(29);
    std::vector<index::LiveSegment> segments;
    segments.emplace_back(segment(dice, 0, 60));
    const index::View view(std::move(segments));
    const index::Selection selection(view, {}, std::nullopt);
    const std::vector<float> question = direction(dice);
    std::uint32_t listed = 0;
    for (int turn = 0; turn < 2; ++turn) {
        const index::Similarities similarities(view, selection, question, {false, 5, 3});
        listed = 0;
        for (std::uint32_t c = 0; c < view.chunkset_count(); ++c) {
            listed += similarities.listed(0, c) > 0.0F ? 1U : 0U;
        }
    }
    CHECK(listed >= 5);
    CHECK(listed < view.chunkset_count() / 4);
}
