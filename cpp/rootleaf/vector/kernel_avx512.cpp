#include <immintrin.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// One register holds the sixteen lanes of a row. Its halves are taken apart as doubles: as floats
/// that would ask for more than AVX-512F. The mask of all four elements is there for GCC 12, which
/// warns of its own unmasked form.
float sum(__m512 lanes) {
    const __m512d doubles = _mm512_castps_pd(lanes);
    const __m256 low = _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xF, doubles, 0));
    const __m256 high = _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xF, doubles, 1));
    const __m256 eights = _mm256_add_ps(low, high);
    const __m128 fours =
        _mm_add_ps(_mm256_castps256_ps128(eights), _mm256_extractf128_ps(eights, 1));
    const __m128 twos = _mm_add_ps(fours, _mm_movehl_ps(fours, fours));
    return _mm_cvtss_f32(_mm_add_ss(twos, _mm_shuffle_ps(twos, twos, 1)));
}

/// `sums` and the products of sixteen elements.
__m512 add_products(__m512 sums, __m512 query, const float* row) {
    return _mm512_add_ps(sums, _mm512_mul_ps(query, _mm512_loadu_ps(row)));
}

float dot(const float* query, const float* row, std::size_t block_count) {
    __m512 lanes = _mm512_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        lanes = add_products(lanes, _mm512_loadu_ps(query + at), row + at);
    }
    return sum(lanes);
}

void dot_of_four(const float* query,
                 const float* const* rows,
                 std::size_t block_count,
                 float* dots) {
    __m512 lanes0 = _mm512_setzero_ps();
    __m512 lanes1 = _mm512_setzero_ps();
    __m512 lanes2 = _mm512_setzero_ps();
    __m512 lanes3 = _mm512_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const __m512 block = _mm512_loadu_ps(query + at);
        lanes0 = add_products(lanes0, block, rows[0] + at);
        lanes1 = add_products(lanes1, block, rows[1] + at);
        lanes2 = add_products(lanes2, block, rows[2] + at);
        lanes3 = add_products(lanes3, block, rows[3] + at);
    }
    dots[0] = sum(lanes0);
    dots[1] = sum(lanes1);
    dots[2] = sum(lanes2);
    dots[3] = sum(lanes3);
}

}  // namespace

const Kernel kAvx512Kernel = {"avx512", &dot, &dot_of_four};

}  // namespace rootleaf::vector
