#include "rootleaf/vector/scan.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "rootleaf/base/error.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/vector/dispatch.hpp"

namespace rootleaf::vector {

namespace {

/// Rounding may leave the cosine of equal vectors a little above 1.
float similarity_of(float cosine) noexcept { return std::clamp(cosine, 0.0F, 1.0F); }

/// Gathers the rows that are to be compared and gives them to the kernel in fours. The kernel gives
/// a row the same bits alone as in any four, so it does not matter how they fall.
class Fours {
public:
    Fours(const Matrix& matrix, const QueryVector& query, std::span<float> similarities)
        : kernel_(active_kernel()), matrix_(matrix), query_(query), similarities_(similarities) {}

    /// Has the similarity of `row` written at `place`.
    void push(std::uint32_t row, std::size_t place) {
        rows_[count_] = matrix_.row(row);
        places_[count_] = place;
        if (++count_ == rows_.size()) {
            std::array<float, 4> dots{};
            kernel_.dot_of_four(query_.data(), rows_.data(), matrix_.block_count(), dots.data());
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                similarities_[places_[i]] = similarity_of(dots[i]);
            }
            count_ = 0;
        }
    }

    /// Those that made no four.
    void finish() {
        for (std::size_t i = 0; i < count_; ++i) {
            similarities_[places_[i]] =
                similarity_of(kernel_.dot(query_.data(), rows_[i], matrix_.block_count()));
        }
        count_ = 0;
    }

private:
    const Kernel& kernel_;
    const Matrix& matrix_;
    const QueryVector& query_;
    std::span<float> similarities_;
    std::array<const float*, 4> rows_{};
    std::array<std::size_t, 4> places_{};
    std::size_t count_ = 0;
};

void check(const Matrix& matrix,
           const QueryVector& query,
           std::size_t expected,
           std::size_t places,
           std::size_t allowed) {
    if (query.dimension() != matrix.dimension()) {
        throw Error(ErrorCode::invalid_input, "the query's vector has " +
                                                  std::to_string(query.dimension()) +
                                                  " elements, and those of the index have " +
                                                  std::to_string(matrix.dimension()));
    }
    if (places != expected || (allowed != 0 && allowed != expected)) {
        throw Error(ErrorCode::internal, "a scan has not one place and one mark for each row");
    }
}

struct MoreSimilar {
    bool operator()(const Neighbor& a, const Neighbor& b) const noexcept {
        return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
    }
};

}  // namespace

void scan(const Matrix& matrix,
          const QueryVector& query,
          std::span<const std::uint32_t> rows,
          std::span<float> similarities) {
    check(matrix, query, rows.size(), similarities.size(), 0);
    std::ranges::fill(similarities, 0.0F);
    Fours fours(matrix, query, similarities);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < matrix.row_count() && matrix.has(rows[i])) {
            fours.push(rows[i], i);
        }
    }
    fours.finish();
}

void scan(const Matrix& matrix,
          const QueryVector& query,
          std::span<const std::uint8_t> allowed,
          std::span<float> similarities) {
    check(matrix, query, matrix.row_count(), similarities.size(), allowed.size());
    std::ranges::fill(similarities, 0.0F);
    Fours fours(matrix, query, similarities);
    for (std::uint32_t row = 0; row < matrix.row_count(); ++row) {
        if (matrix.has(row) && (allowed.empty() || allowed[row] != 0)) {
            fours.push(row, row);
        }
    }
    fours.finish();
}

std::vector<Neighbor> nearest(const Matrix& matrix,
                              const QueryVector& query,
                              std::span<const std::uint8_t> allowed,
                              std::size_t limit) {
    std::vector<float> similarities(matrix.row_count());
    scan(matrix, query, allowed, similarities);
    rank::TopK<Neighbor, MoreSimilar> best(limit, {});
    for (std::uint32_t row = 0; row < matrix.row_count(); ++row) {
        if (similarities[row] > 0.0F) {
            best.offer({row, similarities[row]});
        }
    }
    return best.take();
}

}  // namespace rootleaf::vector
