#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rootleaf/vector/matrix.hpp"

namespace rootleaf::vector {

/// The vector of a query, rounded to whole steps for RoundedRows.
class RoundedQuery {
public:
    explicit RoundedQuery(const QueryVector& query);

    [[nodiscard]] const std::int16_t* steps() const noexcept { return steps_.data(); }
    [[nodiscard]] float step() const noexcept { return step_; }
    /// At least the length of what rounding took away.
    [[nodiscard]] float loss() const noexcept { return loss_; }

private:
    std::vector<std::int16_t> steps_;  // whole blocks, as in a row of a matrix
    float step_ = 0.0F;
    float loss_ = 0.0F;
};

/// The rows of a matrix in a quarter of its memory, each element rounded to one of 255 steps of its
/// row. What they tell of a similarity is bounded, so that a scan of them says which few rows have
/// to be compared exactly.
class RoundedRows {
public:
    explicit RoundedRows(const Matrix& matrix);

    /// A similarity before it is cut off at 0 and 1, as `scan` computes it, lies between
    /// `estimate - margin` and `estimate + margin`.
    ///
    /// @param estimates  of the rows from `first_row` on
    void estimate(const RoundedQuery& query,
                  std::uint32_t first_row,
                  std::span<float> estimates) const;
    [[nodiscard]] float margin(const RoundedQuery& query, std::uint32_t row) const noexcept {
        const float loss = losses_[row];
        return loss * kMostLength + query.loss() * (kMostLength + loss) + float_error_;
    }

private:
    /// Of a row that is a unit vector up to rounding.
    static constexpr float kMostLength = 1.002F;

    std::size_t row_steps_;
    float float_error_;               // of the sum that `scan` computes, and of an estimate
    std::vector<std::int8_t> steps_;  // row after row, each of whole blocks
    std::vector<float> step_of_row_;  // what one step of the row is
    std::vector<float> losses_;       // by row, as RoundedQuery::loss
};

/// The rounded rows of a matrix, made by the second search that asks: a process that asks once is
/// done sooner without. Any number of threads may ask.
class RoundedRowsOnDemand {
public:
    /// Null for the first that asks, while another thread makes them, and for a matrix that is
    /// scanned as fast.
    [[nodiscard]] const RoundedRows* of(const Matrix& matrix) const;

private:
    mutable std::atomic<bool> was_asked_ = false;
    mutable std::atomic<const RoundedRows*> made_ = nullptr;
    mutable std::mutex making_;
    mutable std::unique_ptr<const RoundedRows> rows_;
};

}  // namespace rootleaf::vector
