#include "rootleaf/vector/scan.hpp"

#include <algorithm>
#include <string>

#include "rootleaf/base/error.hpp"
#include "rootleaf/rank/top_k.hpp"
#include "rootleaf/vector/dispatch.hpp"

namespace rootleaf::vector {

namespace {

/// Writes the similarities of rows that follow each other. Rounding may leave the cosine of equal
/// vectors a little above 1.
void compare(const Matrix& matrix,
             const QueryVector& query,
             std::uint32_t first_row,
             std::span<float> similarities) {
    active_kernel().dots(query.data(), matrix.row(first_row), similarities.size(),
                         matrix.block_count(), similarities.data());
    for (float& similarity : similarities) {
        similarity = std::clamp(similarity, 0.0F, 1.0F);
    }
}

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
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < matrix.row_count() && matrix.has(rows[i])) {
            compare(matrix, query, rows[i], similarities.subspan(i, 1));
        }
    }
}

void scan(const Matrix& matrix,
          const QueryVector& query,
          std::span<const std::uint8_t> allowed,
          std::span<float> similarities) {
    check(matrix, query, matrix.row_count(), similarities.size(), allowed.size());
    std::ranges::fill(similarities, 0.0F);
    const auto is_compared = [&](std::uint32_t row) {
        return matrix.has(row) && (allowed.empty() || allowed[row] != 0);
    };
    std::uint32_t row = 0;
    while (row < matrix.row_count()) {
        const std::uint32_t first = row;
        while (row < matrix.row_count() && is_compared(row)) {
            ++row;
        }
        compare(matrix, query, first, similarities.subspan(first, row - first));
        ++row;
    }
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
