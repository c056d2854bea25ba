#include <emmintrin.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// Four registers hold the sixteen lanes of a row.
float sum(__m128 a, __m128 b, __m128 c, __m128 d) {
    const __m128 fours = _mm_add_ps(_mm_add_ps(a, c), _mm_add_ps(b, d));
    const __m128 twos = _mm_add_ps(fours, _mm_movehl_ps(fours, fours));
    return _mm_cvtss_f32(_mm_add_ss(twos, _mm_shuffle_ps(twos, twos, 1)));
}

float dot(const float* query, const float* row, std::size_t block_count) {
    __m128 a = _mm_setzero_ps();
    __m128 b = _mm_setzero_ps();
    __m128 c = _mm_setzero_ps();
    __m128 d = _mm_setzero_ps();
    for (const float* end = query + block_count * 16; query != end; query += 16, row += 16) {
        a = _mm_add_ps(a, _mm_mul_ps(_mm_loadu_ps(query), _mm_loadu_ps(row)));
        b = _mm_add_ps(b, _mm_mul_ps(_mm_loadu_ps(query + 4), _mm_loadu_ps(row + 4)));
        c = _mm_add_ps(c, _mm_mul_ps(_mm_loadu_ps(query + 8), _mm_loadu_ps(row + 8)));
        d = _mm_add_ps(d, _mm_mul_ps(_mm_loadu_ps(query + 12), _mm_loadu_ps(row + 12)));
    }
    return sum(a, b, c, d);
}

/// Row by row: four rows at once would need more registers than there are, and one row already has
/// four sums that do not wait for each other.
void dot_of_four(const float* query,
                 const float* const* rows,
                 std::size_t block_count,
                 float* dots) {
    for (std::size_t i = 0; i < 4; ++i) {
        dots[i] = dot(query, rows[i], block_count);
    }
}

}  // namespace

const Kernel kSse2Kernel = {"sse2", &dot, &dot_of_four};

}  // namespace rootleaf::vector
