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
        } else if (raw.size() > kMaxRememberedBytes) {
            positions += read_long_word(raw, ids);
        } else {
            pending_[pending_count_++] = {raw, words_.prepare(raw)};
            if (pending_count_ == pending_.size()) {
                positions += read_pending(ids);
            }
        }
    }
    return positions + read_pending(ids);
}

std::uint32_t TermReader::read_pending(std::vector<std::uint32_t>& ids) {
    std::uint32_t positions = 0;
    for (std::size_t i = 0; i < pending_count_; ++i) {
        const Range range = range_of(pending_[i]);
        ids.insert(ids.end(), word_terms_.data() + range.first,
                   word_terms_.data() + range.first + range.count);
        positions += range.count == 0 ? 0U : 1U;
    }
    pending_count_ = 0;
    return positions;
}

TermReader::Range TermReader::range_of(const Pending& pending) {
    const TermTable::Interned known = words_.intern_or_find(pending.word, pending.key);
    if (known.added) {
        analysed_.clear();
        analyzer_.analyze_word(pending.word, analysed_);
        const auto first = static_cast<std::uint32_t>(word_terms_.size());
        for (const text::Term& term : analysed_) {
            word_terms_.push_back(terms_.intern(term.text));
        }
        terms_of_word_.push_back({first, static_cast<std::uint32_t>(analysed_.size())});
    }
    return terms_of_word_[known.id];
}

std::uint32_t TermReader::read_long_word(std::string_view word, std::vector<std::uint32_t>& ids) {
    analysed_.clear();
    analyzer_.analyze_word(word, analysed_);
    for (const text::Term& term : analysed_) {
        ids.push_back(terms_.intern(term.text));
    }
    return analysed_.empty() ? 0U : 1U;
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
