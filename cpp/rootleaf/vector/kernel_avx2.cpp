#include <immintrin.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// Two registers hold the sixteen lanes of a row.
float sum(__m256 low, __m256 high) {
    const __m256 eights = _mm256_add_ps(low, high);
    const __m128 fours =
        _mm_add_ps(_mm256_castps256_ps128(eights), _mm256_extractf128_ps(eights, 1));
    const __m128 twos = _mm_add_ps(fours, _mm_movehl_ps(fours, fours));
    return _mm_cvtss_f32(_mm_add_ss(twos, _mm_shuffle_ps(twos, twos, 1)));
}

/// `sums` and the products of eight elements.
__m256 add_products(__m256 sums, __m256 query, const float* row) {
    return _mm256_add_ps(sums, _mm256_mul_ps(query, _mm256_loadu_ps(row)));
}

float dot(const float* query, const float* row, std::size_t block_count) {
    __m256 low = _mm256_setzero_ps();
    __m256 high = _mm256_setzero_ps();
    for (const float* end = query + block_count * 16; query != end; query += 16, row += 16) {
        low = add_products(low, _mm256_loadu_ps(query), row);
        high = add_products(high, _mm256_loadu_ps(query + 8), row + 8);
    }
    return sum(low, high);
}

void dot_of_four(const float* query,
                 const float* const* rows,
                 std::size_t block_count,
                 float* dots) {
    __m256 low0 = _mm256_setzero_ps();
    __m256 low1 = _mm256_setzero_ps();
    __m256 low2 = _mm256_setzero_ps();
    __m256 low3 = _mm256_setzero_ps();
    __m256 high0 = _mm256_setzero_ps();
    __m256 high1 = _mm256_setzero_ps();
    __m256 high2 = _mm256_setzero_ps();
    __m256 high3 = _mm256_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const __m256 low = _mm256_loadu_ps(query + at);
        const __m256 high = _mm256_loadu_ps(query + at + 8);
        low0 = add_products(low0, low, rows[0] + at);
        low1 = add_products(low1, low, rows[1] + at);
        low2 = add_products(low2, low, rows[2] + at);
        low3 = add_products(low3, low, rows[3] + at);
        high0 = add_products(high0, high, rows[0] + at + 8);
        high1 = add_products(high1, high, rows[1] + at + 8);
        high2 = add_products(high2, high, rows[2] + at + 8);
        high3 = add_products(high3, high, rows[3] + at + 8);
    }
    dots[0] = sum(low0, high0);
    dots[1] = sum(low1, high1);
    dots[2] = sum(low2, high2);
    dots[3] = sum(low3, high3);
}

}  // namespace

const Kernel kAvx2Kernel = {"avx2", &dot, &dot_of_four};

}  // namespace rootleaf::vector
