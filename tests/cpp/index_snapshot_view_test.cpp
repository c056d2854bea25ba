#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "random_documents.hpp"
#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace rootleaf;

constexpr std::uint32_t kCases = 60;

/// Adds and removes a few documents at random, with the same dice to the same effect.
void change(index::Collection& collection, random_documents::Dice dice) {
    for (std::uint32_t step = 1 + dice.below(6); step > 0; --step) {
        if (dice.below(4) == 0) {
            collection.remove({dice.below(12), 20});
            continue;
        }
        random_documents::Documents batch;
        for (std::uint32_t i = dice.below(5); i > 0; --i) {
            const std::uint64_t id = dice.below(12);
            batch.insert_or_assign(id, random_documents::document(dice, id));
        }
        collection.add(segment_samples::build(random_documents::shuffled(batch, dice)));
    }
}

bool answer_alike(const index::View& a, const index::View& b) {
    for (const char* query : {"pear cellar", "fetchUserTokens", "the late 证书", "straw"}) {
        for (const char* tag : {"0", "1"}) {
            index::SearchRequest request;
            request.query = query;
            if (!random_documents::equal(index::search(a, request), index::search(b, request))) {
                return false;
            }
            request.predicate.value("tag", tag);
            if (!random_documents::equal(index::search(a, request), index::search(b, request))) {
                return false;
            }
        }
    }
    return a.document_count() == b.document_count() && a.chunkset_count() == b.chunkset_count();
}

}  // namespace

TEST_CASE("a view from a snapshot answers as the one that was written, and goes on like it") {
    const TemporaryFolder folder;
    const std::string path = folder.file("view");
    for (std::uint32_t seed = 0; seed < kCases; ++seed) {
        CAPTURE(seed);
        index::Collection written;
        change(written, random_documents::Dice(seed));
        index::write_snapshot(path, *written.view(), {});

        index::Collection opened(index::open_snapshot(path).view());
        REQUIRE(answer_alike(*opened.view(), *written.view()));
        change(written, random_documents::Dice(seed + kCases));
        change(opened, random_documents::Dice(seed + kCases));
        REQUIRE(answer_alike(*opened.view(), *written.view()));
        written.merge();
        REQUIRE(answer_alike(*opened.view(), *written.view()));
        opened.merge();
        REQUIRE(answer_alike(*opened.view(), *written.view()));
    }
}

TEST_CASE("what was merged and what was built at once is written to the same bytes") {
    for (std::uint32_t seed = 0; seed < kCases; ++seed) {
        CAPTURE(seed);
        random_documents::Dice dice(seed);
        random_documents::Documents all;
        index::Collection collection;
        for (std::uint64_t id = 0; id < 9; ++id) {
            all.emplace(id, random_documents::document(dice, id));
            collection.add(segment_samples::build({all.at(id)}));
        }
        collection.merge();
        REQUIRE(collection.view()->segments().size() == 1);
        const auto once = std::make_shared<const index::Segment>(
            segment_samples::build(random_documents::shuffled(all, dice)));
        const auto merged = collection.view()->segments()[0].shared_segment();
        REQUIRE(index::encode_snapshot(std::vector<index::SnapshotSegment>{{once, {}}}, {}) ==
                index::encode_snapshot(std::vector<index::SnapshotSegment>{{merged, {}}}, {}));
    }
}
