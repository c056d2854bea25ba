#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::text {

/// A half-open range of code points; each byte that is no continuation byte counts as one.
struct CharacterSpan {
    std::uint32_t start;
    std::uint32_t end;
};

/// A half-open range of bytes.
struct MatchSpan {
    std::uint32_t start_byte;
    std::uint32_t end_byte;
};

/// Looks for the words of one query in many texts; the query is analysed once.
///
/// Keeps an analyzer: one object serves one thread at a time.
class Matcher {
public:
    explicit Matcher(std::string_view query);

    /// The words of `text` that share a term with the query as it is searched (analyze_query), in
    /// order; pairs of an unspaced run that touch or overlap are one span. Stop words of the query
    /// are left out, unless it has no others.
    [[nodiscard]] std::vector<MatchSpan> spans(std::string_view text);

private:
    std::unordered_set<std::string> wanted_;
    Analyzer analyzer_;
};

/// What Matcher::spans gives, in characters.
[[nodiscard]] std::vector<CharacterSpan> matching_spans(std::string_view query,
                                                        std::string_view text);

}  // namespace rootleaf::text
