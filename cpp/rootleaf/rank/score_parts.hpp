#pragma once

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rootleaf::rank {

/// Names of the parts that a search always gives.
inline constexpr std::string_view kBm25 = "bm25";
inline constexpr std::string_view kCoverage = "coverage";      ///< 0..1
inline constexpr std::string_view kSimilarity = "similarity";  ///< 0..1
/// Places in the full lists by coverage and by similarity, counted from 1; 0: not in that list.
inline constexpr std::string_view kRankKeyword = "rank_keyword";
inline constexpr std::string_view kRankVector = "rank_vector";

/// What a score is made of: named columns with one number for each candidate. An open list, in the
/// order of adding: a measure from elsewhere is one more column.
class ScoreParts {
public:
    struct Part {
        std::string name;
        std::vector<double> column;
    };

    explicit ScoreParts(std::size_t candidate_count) : candidate_count_(candidate_count) {}

    /// Adds a column, or puts it in the place of the one of that name.
    ///
    /// @param column  one number for each candidate
    void set(std::string_view name, std::vector<double> column) {
        assert(column.size() == candidate_count_);
        const auto place = std::ranges::find(parts_, name, &Part::name);
        if (place != parts_.end()) {
            place->column = std::move(column);
        } else {
            parts_.push_back({std::string(name), std::move(column)});
        }
    }

    /// The column of that name; null if there is none.
    [[nodiscard]] const std::vector<double>* find(std::string_view name) const noexcept {
        const auto place = std::ranges::find(parts_, name, &Part::name);
        return place != parts_.end() ? &place->column : nullptr;
    }

    [[nodiscard]] std::size_t candidate_count() const noexcept { return candidate_count_; }
    [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }

private:
    std::size_t candidate_count_;
    std::vector<Part> parts_;
};

}  // namespace rootleaf::rank
