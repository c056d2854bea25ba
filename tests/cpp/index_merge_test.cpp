#include "rootleaf/index/merge.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "random_documents.hpp"

namespace {

using namespace rootleaf;
using random_documents::Dice;
using random_documents::Documents;

bool equal(const filter::ValueDocuments& a, const filter::ValueDocuments& b) {
    return a.key == b.key && a.value == b.value && std::ranges::equal(a.documents, b.documents);
}

bool equal(const lexical::Postings& a, const lexical::Postings& b) {
    return std::ranges::equal(a.ordinals, b.ordinals) && std::ranges::equal(a.first, b.first) &&
           std::ranges::equal(a.second, b.second);
}

/// Every array; of the dictionary of `built` only the terms that something has.
void check_equal(const index::Segment& merged, const index::Segment& built) {
    CHECK(std::ranges::equal(merged.document_ids(), built.document_ids()));
    REQUIRE(merged.document_count() == built.document_count());
    for (std::uint32_t d = 0; d < merged.document_count(); ++d) {
        CHECK(merged.path(d) == built.path(d));
    }
    const lexical::Layout& one = merged.inverted().layout();
    const lexical::Layout& other = built.inverted().layout();
    CHECK(std::ranges::equal(one.first_chunkset, other.first_chunkset));
    CHECK(std::ranges::equal(one.document_lengths, other.document_lengths));
    CHECK(std::ranges::equal(one.chunkset_lengths, other.chunkset_lengths));
    REQUIRE(merged.inverted().term_count() == built.inverted().term_count());
    for (std::uint32_t rank = 0; rank < built.inverted().term_count(); ++rank) {
        CHECK(merged.inverted().term(rank) == built.inverted().term(rank));
        CHECK(equal(merged.inverted().documents_of(rank), built.inverted().documents_of(rank)));
        CHECK(equal(merged.inverted().chunksets_of(rank), built.inverted().chunksets_of(rank)));
    }
    REQUIRE((merged.vectors() == nullptr) == (built.vectors() == nullptr));
    if (built.vectors() != nullptr) {
        CHECK(std::ranges::equal(merged.vectors()->rows(), built.vectors()->rows()));
        CHECK(std::ranges::equal(merged.vectors()->present(), built.vectors()->present()));
    }
    REQUIRE(merged.values().size() == built.values().size());
    for (std::uint32_t i = 0; i < built.values().size(); ++i) {
        CHECK(equal(merged.values()[i], built.values()[i]));
    }
}

}  // namespace

TEST_CASE("a merged segment is the segment of the documents that are alive, in every array") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        std::vector<index::LiveSegment> segments;
        Documents alive;
        std::uint64_t next_id = 0;
        for (std::uint32_t s = dice.below(5); s > 0; --s) {
            Documents batch;
            std::vector<std::uint64_t> removed;
            for (std::uint32_t d = dice.below(6); d > 0; --d) {
                const std::uint64_t id = (next_id++ * 7919U) % 1009U;
                batch.emplace(id, random_documents::document(dice, id));
                if (dice.below(4) == 0) {
                    removed.push_back(id);
                } else {
                    alive.emplace(id, batch.at(id));
                }
            }
            std::ranges::sort(removed);
            segments.push_back(
                index::LiveSegment(segment_samples::build(random_documents::shuffled(batch, dice)))
                    .without(removed));
        }
        check_equal(index::merge_segments(segments),
                    segment_samples::build(random_documents::shuffled(alive, dice)));
    }
}

TEST_CASE("what is dead is gone after a merge, its terms and values too") {
    std::vector<index::LiveSegment> segments;
    segments.push_back(index::LiveSegment(segment_samples::build(segment_samples::garden()))
                           .without(std::vector<std::uint64_t>{3, 7}));
    const index::Segment merged = index::merge_segments(segments);
    CHECK(merged.document_count() == 1);
    CHECK_FALSE(merged.inverted().find("bean").has_value());
    CHECK(merged.inverted().find("empti").has_value());
    CHECK(merged.values().size() == 0);
    CHECK(index::merge_segments({}).document_count() == 0);
}

TEST_CASE("a tail is merged where what is behind a segment is together as large") {
    const auto first = [](std::vector<std::uint64_t> sizes) {
        return index::first_to_merge(sizes);
    };
    CHECK(first({}) == 0);
    CHECK(first({5}) == 1);
    CHECK(first({5, 4}) == 2);
    CHECK(first({5, 5}) == 0);
    CHECK(first({9, 1, 4}) == 1);
    CHECK(first({8, 4, 2, 1, 1}) == 0);
    CHECK(first({9, 4, 2, 1, 1}) == 1);
    CHECK(first({17, 8, 4, 2, 1}) == 5);
}

TEST_CASE("segments stay few, and each document is written a logarithm of times") {
    std::vector<std::uint64_t> sizes;
    std::uint64_t written = 0;
    Dice dice(7);
    std::uint64_t total = 0;
    for (std::uint32_t step = 0; step < 4096; ++step) {
        const std::uint64_t added = 1 + dice.below(step % 100 == 0 ? 200 : 3);
        total += added;
        sizes.push_back(added);
        const std::size_t first = index::first_to_merge(sizes);
        if (first < sizes.size()) {
            const auto tail = sizes.begin() + static_cast<std::ptrdiff_t>(first);
            const std::uint64_t merged = std::accumulate(tail, sizes.end(), std::uint64_t{0});
            written += merged;
            sizes.erase(tail, sizes.end());
            sizes.push_back(merged);
        }
        std::uint64_t logarithm = 0;
        while ((total >> logarithm) > 0) {
            ++logarithm;
        }
        REQUIRE(sizes.size() <= logarithm);
        REQUIRE(written <= total * logarithm);
    }
    CHECK(total > 10000);
}
