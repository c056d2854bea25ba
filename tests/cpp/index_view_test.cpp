#include "rootleaf/index/view.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "random_documents.hpp"

namespace {

using namespace rootleaf;
using random_documents::Dice;
using random_documents::Documents;

Documents garden() {
    Documents documents;
    for (const auto& document : segment_samples::garden()) {
        documents.emplace(document.id, document);
    }
    return documents;
}

std::vector<std::uint64_t> found(const index::View& view, index::SearchRequest request) {
    request.per_document = 1;
    return index::search(view, request).document_ids;
}

}  // namespace

TEST_CASE("the totals of what is left are those of a segment that never had the rest") {
    Dice dice(3);
    for (std::uint32_t round = 0; round < 50; ++round) {
        Documents documents;
        std::vector<std::uint64_t> removed;
        for (std::uint64_t id = 0; id < 12; ++id) {
            documents.emplace(id, random_documents::document(dice, id));
            if (dice.below(2) == 0) {
                removed.push_back(id);
            }
        }
        const index::LiveSegment whole(
            segment_samples::build(random_documents::shuffled(documents, dice)));
        const index::LiveSegment rest = whole.without(removed);
        const Documents kept = random_documents::only(documents, [&](const auto& document) {
            return !std::ranges::binary_search(removed, document.id);
        });
        CHECK(rest.totals() == random_documents::fresh(kept, dice).totals());
        CHECK(rest.without(removed).totals() == rest.totals());
        CHECK(whole.totals() == random_documents::fresh(documents, dice).totals());
        CHECK(whole.live().empty());
    }
}

TEST_CASE("a segment is shared by those that are made of it") {
    const index::LiveSegment whole(segment_samples::build(segment_samples::garden()));
    const index::LiveSegment rest = whole.without(std::vector<std::uint64_t>{3});
    CHECK(&rest.segment() == &whole.segment());
    CHECK(rest.totals().document_count == 2);
    CHECK(whole.without(std::vector<std::uint64_t>{4, 5}).live().empty());
}

TEST_CASE("documents are found by ids, few or many, in any order of paths") {
    Documents documents;
    Dice dice(5);
    for (std::uint64_t id = 0; id < 60; ++id) {
        documents.emplace(id * 3, random_documents::document(dice, id * 3));
    }
    const index::Segment segment =
        segment_samples::build(random_documents::shuffled(documents, dice));
    const index::DocumentLookup lookup(segment.document_ids());
    for (const std::vector<std::uint64_t>& wanted :
         {std::vector<std::uint64_t>{}, {1}, {0}, {177}, {5, 6, 178, 900}, {0, 1, 3, 4, 177}}) {
        std::vector<std::uint64_t> ids;
        lookup.each(wanted, [&](std::uint32_t d) { ids.push_back(segment.document_ids()[d]); });
        std::vector<std::uint64_t> expected;
        for (const std::uint64_t id : wanted) {
            if (documents.contains(id)) {
                expected.push_back(id);
            }
        }
        CHECK(ids == expected);
    }
}

TEST_CASE("an allowed set that is empty matches nothing, and unknown ids are passed over") {
    Dice dice(1);
    const index::View view = random_documents::fresh(garden(), dice);
    index::SearchRequest request{"late"};
    CHECK(found(view, request).size() == 2);
    const std::vector<std::uint64_t> none;
    request.allowed_ids = none;
    CHECK(found(view, request).empty());
    CHECK(index::search(view, request).allowed_documents == 0);
    const std::vector<std::uint64_t> some{1, 7, 99};
    request.allowed_ids = some;
    CHECK(found(view, request) == std::vector<std::uint64_t>{7});
    request.predicate.value("kind", "legume");
    CHECK(found(view, request).empty());
}

TEST_CASE("equals are ordered by path, then place, then id, and not by segment") {
    const auto made = [](std::uint64_t id, const char* path, const char* text) {
        return segment_samples::SampleDocument{id, path, "", text, "", {}};
    };
    // Chunksets of one word in texts of one length: equal scores.
    const std::vector<segment_samples::SampleDocument> documents = {
        made(9, "/a.md", "pear\n"), made(2, "/b.md", "pear\n"), made(5, "/a.md", "pear\n"),
        made(7, "/0.md", "pear\n")};
    const std::vector<std::uint64_t> expected{7, 5, 9, 2};
    std::vector<std::size_t> order{0, 1, 2, 3};
    bool more = true;
    while (more) {
        std::vector<index::LiveSegment> segments;
        segments.reserve(order.size());
        for (const std::size_t i : order) {
            segments.emplace_back(segment_samples::build({documents[i]}));
        }
        CHECK(found(index::View(std::move(segments)), {"pear"}) == expected);
        more = std::ranges::next_permutation(order).found;
    }
}

TEST_CASE("a view of nothing answers nothing") {
    CHECK(found(index::View(), {"pear"}).empty());
    std::vector<index::LiveSegment> segments;
    segments.push_back(index::LiveSegment(segment_samples::build(segment_samples::garden()))
                           .without(std::vector<std::uint64_t>{3, 7, 12}));
    const index::View dead(std::move(segments));
    CHECK(dead.document_count() == 0);
    CHECK(dead.totals() == lexical::Totals());
    CHECK(found(dead, {"late"}).empty());
}
