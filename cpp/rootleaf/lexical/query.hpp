#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

/// Where a term stands in a query, for the question whether a missing term is made up for.
struct QueryOccurrence {
    std::uint32_t term;       ///< index into Query::terms
    std::uint32_t enclosing;  ///< occurrence of the compound it is part of, or text::kNoTerm
    bool compound;
};

/// An analysed query: its distinct terms in the order of their bytes, which is the order of every
/// sum.
struct Query {
    std::vector<std::string> terms;
    std::vector<QueryOccurrence> occurrences;
};

/// Any text is a legal query; one without words has no terms.
[[nodiscard]] Query analyze_query(std::string_view text);

}  // namespace rootleaf::lexical
