#include "rootleaf/text/query.hpp"

#include <algorithm>
#include <unordered_set>

#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/identifiers.hpp"
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

/// A word with the texts of its terms.
struct AskedWord {
    double weight;
    std::vector<Term> terms;
    bool is_identifier;
};

double weight_of(const std::vector<Term>& word) {
    const bool is_stop_word = std::all_of(word.begin(), word.end(), [](const Term& term) {
        return term.compound || stop_terms().contains(term.text);
    });
    return is_stop_word ? kStopWordWeight : 1.0;
}

/// The words, and the pairs of unspaced runs, as they come.
std::vector<AskedWord> analyze_words(std::string_view text) {
    Analyzer analyzer;
    std::vector<AskedWord> words;
    std::vector<Occurrence> pairs;
    WordScanner scanner(text);
    Word word{};
    while (scanner.next(word)) {
        const std::string_view raw = text.substr(word.start, word.end - word.start);
        if (word.unspaced) {
            pairs.clear();
            Analyzer::analyze_run(raw, pairs);
            for (Occurrence& pair : pairs) {
                words.push_back({1.0, {Term{std::move(pair.text), kNoTerm, false}}, false});
            }
            continue;
        }
        std::vector<Term> terms;
        analyzer.analyze_word(raw, terms);
        if (!terms.empty()) {
            const double weight = weight_of(terms);
            words.push_back({weight, std::move(terms), is_identifier(raw)});
        }
    }
    return words;
}

/// Words that begin with the same term become neighbours, and the fullest of them comes first.
bool stands_before(const AskedWord& a, const AskedWord& b) {
    if (a.terms[0].text != b.terms[0].text) {
        return a.terms[0].text < b.terms[0].text;
    }
    if (a.terms.size() != b.terms.size()) {
        return a.terms.size() > b.terms.size();
    }
    if (a.weight != b.weight) {
        return a.weight > b.weight;
    }
    return std::lexicographical_compare(a.terms.begin(), a.terms.end(), b.terms.begin(),
                                        b.terms.end(), [](const Term& x, const Term& y) {
                                            return x.text != y.text ? x.text < y.text
                                                                    : x.enclosing < y.enclosing;
                                        });
}

std::vector<AskedWord> distinct(std::vector<AskedWord> words) {
    std::sort(words.begin(), words.end(), stands_before);
    std::vector<AskedWord> kept;
    for (AskedWord& word : words) {
        if (!kept.empty() && kept.back().terms[0].text == word.terms[0].text) {
            kept.back().is_identifier |= word.is_identifier;
        } else {
            kept.push_back(std::move(word));
        }
    }
    return kept;
}

std::vector<std::string> distinct_terms(const std::vector<AskedWord>& words) {
    std::vector<std::string> terms;
    for (const AskedWord& word : words) {
        for (const Term& term : word.terms) {
            terms.push_back(term.text);
        }
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    return terms;
}

}  // namespace

Query analyze_query(std::string_view text) {
    const std::vector<AskedWord> words = distinct(analyze_words(text));
    Query query;
    query.terms = distinct_terms(words);
    query.weights.assign(query.terms.size(), 0.0);
    for (const AskedWord& asked : words) {
        QueryWord word{asked.weight, {}, asked.is_identifier};
        for (const Term& term : asked.terms) {
            const auto at = std::lower_bound(query.terms.begin(), query.terms.end(), term.text);
            const auto index = static_cast<std::uint32_t>(at - query.terms.begin());
            query.weights[index] = std::max(query.weights[index], word.weight);
            word.terms.push_back({index, term.enclosing});
        }
        query.words.push_back(std::move(word));
    }
    return query;
}

}  // namespace rootleaf::text
