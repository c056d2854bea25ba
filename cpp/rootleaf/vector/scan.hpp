#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rootleaf/vector/matrix.hpp"

namespace rootleaf::vector {

/// The similarity of each row to the query: their cosine, and 0 where that is negative or the row
/// is absent, so that it lies in 0..1. The same bits on every instruction set, whichever rows are
/// asked for beside it (kernels.hpp says how sums run).
///
/// All throw Error(invalid_input) if query and matrix differ in dimension.

/// @param rows          which rows, in any order; each below matrix.row_count()
/// @param similarities  one for each of `rows`
void scan(const Matrix& matrix,
          const QueryVector& query,
          std::span<const std::uint32_t> rows,
          std::span<float> similarities);

/// @param allowed       one byte per row, not 0 where it is to be compared; or empty: all are
/// @param similarities  one for each row; 0 where it is not allowed
void scan(const Matrix& matrix,
          const QueryVector& query,
          std::span<const std::uint8_t> allowed,
          std::span<float> similarities);

struct Neighbor {
    std::uint32_t row;
    float similarity;

    friend bool operator==(const Neighbor&, const Neighbor&) = default;
};

/// The `limit` allowed rows that are most similar to the query, best first, ties by row; only such
/// as have a similarity above 0. Exact: no row is left out.
[[nodiscard]] std::vector<Neighbor> nearest(const Matrix& matrix,
                                            const QueryVector& query,
                                            std::span<const std::uint8_t> allowed,
                                            std::size_t limit);

}  // namespace rootleaf::vector
