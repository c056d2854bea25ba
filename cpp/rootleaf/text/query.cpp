#include "rootleaf/text/query.hpp"

#include <algorithm>
#include <unordered_set>

#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/words.hpp"

namespace rootleaf::text {

namespace {

constexpr std::string_view kStopWords =
    "a about also an and are at be been but by can could did do does from had has have he her him "
    "his how "
    "i into is it its just me my of on or our out shall she should so such than that the their "
    "them then "
    "there these they this to was we were what when which who whom whose why will would you your";

/// The stop words as terms.
const std::unordered_set<std::string>& stop_terms() {
    static const std::unordered_set<std::string> terms = [] {
        Analyzer analyzer;
        std::unordered_set<std::string> stems;
        for (Occurrence& occurrence : analyzer.analyze(kStopWords)) {
            stems.insert(std::move(occurrence.text));
        }
        return stems;
    }();
    return terms;
}

bool is_stop_word(const std::vector<Term>& word) {
    return std::all_of(word.begin(), word.end(), [](const Term& term) {
        return term.compound || stop_terms().contains(term.text);
    });
}

/// The terms of each word, or of each pair of an unspaced run.
std::vector<std::vector<Term>> analyze_words(std::string_view text) {
    Analyzer analyzer;
    std::vector<std::vector<Term>> words;
    std::vector<Occurrence> pairs;
    WordScanner scanner(text);
    Word word{};
    while (scanner.next(word)) {
        const std::string_view raw = text.substr(word.start, word.end - word.start);
        if (word.unspaced) {
            pairs.clear();
            Analyzer::analyze_run(raw, pairs);
            for (Occurrence& pair : pairs) {
                words.push_back({Term{std::move(pair.text), kNoTerm, false}});
            }
            continue;
        }
        std::vector<Term> terms;
        analyzer.analyze_word(raw, terms);
        if (!terms.empty()) {
            words.push_back(std::move(terms));
        }
    }
    return words;
}

}  // namespace

Query analyze_query(std::string_view text) {
    std::vector<std::vector<Term>> words = analyze_words(text);
    if (!std::all_of(words.begin(), words.end(), is_stop_word)) {
        std::erase_if(words, is_stop_word);
    }
    Query query;
    for (const std::vector<Term>& word : words) {
        for (const Term& term : word) {
            query.terms.push_back(term.text);
        }
    }
    std::sort(query.terms.begin(), query.terms.end());
    query.terms.erase(std::unique(query.terms.begin(), query.terms.end()), query.terms.end());
    for (const std::vector<Term>& word : words) {
        const auto first = static_cast<std::uint32_t>(query.occurrences.size());
        for (const Term& term : word) {
            const auto at = std::lower_bound(query.terms.begin(), query.terms.end(), term.text);
            query.occurrences.push_back(
                {static_cast<std::uint32_t>(at - query.terms.begin()),
                 term.enclosing == kNoTerm ? kNoTerm : term.enclosing + first, term.compound});
        }
    }
    return query;
}

}  // namespace rootleaf::text
