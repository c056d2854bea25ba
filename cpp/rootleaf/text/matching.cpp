#include "rootleaf/text/matching.hpp"

#include <algorithm>
#include <cstddef>

#include "rootleaf/text/query.hpp"

namespace rootleaf::text {

Matcher::Matcher(std::string_view query) {
    const Query analysed = analyze_query(query);
    const double greatest = analysed.weights.empty() ? 0.0 : std::ranges::max(analysed.weights);
    for (std::size_t i = 0; i < analysed.terms.size(); ++i) {
        if (analysed.weights[i] == greatest) {
            wanted_.insert(analysed.terms[i]);
        }
    }
}

std::vector<MatchSpan> Matcher::spans(std::string_view text) {
    std::vector<MatchSpan> spans;
    if (wanted_.empty()) {
        return spans;
    }
    for (const Occurrence& occurrence : analyzer_.analyze(text)) {
        if (!wanted_.contains(occurrence.text)) {
            continue;
        }
        if (!spans.empty() && occurrence.start_byte <= spans.back().end_byte) {
            spans.back().end_byte = std::max(spans.back().end_byte, occurrence.end_byte);
        } else {
            spans.push_back({occurrence.start_byte, occurrence.end_byte});
        }
    }
    return spans;
}

std::vector<CharacterSpan> matching_spans(std::string_view query, std::string_view text) {
    std::uint32_t byte = 0;
    std::uint32_t characters = 0;
    const auto characters_before = [&](std::uint32_t target) {
        for (; byte < target; ++byte) {
            characters += (static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U ? 1U : 0U;
        }
        return characters;
    };
    std::vector<CharacterSpan> spans;
    for (const MatchSpan& span : Matcher(query).spans(text)) {
        const std::uint32_t start = characters_before(span.start_byte);
        spans.push_back({start, characters_before(span.end_byte)});
    }
    return spans;
}

}  // namespace rootleaf::text
