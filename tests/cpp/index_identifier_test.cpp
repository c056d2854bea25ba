#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/search.hpp"
#include "segment_samples.hpp"

namespace {

using namespace rootleaf;

segment_samples::SampleDocument noted(std::uint64_t id, const char* kind, const char* text) {
    return {id, "/" + std::to_string(id) + ".md", "", text, "", {{"kind", kind}}};
}

std::vector<segment_samples::SampleDocument> notes() {
    return {
        noted(1, "a", "# One\n\nERR_4711 is raised\n"),
        noted(2, "a", "# Two\n\nthe code err4711, and port 9100\n\n## Three\n\nERR-4711 again\n"),
        noted(3, "b", "# Four\n\nan err, and 4711 of them; read only\n"),
        noted(4, "b", "# Five\n\na trombone\n"),
    };
}

std::uint64_t rarest(std::string_view query, std::string_view kind = {}) {
    index::Collection collection;
    for (const auto& note : notes()) {  // a segment for each
        collection.add(segment_samples::build({note}));
    }
    index::SearchRequest request{query};
    if (!kind.empty()) {
        request.predicate.value("kind", std::string(kind));
    }
    return index::search(*collection.view(), request).rarest_identifier;
}

}  // namespace

TEST_CASE("An identifier is counted where it stands whole, in any spelling, over all segments") {
    CHECK(rarest("what does ERR_4711 mean") == 3);
    CHECK(rarest("ERR-4711") == 3);
    CHECK(rarest("ERR_4711 on 9100") == 1);
}

TEST_CASE("Neither its parts nor ordinary words count, and what stands nowhere leaves the rest") {
    CHECK(rarest("trombone") == 0);
    CHECK(rarest("err 4") == 0);
    CHECK(rarest("read_only") == 0);
    CHECK(rarest("ERR_4712") == 0);
    CHECK(rarest("ERR_4712 ERR_4711") == 3);
    CHECK(rarest("") == 0);
}

TEST_CASE("It is counted among the documents that a filter leaves") {
    CHECK(rarest("4711", "b") == 1);
    CHECK(rarest("ERR_4711", "b") == 0);
    CHECK(rarest("ERR_4711", "a") == 3);
}
