#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rootleaf/index/segment_check.hpp"
#include "segment_samples.hpp"

using rootleaf::index::find_fault;
using rootleaf::index::SegmentParts;

namespace {

SegmentParts sample() {
    return segment_samples::parts_of(segment_samples::build(segment_samples::garden()));
}

/// The place of the first list with more than one posting.
std::uint32_t long_list(const rootleaf::lexical::PostingParts& parts) {
    for (std::size_t rank = 0; rank + 1 < parts.starts.size(); ++rank) {
        if (parts.starts[rank + 1] - parts.starts[rank] > 1) {
            return parts.starts[rank];
        }
    }
    FAIL("no list has two postings");
    return 0;
}

struct Damage {
    std::string what;
    std::function<void(SegmentParts&)> apply;
};

const std::vector<Damage>& damages() {
    static const std::vector<Damage> all = {
        {"an id is missing", [](SegmentParts& p) { p.document_ids.pop_back(); }},
        {"an id too many", [](SegmentParts& p) { p.document_ids.push_back(99); }},
        {"a path is missing",
         [](SegmentParts& p) {
             p.paths.ends.pop_back();
             p.paths.bytes.resize(p.paths.ends.back());
         }},
        {"paths out of order", [](SegmentParts& p) { p.paths.bytes[0] = '~'; }},
        {"equal paths, ids out of order",
         [](SegmentParts& p) {
             p.paths = {"aaa", {1, 2, 3}};
             p.document_ids = {1, 3, 2};
         }},
        {"equal paths and ids",
         [](SegmentParts& p) {
             p.paths = {"aaa", {1, 2, 3}};
             p.document_ids = {1, 2, 2};
         }},
        {"a path ends before it starts",
         [](SegmentParts& p) { std::swap(p.paths.ends[0], p.paths.ends[1]); }},
        {"a path ends behind the bytes", [](SegmentParts& p) { p.paths.ends.back() += 1; }},
        {"bytes behind the last path", [](SegmentParts& p) { p.paths.bytes += 'x'; }},
        {"no first chunkset", [](SegmentParts& p) { p.layout.first_chunkset.clear(); }},
        {"the first chunkset is not 0", [](SegmentParts& p) { p.layout.first_chunkset[0] = 1; }},
        {"chunksets descend", [](SegmentParts& p) { p.layout.first_chunkset[1] = 0xFFFFFFFF; }},
        {"chunksets beyond the last", [](SegmentParts& p) { p.layout.first_chunkset.back() += 1; }},
        {"a document length is missing",
         [](SegmentParts& p) { p.layout.document_lengths.pop_back(); }},
        {"a chunkset length is missing",
         [](SegmentParts& p) { p.layout.chunkset_lengths.pop_back(); }},
        {"terms out of order", [](SegmentParts& p) { p.dictionary.bytes[0] = '~'; }},
        {"two equal terms",
         [](SegmentParts& p) {
             const std::size_t count = p.dictionary.ends.size();
             p.dictionary = {};
             for (std::size_t i = 0; i < count; ++i) {
                 p.dictionary.append("longer than eight bytes");
             }
         }},
        {"a term ends behind the bytes", [](SegmentParts& p) { p.dictionary.ends.back() += 1; }},
        {"a term ends before it starts", [](SegmentParts& p) { p.dictionary.ends[1] = 0; }},
        {"keys out of order", [](SegmentParts& p) { p.values.keys.bytes[0] = '~'; }},
        {"values out of order", [](SegmentParts& p) { p.values.values.bytes[0] = '~'; }},
        {"a value without a key", [](SegmentParts& p) { p.values.key_of_value.back() = 2; }},
        {"keys of values descend", [](SegmentParts& p) { p.values.key_of_value[0] = 1; }},
        {"a key too few", [](SegmentParts& p) { p.values.key_of_value.pop_back(); }},
        {"a value names no document", [](SegmentParts& p) { p.values.documents.back() = 3; }},
        {"a value names a document twice",
         [](SegmentParts& p) {
             const std::uint32_t start = p.values.starts[2];
             REQUIRE(p.values.starts[3] - start == 2);
             p.values.documents[start + 1] = p.values.documents[start];
         }},
        {"documents beyond the last value",
         [](SegmentParts& p) { p.values.documents.push_back(0); }},
        {"value starts descend", [](SegmentParts& p) { p.values.starts[1] = 0xFFFFFFFF; }},
    };
    return all;
}

const std::vector<std::pair<std::string, std::function<void(rootleaf::lexical::PostingParts&)>>>&
posting_damages() {
    using Parts = rootleaf::lexical::PostingParts;
    static const std::vector<std::pair<std::string, std::function<void(Parts&)>>> all = {
        {"no starts", [](Parts& p) { p.starts.clear(); }},
        {"a start is missing", [](Parts& p) { p.starts.pop_back(); }},
        {"a start too many", [](Parts& p) { p.starts.push_back(p.starts.back()); }},
        {"the first start is not 0", [](Parts& p) { p.starts[0] = 1; }},
        {"starts descend", [](Parts& p) { p.starts[1] = 0xFFFFFFFF; }},
        {"postings beyond the last", [](Parts& p) { p.starts.back() += 1; }},
        {"an ordinal out of range", [](Parts& p) { p.ordinals.back() = 1000; }},
        {"a great ordinal", [](Parts& p) { p.ordinals[0] = 0xFFFFFFFF; }},
        {"an ordinal twice in a list",
         [](Parts& p) {
             const std::uint32_t at = long_list(p);
             p.ordinals[at + 1] = p.ordinals[at];
         }},
        {"ordinals descend in a list",
         [](Parts& p) {
             const std::uint32_t at = long_list(p);
             std::swap(p.ordinals[at], p.ordinals[at + 1]);
         }},
        {"a frequency is missing", [](Parts& p) { p.first.pop_back(); }},
        {"a second frequency too many", [](Parts& p) { p.second.push_back(1); }},
        {"a posting without a frequency", [](Parts& p) { p.first[0] = p.second[0] = 0; }},
    };
    return all;
}

}  // namespace

TEST_CASE("what a builder makes has no fault") {
    CHECK(find_fault(sample().sections()) == std::nullopt);
    CHECK(find_fault(segment_samples::build({}).sections()) == std::nullopt);
    CHECK(find_fault(segment_samples::build(segment_samples::orchard()).sections()) ==
          std::nullopt);
}

TEST_CASE("every broken promise between the arrays of a segment is found") {
    for (const Damage& damage : damages()) {
        CAPTURE(damage.what);
        SegmentParts parts = sample();
        damage.apply(parts);
        CHECK(find_fault(parts.sections()) != std::nullopt);
    }
}

TEST_CASE("every broken promise of postings is found, by document and by chunkset") {
    for (const auto& [what, apply] : posting_damages()) {
        CAPTURE(what);
        SegmentParts parts = sample();
        apply(parts.by_document);
        CHECK(find_fault(parts.sections()) != std::nullopt);
        parts = sample();
        apply(parts.by_chunkset);
        CHECK(find_fault(parts.sections()) != std::nullopt);
    }
}

TEST_CASE("vectors are one for each chunkset, and of unit length") {
    const auto damaged = [](const std::function<void(rootleaf::vector::MatrixParts&)>& apply) {
        SegmentParts parts = segment_samples::parts_of(
            segment_samples::with_vectors(segment_samples::build(segment_samples::garden()), 3));
        apply(*parts.vectors);
        return find_fault(parts.sections()) != std::nullopt;
    };
    using Matrix = rootleaf::vector::MatrixParts;
    CHECK(!damaged([](Matrix&) {}));
    CHECK(damaged([](Matrix& m) { m.present.pop_back(); }));
    CHECK(damaged([](Matrix& m) {
        m.present.pop_back();
        m.rows.resize(m.rows.size() - 16);
    }));
    CHECK(damaged([](Matrix& m) { m.rows.pop_back(); }));
    CHECK(damaged([](Matrix& m) { m.rows.back() = 1.0F; }));
    CHECK(damaged([](Matrix& m) { m.dimension = 0; }));
    CHECK(damaged([](Matrix& m) { m.present[0] = 1; }));
}

TEST_CASE("terms are compared whole where their first eight bytes are equal") {
    const std::vector<std::pair<std::vector<std::string>, bool>> lists = {
        {{"aaaaaaaab", "aaaaaaaac"}, true},
        {{"aaaaaaaac", "aaaaaaaab"}, false},
        {{"a", std::string("a\0", 2)}, true},
        {{std::string("a\0", 2), "a"}, false},
        {{"", "a"}, true},
        {{"a", ""}, false},
        {{"z", "\xC3\xA9"}, true},
        {{"\xC3\xA9", "z"}, false},
        {{"aaaaaaaa", "aaaaaaaaa"}, true},
        {{"same", "same"}, false},
        {{"", ""}, false},
        {{"b", "a", "c"}, false},
    };
    for (const auto& [terms, sound] : lists) {
        SegmentParts parts;
        for (const std::string& term : terms) {
            parts.dictionary.append(term);
        }
        parts.by_document.starts.assign(terms.size() + 1, 0);
        parts.by_chunkset.starts.assign(terms.size() + 1, 0);
        CAPTURE(terms.front());
        CHECK((find_fault(parts.sections()) == std::nullopt) == sound);
    }
}
