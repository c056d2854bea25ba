#include "rootleaf/lexical/identifier_frequency.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "rootleaf/lexical/term_matches.hpp"

namespace rootleaf::lexical {

namespace {

std::uint64_t count_containing(std::span<const Slice> slices, const std::string& term) {
    std::uint64_t count = 0;
    for (const Slice& slice : slices) {
        if (const std::optional<std::uint32_t> rank = slice.index->find(term)) {
            count += count_matches(*slice.index, *rank, slice.allowed);
        }
    }
    return count;
}

}  // namespace

std::uint64_t rarest_identifier(std::span<const Slice> slices, const text::Query& query) {
    std::uint64_t least = 0;
    for (const text::QueryWord& word : query.words) {
        if (!word.is_identifier) {
            continue;
        }
        const std::uint64_t count = count_containing(slices, query.terms[word.terms[0].term]);
        if (count > 0) {
            least = least == 0 ? count : std::min(least, count);
        }
    }
    return least;
}

}  // namespace rootleaf::lexical
