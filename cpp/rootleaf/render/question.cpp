#include "rootleaf/render/question.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "rootleaf/text/folding.hpp"

namespace rootleaf::render {

Question::Question(std::optional<std::string_view> query) {
    if (!query) {
        return;
    }
    matcher_.emplace(*query);
    for (text::Occurrence& occurrence : analyzer_.analyze(*query)) {
        terms_.push_back(std::move(occurrence.text));
    }
    std::sort(terms_.begin(), terms_.end());
    terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
}

std::vector<text::MatchSpan> Question::matches(std::string_view passage) {
    return matcher_ ? matcher_->spans(passage) : std::vector<text::MatchSpan>();
}

std::size_t Question::match_count(std::string_view passage) {
    std::unordered_set<std::string> words;
    for (const text::MatchSpan& span : matches(passage)) {
        words.insert(
            text::fold_case(passage.substr(span.start_byte, span.end_byte - span.start_byte)));
    }
    return words.size();
}

std::vector<std::uint32_t> Question::terms_in(std::string_view passage) {
    std::vector<std::uint32_t> found;
    if (terms_.empty()) {
        return found;
    }
    for (const text::Occurrence& occurrence : analyzer_.analyze(passage)) {
        const auto at = std::lower_bound(terms_.begin(), terms_.end(), occurrence.text);
        if (at != terms_.end() && *at == occurrence.text) {
            found.push_back(static_cast<std::uint32_t>(at - terms_.begin()));
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace rootleaf::render
