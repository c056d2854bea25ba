#include <emmintrin.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// `sums` and the products of four elements.
__m128 add_products(__m128 sums, const float* query, const float* row) {
    return _mm_add_ps(sums, _mm_mul_ps(_mm_loadu_ps(query), _mm_loadu_ps(row)));
}

/// Four registers hold the sixteen lanes of a row.
float dot(const float* query, const float* row, std::size_t block_count) {
    __m128 a = _mm_setzero_ps();
    __m128 b = _mm_setzero_ps();
    __m128 c = _mm_setzero_ps();
    __m128 d = _mm_setzero_ps();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        a = add_products(a, query + at, row + at);
        b = add_products(b, query + at + 4, row + at + 4);
        c = add_products(c, query + at + 8, row + at + 8);
        d = add_products(d, query + at + 12, row + at + 12);
    }
    const __m128 fours = _mm_add_ps(_mm_add_ps(a, c), _mm_add_ps(b, d));
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
    __m128i sums = _mm_setzero_si128();
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const __m128i steps = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + at));
        // Each byte twice, then shifted down with its sign.
        const __m128i low = _mm_srai_epi16(_mm_unpacklo_epi8(steps, steps), 8);
        const __m128i high = _mm_srai_epi16(_mm_unpackhi_epi8(steps, steps), 8);
        const auto* const own = reinterpret_cast<const __m128i*>(query + at);
        sums = _mm_add_epi32(sums, _mm_madd_epi16(_mm_loadu_si128(own), low));
        sums = _mm_add_epi32(sums, _mm_madd_epi16(_mm_loadu_si128(own + 1), high));
    }
    const __m128i twos = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(twos, _mm_shuffle_epi32(twos, 0xB1)));
}

void step_dots(const std::int16_t* query,
               const std::int8_t* rows,
               std::size_t row_count,
               std::size_t block_count,
               std::int32_t* dots) {
    for (std::size_t i = 0; i < row_count; ++i) {
        dots[i] = step_dot(query, rows + i * block_count * 16, block_count);
    }
}

}  // namespace

const Kernel kSse2Kernel = {"sse2", &dots, &step_dots};

}  // namespace rootleaf::vector
