#include "rootleaf/lexical/term_reader.hpp"

#include "rootleaf/text/words.hpp"

namespace rootleaf::lexical {

std::uint32_t TermReader::read(std::string_view text, std::vector<std::uint32_t>& ids) {
    text::WordScanner scanner(text);
    text::Word word{};
    std::uint32_t positions = 0;
    while (scanner.next(word)) {
        const std::string_view raw = text.substr(word.start, word.end - word.start);
        if (word.unspaced) {
            positions += read_run(raw, ids);
            continue;
        }
        if (raw.size() > kMaxRememberedBytes) {
            analysed_.clear();
            analyzer_.analyze_word(raw, analysed_);
            for (const text::Term& term : analysed_) {
                ids.push_back(terms_.intern(term.text));
            }
            positions += analysed_.empty() ? 0U : 1U;
            continue;
        }
        const Range range = read_word(raw);
        for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
            ids.push_back(word_terms_[i]);
        }
        positions += range.count == 0 ? 0U : 1U;
    }
    return positions;
}

TermReader::Range TermReader::read_word(std::string_view word) {
    const TermTable::Interned known = words_.intern_or_find(word);
    if (known.added) {
        analysed_.clear();
        analyzer_.analyze_word(word, analysed_);
        const auto first = static_cast<std::uint32_t>(word_terms_.size());
        for (const text::Term& term : analysed_) {
            word_terms_.push_back(terms_.intern(term.text));
        }
        terms_of_word_.push_back({first, static_cast<std::uint32_t>(analysed_.size())});
    }
    return terms_of_word_[known.id];
}

std::uint32_t TermReader::read_run(std::string_view run, std::vector<std::uint32_t>& ids) {
    pairs_.clear();
    text::Analyzer::analyze_run(run, pairs_);
    for (const text::Occurrence& pair : pairs_) {
        ids.push_back(terms_.intern(pair.text));
    }
    return static_cast<std::uint32_t>(pairs_.size());
}

}  // namespace rootleaf::lexical
