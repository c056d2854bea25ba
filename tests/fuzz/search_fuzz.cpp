// Analyzer and segment on any bytes: the input is a query, a NUL, and a document.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/lexical/term_reader.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/matching.hpp"

namespace {

using namespace rootleaf;

void require(bool promise) {
    if (!promise) {
        std::abort();
    }
}

/// Occurrences ascend inside the text; the reader finds the same terms and the same length.
void check_analyzer(std::string_view text) {
    text::Analyzer analyzer;
    std::map<std::string, int> terms;
    std::uint32_t length = 0;
    std::uint32_t start = 0;
    for (const text::Occurrence& occurrence : analyzer.analyze(text)) {
        require(!occurrence.text.empty());
        require(occurrence.start_byte >= start && occurrence.start_byte < occurrence.end_byte);
        require(occurrence.end_byte <= text.size());
        require(occurrence.position == length || occurrence.position + 1 == length);
        ++terms[occurrence.text];
        start = occurrence.start_byte;
        length = occurrence.position + 1;
    }
    lexical::TermReader reader;
    std::vector<std::uint32_t> ids;
    require(reader.read(text, ids) == length);
    for (const std::uint32_t id : ids) {
        --terms[std::string(reader.terms().text(id))];
    }
    for (const auto& [term, count] : terms) {
        require(count == 0);
    }
}

void check_spans(std::string_view query, std::string_view text) {
    std::uint32_t end = 0;
    for (const text::CharacterSpan& span : text::matching_spans(query, text)) {
        require(span.start >= end && span.end >= span.start && span.end <= text.size());
        end = span.end;
    }
}

/// Scores are bounded, and a second document changes neither the text's being found nor its order.
void check_search(std::string_view query, std::string_view text) {
    index::SegmentBuilder builder;
    builder.add({1, "/a", "", "", {}}, text, markdown::chunk(text));
    builder.add({2, "/b", "name", query, {}}, text, markdown::chunk(text));
    const index::Segment segment = builder.build();
    const index::Ranking ranking = index::search(index::View({index::LiveSegment(segment)}),
                                                 {.query = query, .top_k = 2, .per_document = 3});
    for (std::size_t i = 0; i < ranking.scores.size(); ++i) {
        require((*ranking.parts.find(rank::kBm25))[i] > 0.0);
        require(ranking.scores[i] > 0.0 && ranking.scores[i] <= 1.0);
        require(ranking.ordinals[i] < segment.chunkset_count() / 2);
    }
    require(ranking.matched_documents <= 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const std::size_t border = input.find('\0');
    const std::string_view query = input.substr(0, border);
    const std::string_view text =
        border == std::string_view::npos ? input : input.substr(border + 1);
    check_analyzer(text);
    check_spans(query, text);
    check_search(query, text);
    return 0;
}
