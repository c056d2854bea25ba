#include "rootleaf/text/matching.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/query.hpp"

namespace rootleaf::text {

std::vector<CharacterSpan> matching_spans(std::string_view query, std::string_view text) {
    const Query analysed = analyze_query(query);
    const double greatest = analysed.weights.empty() ? 0.0 : std::ranges::max(analysed.weights);
    std::unordered_set<std::string_view> wanted;
    for (std::size_t i = 0; i < analysed.terms.size(); ++i) {
        if (analysed.weights[i] == greatest) {
            wanted.insert(analysed.terms[i]);
        }
    }
    std::vector<CharacterSpan> spans;  // in bytes first
    if (wanted.empty()) {
        return spans;
    }
    Analyzer analyzer;
    for (const Occurrence& occurrence : analyzer.analyze(text)) {
        if (!wanted.contains(occurrence.text)) {
            continue;
        }
        if (!spans.empty() && occurrence.start_byte <= spans.back().end) {
            spans.back().end = std::max(spans.back().end, occurrence.end_byte);
        } else {
            spans.push_back({occurrence.start_byte, occurrence.end_byte});
        }
    }
    std::uint32_t byte = 0;
    std::uint32_t characters = 0;
    const auto characters_before = [&](std::uint32_t target) {
        for (; byte < target; ++byte) {
            characters += (static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U ? 1U : 0U;
        }
        return characters;
    };
    for (CharacterSpan& span : spans) {
        span.start = characters_before(span.start);
        span.end = characters_before(span.end);
    }
    return spans;
}

}  // namespace rootleaf::text
