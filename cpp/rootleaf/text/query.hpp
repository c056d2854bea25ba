#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rootleaf::text {

/// What a stop word counts, in place of 1. Chosen with bench/quality.
inline constexpr double kStopWordWeight = 0.1;

/// A term of a word of a query.
struct QueryTerm {
    std::uint32_t term;  ///< index into Query::terms
    std::uint32_t
        enclosing;  ///< the term of the word that it is part of, earlier in it; or kNoTerm
};

/// A word that is asked for: one term, or a whole before its parts, which may have parts again.
struct QueryWord {
    double weight;  ///< 1, or kStopWordWeight
    std::vector<QueryTerm> terms;
    bool is_identifier = false;  ///< in one of its spellings; see identifiers.hpp
};

/// An analysed query. Its words are distinct: of those that agree in their first term, the one with
/// the most terms stands for all. They are in the order of the first term's bytes, which is the
/// order of every sum over words, whatever the order in the text.
struct Query {
    std::vector<std::string> terms;  ///< distinct, in the order of their bytes
    std::vector<double> weights;     ///< by term: the greatest of the words that it is in
    std::vector<QueryWord> words;
};

/// Any text is a legal query; one without words has no terms.
///
/// Words all of whose parts are stop words count less: asking in a sentence finds what asking in
/// keywords does, and "to be or not to be" is still found. Words that are also syntax in code (if
/// for where as in not) are no stop words.
[[nodiscard]] Query analyze_query(std::string_view text);

}  // namespace rootleaf::text
