#include "rootleaf/index/collection.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "random_documents.hpp"
#include "rootleaf/base/error.hpp"

namespace {

using namespace rootleaf;
using random_documents::Dice;
using random_documents::Documents;

/// All questions that this test asks, with and without a filter and a set of ids.
void check_answers(const index::View& view, const Documents& documents, Dice& dice) {
    CHECK(view.document_count() == documents.size());
    const index::View whole = random_documents::fresh(documents, dice);
    CHECK(view.totals() == whole.totals());
    std::vector<std::uint64_t> ids;
    for (std::uint64_t id = 0; id < 20; ++id) {
        if (dice.below(2) == 0) {
            ids.push_back(id);
        }
    }
    const Documents of_kind = random_documents::only(documents, [](const auto& document) {
        return std::ranges::count(document.metadata,
                                  std::pair<std::string, std::string>("kind", "1"));
    });
    const auto is_allowed = [&](const auto& document) {
        return std::ranges::binary_search(ids, document.id);
    };
    const index::View kind = random_documents::fresh(of_kind, dice);
    const index::View allowed =
        random_documents::fresh(random_documents::only(documents, is_allowed), dice);
    const index::View both =
        random_documents::fresh(random_documents::only(of_kind, is_allowed), dice);
    for (std::uint32_t i = 0; i < 3; ++i) {
        const std::string query = random_documents::words(dice, 4);
        CAPTURE(query);
        index::SearchRequest plain{query};
        plain.top_k = 1 + dice.below(6);
        plain.per_document = 1 + dice.below(3);
        index::SearchRequest asked = plain;
        CHECK(random_documents::equal(index::search(view, asked), index::search(whole, plain)));
        asked.allowed_ids = ids;
        CHECK(random_documents::equal(index::search(view, asked), index::search(allowed, plain)));
        asked.predicate.value("kind", "1");
        CHECK(random_documents::equal(index::search(view, asked), index::search(both, plain)));
        asked.allowed_ids.reset();
        CHECK(random_documents::equal(index::search(view, asked), index::search(kind, plain)));
    }
}

/// One write to both: a batch of new and known documents, a removal, or a merge.
void write(index::Collection& collection, Documents& documents, Dice& dice) {
    const std::uint32_t kind = dice.below(8);
    if (kind == 0) {
        collection.merge();
    } else if (kind <= 2) {
        std::vector<std::uint64_t> ids;
        std::uint64_t expected = 0;
        for (std::uint32_t i = dice.below(8); i > 0; --i) {
            ids.push_back(dice.below(20));
            expected += documents.erase(ids.back());
        }
        CHECK(collection.remove(ids) == expected);
    } else {
        Documents batch;
        for (std::uint32_t i = dice.below(5); i > 0; --i) {
            const std::uint64_t id = dice.below(20);
            batch.insert_or_assign(id, random_documents::document(dice, id));
        }
        collection.add(segment_samples::build(random_documents::shuffled(batch, dice)));
        for (const auto& [id, document] : batch) {
            documents.insert_or_assign(id, document);
        }
    }
}

}  // namespace

TEST_CASE("after any writes it answers as a new collection of the same documents") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        index::Collection collection;
        Documents documents;
        for (std::uint32_t step = 0; step < 12; ++step) {
            CAPTURE(step);
            const std::shared_ptr<const index::View> before = collection.view();
            const Documents documents_before = documents;
            write(collection, documents, dice);
            check_answers(*collection.view(), documents, dice);
            if (dice.below(4) == 0) {
                check_answers(*before, documents_before, dice);
            }
        }
        collection.merge();
        CHECK(collection.view()->segments().size() <= 1);
        check_answers(*collection.view(), documents, dice);
    }
}

TEST_CASE("all can be removed, and it can be filled again") {
    index::Collection collection;
    collection.add(segment_samples::build(segment_samples::garden()));
    CHECK(collection.remove({3, 7, 12, 12, 99}) == 3);
    CHECK(collection.view()->document_count() == 0);
    CHECK(collection.view()->segments().empty());
    CHECK(collection.remove({3}) == 0);
    collection.merge();
    collection.add(segment_samples::build(segment_samples::orchard()));
    CHECK(index::search(*collection.view(), {"apples"}).matched_documents == 1);
}

TEST_CASE("a batch with an id twice is refused and changes nothing") {
    index::Collection collection;
    collection.add(segment_samples::build(segment_samples::garden()));
    const std::shared_ptr<const index::View> before = collection.view();
    auto twice = segment_samples::orchard();
    twice.push_back(twice.front());
    CHECK_THROWS_WITH_AS(collection.add(segment_samples::build(twice)),
                         "document 40 stands twice in one batch", Error);
    CHECK(collection.view() == before);
}

TEST_CASE("single writes leave few segments, and little that is dead") {
    index::Collection collection;
    Dice dice(11);
    for (std::uint64_t id = 0; id < 300; ++id) {
        collection.add(segment_samples::build({random_documents::document(dice, id)}));
        CHECK(collection.view()->segments().size() <= 11);
    }
    for (std::uint64_t id = 0; id < 290; ++id) {
        collection.remove({id});
    }
    std::uint64_t kept = 0;
    for (const index::LiveSegment& segment : collection.view()->segments()) {
        kept += segment.segment().document_count() + segment.segment().chunkset_count();
    }
    CHECK(collection.view()->document_count() == 10);
    CHECK(kept <= 2 * (collection.view()->document_count() + collection.view()->chunkset_count()));
}

TEST_CASE("readers see whole writes beside writers") {
    index::Collection collection;
    // Every document has the word, and all writes add or remove two together.
    const auto pair = [](std::uint64_t id) {
        return segment_samples::build(
            {{id, "/" + std::to_string(id), "", "pear\n", "", {}},
             {id + 1, "/" + std::to_string(id + 1), "", "pear\n", "", {}}});
    };
    std::atomic<bool> done = false;
    std::atomic<int> torn = 0;
    std::vector<std::thread> threads;
    threads.reserve(3);
    for (int reader = 0; reader < 3; ++reader) {
        threads.emplace_back([&] {
            while (!done) {
                const std::shared_ptr<const index::View> view = collection.view();
                const index::Ranking ranking = index::search(*view, {"pear"});
                torn += ranking.matched_documents % 2 == 0 &&
                                ranking.matched_documents == view->document_count()
                            ? 0
                            : 1;
            }
        });
    }
    std::vector<std::thread> writers;
    writers.reserve(2);
    for (std::uint64_t writer = 0; writer < 2; ++writer) {
        writers.emplace_back([&, writer] {
            for (std::uint64_t i = 0; i < 100; ++i) {
                const std::uint64_t id = writer * 1000 + i * 2;
                collection.add(pair(id));
                if (i % 3 == 0) {
                    collection.remove({id, id + 1});
                }
                if (i % 20 == 0) {
                    collection.merge();
                }
            }
        });
    }
    for (std::thread& writer : writers) {
        writer.join();
    }
    done = true;
    for (std::thread& reader : threads) {
        reader.join();
    }
    CHECK(torn == 0);
    CHECK(collection.view()->document_count() == 264);
}
