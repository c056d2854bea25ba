#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rootleaf::text {

/// A half-open range of code points; each byte that is no continuation byte counts as one.
struct CharacterSpan {
    std::uint32_t start;
    std::uint32_t end;
};

/// The words of `text` that share a term with `query` as it is searched (analyze_query), in order;
/// pairs of an unspaced run that touch or overlap are one span. Stop words of the query are left
/// out, unless it has no others.
[[nodiscard]] std::vector<CharacterSpan> matching_spans(std::string_view query,
                                                        std::string_view text);

}  // namespace rootleaf::text
