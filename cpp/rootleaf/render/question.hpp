#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/matching.hpp"

namespace rootleaf::render {

/// What was asked, analysed once for all documents of an answer; or nothing, which matches nothing.
///
/// One object serves one thread at a time.
class Question {
public:
    explicit Question(std::optional<std::string_view> query);

    [[nodiscard]] bool is_asked() const noexcept { return matcher_.has_value(); }

    /// The words of a passage that a search finds, in order.
    [[nodiscard]] std::vector<text::MatchSpan> matches(std::string_view passage);

    /// How many different words of a passage match, whatever their case.
    [[nodiscard]] std::size_t match_count(std::string_view passage);

    /// Which terms of the query, its stop words included, stand in a passage: numbers, ascending.
    [[nodiscard]] std::vector<std::uint32_t> terms_in(std::string_view passage);

private:
    std::optional<text::Matcher> matcher_;
    std::vector<std::string> terms_;  // distinct, in the order of their bytes
    text::Analyzer analyzer_;
};

}  // namespace rootleaf::render
