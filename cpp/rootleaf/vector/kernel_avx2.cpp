#include <immintrin.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// `sums` and the products of eight elements.
__m256 add_products(__m256 sums, const float* query, const float* row) {
    return _mm256_add_ps(sums, _mm256_mul_ps(_mm256_loadu_ps(query), _mm256_loadu_ps(row)));
}

/// Two registers hold the sixteen lanes of a row.
float dot(const float* query, const float* row, std::size_t block_count) {
    __m256 low = _mm256_setzero_ps();
    __m256 high = _mm256_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        low = add_products(low, query + at, row + at);
        high = add_products(high, query + at + 8, row + at + 8);
    }
    const __m256 eights = _mm256_add_ps(low, high);
    const __m128 fours =
        _mm_add_ps(_mm256_castps256_ps128(eights), _mm256_extractf128_ps(eights, 1));
    const __m128 twos = _mm_add_ps(fours, _mm_movehl_ps(fours, fours));
    return _mm_cvtss_f32(_mm_add_ss(twos, _mm_shuffle_ps(twos, twos, 1)));
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

std::int32_t step_dot(const std::int16_t* query, const std::int8_t* row, std::size_t block_count) {
    __m256i sums = _mm256_setzero_si256();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const __m256i steps =
            _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + at)));
        const __m256i own = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query + at));
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(own, steps));
    }
    const __m128i fours =
        _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    const __m128i twos = _mm_add_epi32(fours, _mm_shuffle_epi32(fours, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(twos, _mm_shuffle_epi32(twos, 0xB1)));
}

}  // namespace

void step_dots_avx2(const std::int16_t* query,
                    const std::int8_t* rows,
                    std::size_t row_count,
                    std::size_t block_count,
                    std::int32_t* dots) {
    for (std::size_t i = 0; i < row_count; ++i) {
        dots[i] = step_dot(query, rows + i * block_count * 16, block_count);
    }
}

const Kernel kAvx2Kernel = {"avx2", &dots, &step_dots_avx2};

}  // namespace rootleaf::vector
