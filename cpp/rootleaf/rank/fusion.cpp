#include "rootleaf/rank/fusion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include "rootleaf/base/error.hpp"

namespace rootleaf::rank {

namespace {

const std::vector<double>& checked_column(const ScoreParts& parts, const PartWeight& weight) {
    const std::string name(weight.part);
    if (!std::isfinite(weight.weight) || weight.weight < 0.0) {
        throw Error(ErrorCode::invalid_input, "the weight of '" + name +
                                                  "' must be 0 or more and finite, not " +
                                                  std::to_string(weight.weight));
    }
    const std::vector<double>* column = parts.find(weight.part);
    if (column == nullptr) {
        std::string message = "a score has no part '" + name + "'; its parts are:";
        for (const ScoreParts::Part& part : parts.parts()) {
            message.append(" ").append(part.name);
        }
        throw Error(ErrorCode::invalid_input, message);
    }
    return *column;
}

double contribution(Fusion fusion, double weight, double part) noexcept {
    if (fusion == Fusion::weighted) {
        return weight * part;
    }
    return part > 0.0 ? weight / (kRankConstant + part) : 0.0;
}

}  // namespace

std::optional<Fusion> fusion_from(std::string_view spelling) noexcept {
    if (spelling == "weighted") {
        return Fusion::weighted;
    }
    if (spelling == "rrf") {
        return Fusion::rrf;
    }
    return std::nullopt;
}

std::vector<double> fuse(Fusion fusion,
                         const ScoreParts& parts,
                         std::span<const PartWeight> weights) {
    std::vector<double> scores(parts.candidate_count());
    for (const PartWeight& weight : weights) {
        const std::vector<double>& column = checked_column(parts, weight);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            scores[i] += contribution(fusion, weight.weight, column[i]);
        }
    }
    return scores;
}

RankCounter::RankCounter(std::span<const double> measures)
    : measures_(measures.begin(), measures.end()) {
    std::ranges::copy_if(measures, std::back_inserter(greatest_first_),
                         [](double measure) { return measure > 0.0; });
    std::ranges::sort(greatest_first_, std::greater{});
    greatest_first_.erase(std::unique(greatest_first_.begin(), greatest_first_.end()),
                          greatest_first_.end());
    counts_.resize(greatest_first_.size());
}

template <typename Measure>
void RankCounter::count_each(std::span<const Measure> list) {
    if (greatest_first_.empty()) {
        return;
    }
    const double least = greatest_first_.back();
    for (const Measure element : list) {
        const auto measure = static_cast<double>(element);
        // Nearly all of a long list stand below every candidate.
        if (measure > least) {
            const auto beaten = std::upper_bound(greatest_first_.begin(), greatest_first_.end(),
                                                 measure, std::greater{});
            ++counts_[static_cast<std::size_t>(beaten - greatest_first_.begin())];
        }
    }
}

void RankCounter::count(std::span<const double> list) { count_each(list); }

void RankCounter::count(std::span<const float> list) { count_each(list); }

std::vector<double> RankCounter::ranks() const {
    std::vector<std::uint64_t> greater(counts_);
    for (std::size_t i = 1; i < greater.size(); ++i) {
        greater[i] += greater[i - 1];
    }
    std::vector<double> ranks;
    ranks.reserve(measures_.size());
    for (const double measure : measures_) {
        const auto place = std::lower_bound(greatest_first_.begin(), greatest_first_.end(), measure,
                                            std::greater{});
        ranks.push_back(
            measure > 0.0
                ? 1.0 + static_cast<double>(
                            greater[static_cast<std::size_t>(place - greatest_first_.begin())])
                : 0.0);
    }
    return ranks;
}

}  // namespace rootleaf::rank
