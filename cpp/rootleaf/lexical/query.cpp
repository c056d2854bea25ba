#include "rootleaf/lexical/query.hpp"

#include <algorithm>

#include "rootleaf/text/words.hpp"

namespace rootleaf::lexical {

Query analyze_query(std::string_view text) {
    text::Analyzer analyzer;
    std::vector<text::Term> found;
    std::vector<text::Term> of_word;
    std::vector<text::Occurrence> pairs;
    text::WordScanner scanner(text);
    text::Word word{};
    while (scanner.next(word)) {
        const std::string_view raw = text.substr(word.start, word.end - word.start);
        if (word.unspaced) {
            pairs.clear();
            text::Analyzer::analyze_run(raw, pairs);
            for (text::Occurrence& pair : pairs) {
                found.push_back({std::move(pair.text), text::kNoTerm, false});
            }
            continue;
        }
        of_word.clear();
        analyzer.analyze_word(raw, of_word);
        const auto first = static_cast<std::uint32_t>(found.size());
        for (text::Term& term : of_word) {
            const std::uint32_t enclosing =
                term.enclosing == text::kNoTerm ? term.enclosing : term.enclosing + first;
            found.push_back({std::move(term.text), enclosing, term.compound});
        }
    }

    Query query;
    for (const text::Term& term : found) {
        query.terms.push_back(term.text);
    }
    std::sort(query.terms.begin(), query.terms.end());
    query.terms.erase(std::unique(query.terms.begin(), query.terms.end()), query.terms.end());
    for (const text::Term& term : found) {
        const auto at = std::lower_bound(query.terms.begin(), query.terms.end(), term.text);
        query.occurrences.push_back(
            {static_cast<std::uint32_t>(at - query.terms.begin()), term.enclosing, term.compound});
    }
    return query;
}

}  // namespace rootleaf::lexical
