#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rootleaf::text {

/// Where a term stands in a query, for the question whether a missing term is made up for.
struct QueryOccurrence {
    std::uint32_t term;       ///< index into Query::terms
    std::uint32_t enclosing;  ///< occurrence of the compound it is part of, or kNoTerm
    bool compound;
};

/// An analysed query: its distinct terms in the order of their bytes, which is the order of every
/// sum, and where they stand.
struct Query {
    std::vector<std::string> terms;
    std::vector<QueryOccurrence> occurrences;
};

/// Any text is a legal query; one without words has no terms.
///
/// Words all of whose leaves are stop words are left out, unless nothing else is there: asking in a
/// sentence finds what asking in keywords does. Documents keep them, so that "to be or not to be"
/// is found. Words that are also syntax in code (if for where as in not) are no stop words.
[[nodiscard]] Query analyze_query(std::string_view text);

}  // namespace rootleaf::text
