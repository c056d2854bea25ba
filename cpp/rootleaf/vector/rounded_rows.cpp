#include "rootleaf/vector/rounded_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "rootleaf/vector/dispatch.hpp"

namespace rootleaf::vector {

namespace {

/// Rows that one pass takes while they are in the cache nearest to the CPU.
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::uint32_t kLeastRows = 256;
constexpr float kMostRowSteps = 127.0F;

/// As many independent sums and maxima: the compiler takes them side by side.
using Lanes = std::array<float, kBlockFloats>;

float greatest(std::span<const float> floats) noexcept {
    Lanes most{};
    for (std::size_t at = 0; at < floats.size(); at += kBlockFloats) {
        for (std::size_t lane = 0; lane < kBlockFloats; ++lane) {
            const float size = std::abs(floats[at + lane]);
            most[lane] = size > most[lane] ? size : most[lane];
        }
    }
    return *std::max_element(most.begin(), most.end());
}

/// Writes the nearest whole numbers of steps, and gives at least the length of the difference.
template <typename Steps>
float round_into(std::span<const float> floats, float step, Steps* steps) noexcept {
    // Added to a small number it leaves the nearest whole one in the last bits.
    constexpr float kWhole = 12582912.0F;
    const float steps_in_one = step > 0.0F ? 1.0F / step : 0.0F;
    Lanes squares{};
    for (std::size_t at = 0; at < floats.size(); at += kBlockFloats) {
        for (std::size_t lane = 0; lane < kBlockFloats; ++lane) {
            const float element = floats[at + lane];
            const auto whole = std::bit_cast<std::int32_t>(element * steps_in_one + kWhole) -
                               std::bit_cast<std::int32_t>(kWhole);
            steps[at + lane] = static_cast<Steps>(whole);
            const float lost = element - static_cast<float>(whole) * step;
            squares[lane] += lost * lost;
        }
    }
    float sum = 0.0F;
    for (const float square : squares) {
        sum += square;
    }
    // A little more than rounding in these sums may have left out.
    return std::sqrt(sum) * 1.01F + 1e-6F;
}

}  // namespace

RoundedQuery::RoundedQuery(const QueryVector& query) {
    const std::size_t count = Matrix::row_floats(query.dimension());
    const std::span<const float> floats(query.data(), count);
    // So few that no sum of products with the steps of a row leaves 32 bits.
    const double most = static_cast<double>(std::numeric_limits<std::int32_t>::max()) /
                        (static_cast<double>(kMostRowSteps) * static_cast<double>(count));
    const auto most_steps = static_cast<float>(std::floor(std::min(most, 32767.0)) - 1.0);
    step_ = greatest(floats) / most_steps;
    steps_.resize(count);
    loss_ = round_into(floats, step_, steps_.data());
}

RoundedRows::RoundedRows(const Matrix& matrix)
    : row_steps_(Matrix::row_floats(matrix.dimension())),
      // A sum of that many roundings, each by half a unit in the last place of at most 1; twice
      // that, and as much for what makes an estimate of an exact whole number.
      float_error_(static_cast<float>(matrix.block_count() + 16) *
                   std::numeric_limits<float>::epsilon() * 2.0F),
      steps_(row_steps_ * matrix.row_count()),
      step_of_row_(matrix.row_count()),
      losses_(matrix.row_count()) {
    for (std::uint32_t row = 0; row < matrix.row_count(); ++row) {
        const std::span<const float> floats(matrix.row(row), row_steps_);
        step_of_row_[row] = greatest(floats) / kMostRowSteps;
        losses_[row] = round_into(floats, step_of_row_[row], steps_.data() + row * row_steps_);
    }
}

void RoundedRows::estimate(const RoundedQuery& query,
                           std::uint32_t first_row,
                           std::span<float> estimates) const {
    std::array<std::int32_t, kRowsAtOnce> dots{};
    for (std::size_t done = 0; done < estimates.size(); done += kRowsAtOnce) {
        const std::size_t count = std::min(kRowsAtOnce, estimates.size() - done);
        const std::size_t first = first_row + done;
        active_kernel().step_dots(query.steps(), steps_.data() + first * row_steps_, count,
                                  row_steps_ / kBlockFloats, dots.data());
        for (std::size_t i = 0; i < count; ++i) {
            estimates[done + i] =
                static_cast<float>(dots[i]) * (query.step() * step_of_row_[first + i]);
        }
    }
}

const RoundedRows* RoundedRowsOnDemand::of(const Matrix& matrix) const {
    if (const RoundedRows* const made = made_.load(std::memory_order_acquire)) {
        return made;
    }
    if (matrix.row_count() < kLeastRows || !was_asked_.exchange(true)) {
        return nullptr;
    }
    const std::unique_lock lock(making_, std::try_to_lock);
    if (!lock.owns_lock()) {
        return nullptr;
    }
    if (rows_ == nullptr) {
        rows_ = std::make_unique<const RoundedRows>(matrix);
        made_.store(rows_.get(), std::memory_order_release);
    }
    return rows_.get();
}

}  // namespace rootleaf::vector
