#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "render_samples.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/render/hits.hpp"

namespace {

using namespace rootleaf;
using render::HitPassages;
using render::PreparedDocument;

constexpr std::array<std::uint32_t, 2> kOrdinals = {0, 1};
constexpr std::array<double, 2> kLow = {0.5, 0.1};
constexpr std::array<double, 2> kHigh = {1.0, 0.9};
constexpr std::array<double, 1> kOne = {1.0};

PreparedDocument prepared(std::string text) { return {std::move(text), markdown::ChunkOptions()}; }

PreparedDocument with_chunks(markdown::Document document) {
    return {"# A\n\n\xC3\xBC fig\n", std::move(document)};
}

std::uint64_t tokens_of(const std::vector<render::Cheatsheet>& sheets) {
    std::uint64_t tokens = 0;
    for (const render::Cheatsheet& sheet : sheets) {
        tokens += sheet.tokens;
    }
    return tokens;
}

}  // namespace

TEST_CASE("a budget is shared: the best chunksets of all documents come first") {
    const PreparedDocument first = prepared("# A\n\nfig of the first\n\n## B\n\nplum there\n");
    const PreparedDocument second = prepared("# C\n\nfig of the second\n\n## D\n\npear there\n");
    const std::vector<HitPassages> hits = {{&first, kOrdinals, kLow, std::nullopt},
                                           {&second, kOrdinals, kHigh, std::nullopt}};
    const std::vector<render::Cheatsheet> all = render::render_hits(hits, "fig", std::nullopt);
    const std::vector<render::Cheatsheet> fits =
        render::render_hits(hits, "fig", tokens_of(all) + 1);
    CHECK(fits[0].text == all[0].text);
    CHECK(fits[1].text == all[1].text);
    const std::vector<render::Cheatsheet> part =
        render::render_hits(hits, "fig", all[1].tokens + 1);
    CHECK(part[0].is_empty);
    CHECK(part[1].text == all[1].text);
    CHECK(part[0].omitted_tokens == all[0].tokens);
    for (std::uint64_t budget = 0; budget < 80; ++budget) {
        const std::uint64_t tokens = tokens_of(render::render_hits(hits, "fig", budget));
        CHECK((tokens < budget || tokens == 0));
    }
}

TEST_CASE("the least budget shows something, and one token less shows nothing") {
    const PreparedDocument document = prepared("# A rather long title\n\nfig of the first\n");
    const std::vector<HitPassages> hits = {
        {&document, std::span(kOrdinals).first(1), kOne, std::nullopt}};
    const std::uint64_t least = render::least_budget(hits, "fig", 1);
    CHECK_FALSE(render::render_hits(hits, "fig", least)[0].is_empty);
    CHECK(render::render_hits(hits, "fig", least - 1)[0].is_empty);
    CHECK_THROWS_AS(static_cast<void>(render::least_budget({}, "fig", 1)), Error);
}

TEST_CASE("chunksets that are not there, and coverages that are none's, are refused") {
    const PreparedDocument document = prepared("# A\n\nfig\n");
    const std::vector<HitPassages> beyond = {{&document, kOrdinals, kLow, std::nullopt}};
    CHECK_THROWS_AS(static_cast<void>(render::render_hits(beyond, {}, {})), Error);
    CHECK_THROWS_AS(static_cast<void>(render::render_hits(beyond, {}, 100)), Error);
    const std::vector<HitPassages> uneven = {{&document, kOrdinals, kOne, std::nullopt}};
    CHECK_THROWS_AS(static_cast<void>(render::render_hits(uneven, {}, {})), Error);
}

TEST_CASE("threads may share a document that nobody has cut yet") {
    const PreparedDocument document = prepared("# A\n\nfig\n\n## B\n\nplum\n");
    const std::vector<HitPassages> hits = {{&document, kOrdinals, kLow, std::nullopt}};
    std::array<std::string, 4> texts;
    {
        std::vector<std::jthread> threads;
        threads.reserve(texts.size());
        for (std::string& text : texts) {
            threads.emplace_back([&] { text = render::render_hits(hits, "fig", {})[0].text; });
        }
    }
    for (const std::string& text : texts) {
        CHECK(text == "# A\n\nfig\n\n## B\n\nplum");
    }
    CHECK(document.title_heading() == "# A");
}

TEST_CASE("chunks that are no slices of their text, in order, are refused") {
    const markdown::Document right = markdown::chunk("# A\n\n\xC3\xBC fig\n");
    CHECK_NOTHROW(with_chunks(right));
    const auto refused = [&](auto&& spoil) {
        markdown::Document wrong = right;
        spoil(wrong);
        CHECK_THROWS_AS(with_chunks(wrong), Error);
    };
    refused([](auto& document) { document.chunks[1].span.end = 99; });
    refused([](auto& document) { document.chunks[1].span.start = 6; });
    refused([](auto& document) { document.chunks[0].span = {4, 3}; });
    refused([](auto& document) { document.chunks[1].span = {0, 3}; });
    refused([](auto& document) { document.chunks[1].parent = 1; });
    refused([](auto& document) { document.chunks[0].head = {1, 5}; });
    refused([](auto& document) { document.chunks[1].tail = {0, 1}; });
    refused([](auto& document) { document.chunks[0].kind = markdown::ChunkKind{42}; });
    refused([](auto& document) { document.chunksets[0].chunk_count = 7; });
    refused([](auto& document) { document.chunksets[0].first_chunk = 7; });
    refused([](auto& document) { document.chunksets[0].chunk_count = 0; });
    refused([](auto& document) { document.title_chunk = 7; });
}
