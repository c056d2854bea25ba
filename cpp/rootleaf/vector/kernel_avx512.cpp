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

float dot(const float* query, const float* row, std::size_t block_count) {
    __m512 lanes = _mm512_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const __m512 products =
            _mm512_mul_ps(_mm512_loadu_ps(query + at), _mm512_loadu_ps(row + at));
        lanes = _mm512_add_ps(lanes, products);
    }
    return sum(lanes);
}

void dots(const float* query,
          const float* rows,
          std::size_t row_count,
          std::size_t block_count,
          float* dots) {
    for (std::size_t i = 0; i < row_count; ++i) {
        dots[i] = dot(query, rows + i * block_count * 16, block_count);
    }
}

}  // namespace

const Kernel kAvx512Kernel = {"avx512", &dots, &step_dots_avx2};

}  // namespace rootleaf::vector
