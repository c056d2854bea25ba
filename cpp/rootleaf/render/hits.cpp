#include "rootleaf/render/hits.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>

#include "rootleaf/base/error.hpp"
#include "rootleaf/render/question.hpp"

namespace rootleaf::render {

namespace {

/// A chunkset among those of all hits.
struct Candidate {
    double coverage;
    std::size_t position;  ///< of its document
    std::size_t place;     ///< among the chunksets of that
};

std::vector<Candidate> best_first(std::span<const HitPassages> hits) {
    std::vector<Candidate> candidates;
    for (std::size_t position = 0; position < hits.size(); ++position) {
        const std::span<const double> coverages = hits[position].coverages;
        for (std::size_t place = 0; place < coverages.size(); ++place) {
            candidates.push_back({coverages[place], position, place});
        }
    }
    // They stand by document and place already.
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.coverage > b.coverage; });
    return candidates;
}

/// The cheatsheets of an answer while they grow.
class Answer {
public:
    Answer(std::span<const HitPassages> hits, Question& question) : hits_(hits) {
        for (const HitPassages& hit : hits) {
            if (hit.ordinals.size() != hit.coverages.size()) {
                throw Error(ErrorCode::invalid_input, "every chunkset has one coverage");
            }
            builders_.emplace_back(*hit.document, question, hit.cite_path);
        }
    }

    void fill() {
        for (std::size_t position = 0; position < hits_.size(); ++position) {
            for (const std::uint32_t ordinal : hits_[position].ordinals) {
                builders_[position].add(ordinal);
            }
        }
    }

    void fill_below(std::uint64_t budget_tokens) {
        if (budget_tokens == 0) {
            return;
        }
        std::uint64_t spent_tokens = 0;
        for (const Candidate& candidate : best_first(hits_)) {
            CheatsheetBuilder& builder = builders_[candidate.position];
            const std::uint64_t spent_by_others = spent_tokens - builder.tokens();
            builder.add_within(hits_[candidate.position].ordinals[candidate.place],
                               budget_tokens - 1 - spent_by_others, spent_tokens == 0);
            spent_tokens = spent_by_others + builder.tokens();
        }
    }

    [[nodiscard]] bool is_empty() const {
        return std::all_of(builders_.begin(), builders_.end(),
                           [](const CheatsheetBuilder& builder) { return builder.is_empty(); });
    }

    [[nodiscard]] std::vector<Cheatsheet> cheatsheets() {
        std::vector<Cheatsheet> sheets;
        sheets.reserve(builders_.size());
        for (CheatsheetBuilder& builder : builders_) {
            sheets.push_back(builder.cheatsheet());
        }
        return sheets;
    }

private:
    std::span<const HitPassages> hits_;
    std::deque<CheatsheetBuilder> builders_;  // they do not move
};

bool shows_something(std::span<const HitPassages> hits,
                     Question& question,
                     std::uint64_t budget_tokens) {
    Answer answer(hits, question);
    answer.fill_below(budget_tokens);
    return !answer.is_empty();
}

}  // namespace

std::vector<Cheatsheet> render_hits(std::span<const HitPassages> hits,
                                    std::optional<std::string_view> query,
                                    std::optional<std::uint64_t> budget_tokens) {
    Question question(query);
    Answer answer(hits, question);
    if (budget_tokens) {
        answer.fill_below(*budget_tokens);
    } else {
        answer.fill();
    }
    return answer.cheatsheets();
}

std::uint64_t least_budget(std::span<const HitPassages> hits,
                           std::optional<std::string_view> query,
                           std::uint64_t too_few_tokens) {
    // No text has more tokens than this: four for each of its bytes.
    constexpr std::uint64_t kEnoughForAll = std::uint64_t{1} << 40U;
    Question question(query);
    std::uint64_t enough_tokens = std::max<std::uint64_t>(2 * too_few_tokens, 1);
    while (!shows_something(hits, question, enough_tokens)) {
        if (enough_tokens > kEnoughForAll) {
            throw Error(ErrorCode::invalid_input, "no hit has a chunkset that can be shown");
        }
        too_few_tokens = enough_tokens;
        enough_tokens *= 2;
    }
    while (enough_tokens - too_few_tokens > 1) {
        const std::uint64_t middle = too_few_tokens + (enough_tokens - too_few_tokens) / 2;
        (shows_something(hits, question, middle) ? enough_tokens : too_few_tokens) = middle;
    }
    return enough_tokens;
}

}  // namespace rootleaf::render
