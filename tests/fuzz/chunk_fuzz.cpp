// Any bytes are a document: the invariants of its chunks and chunksets are asserted, and of the
// cheatsheets of some of them. The first two bytes choose the options, the chunksets and a budget.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../cpp/chunk_invariants.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/render/hits.hpp"
#include "rootleaf/render/prepared_document.hpp"
#include "rootleaf/text/tokens.hpp"

namespace {

using namespace rootleaf::markdown;

void require(bool holds, std::string_view promise) {
    if (!holds) {
        std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(promise.size()), promise.data());
        std::abort();
    }
}

ChunkOptions options_of(std::uint8_t first, std::uint8_t second) {
    constexpr std::uint32_t kSmallest = 16;
    ChunkOptions options;
    options.max_tokens = kSmallest + first % kSmallest;
    options.front_matter = (second & 1U) == 0;
    options.front_matter_parsed = (second & 2U) == 0;
    return options;
}

void check(std::string_view text, const ChunkOptions& options) {
    const Document document = chunk(text, options);
    std::uint32_t first_byte = 0;
    if (options.front_matter && options.front_matter_parsed) {
        first_byte = find_front_matter(text).end;
    }
    const std::string broken =
        testing::ChunkInvariants(text, document, options.max_tokens).broken(first_byte);
    require(broken.empty(), broken);
}

/// Blank lines at the end add nothing, and every chunk and key is derived from the text alone.
void check_trailing_blanks(std::string_view text, const ChunkOptions& options) {
    if (text.empty() || text.back() != '\n') {
        return;
    }
    const Document shorter = chunk(text, options);
    const Document longer = chunk(std::string(text) + "\n\n", options);
    require(shorter.chunks.size() == longer.chunks.size() &&
                shorter.chunksets.size() == longer.chunksets.size(),
            "blank lines at the end add no chunk");
    for (std::size_t index = 0; index < shorter.chunksets.size(); ++index) {
        require(shorter.chunksets[index].key == longer.chunksets[index].key,
                "blank lines at the end change no key");
    }
}

/// The query is a part of the text, so that it matches; the budget holds.
void check_cheatsheet(std::string_view text,
                      const ChunkOptions& options,
                      std::uint8_t first,
                      std::uint8_t second) {
    namespace render = rootleaf::render;
    const render::PreparedDocument document(std::string(text), options);
    const std::size_t count = document.document().chunksets.size();
    std::vector<std::uint32_t> ordinals;
    for (std::size_t step = 0; step < std::min<std::size_t>(count, 3); ++step) {
        ordinals.push_back(static_cast<std::uint32_t>((first + step) % count));
    }
    const std::vector<double> coverages(ordinals.size(), 1.0);
    const std::vector<render::HitPassages> hits = {{&document, ordinals, coverages, "a.md"}};
    const std::size_t query_start = text.size() * first / 256;
    const std::string_view query = text.substr(query_start, 24);
    const std::uint64_t budget_tokens = second / 4U;
    for (const bool is_limited : {false, true}) {
        const auto limit = is_limited ? std::optional(budget_tokens) : std::nullopt;
        const render::Cheatsheet sheet = render::render_hits(hits, query, limit)[0];
        require(sheet.tokens == rootleaf::text::count_tokens(sheet.text), "tokens are the text's");
        require(!is_limited || sheet.is_empty || sheet.tokens < budget_tokens, "a budget holds");
        require(sheet.is_empty || is_limited || !ordinals.empty(), "nothing comes of nothing");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const ChunkOptions options = options_of(bytes[0], bytes[1]);
    const std::string_view text(reinterpret_cast<const char*>(bytes + 2), size - 2);
    check(text, options);
    check_trailing_blanks(text, options);
    check_cheatsheet(text, options, bytes[0], bytes[1]);
    return 0;
}
