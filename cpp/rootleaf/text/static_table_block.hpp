#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rootleaf/text/static_table_format.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define ROOTLEAF_TABLE_SSE2
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define ROOTLEAF_TABLE_NEON
#endif

namespace rootleaf::text {

/// Sixteen sums that stay in registers while the same sixteen elements of many rows are added.
///
/// Written with the instructions that every CPU of an architecture has, since compilers were seen
/// to add these one by one, at a quarter of the speed. Whichever form is compiled, a product is
/// rounded before it is added to its sum, so that all forms give the same bits.
class SumBlock {
public:
    /// Adds the products of a scale with the format::kBlock numbers at `row`.
    void add(float scale, const std::int8_t* row) noexcept;

    void store(std::span<float, format::kBlock> sums) const noexcept;

private:
    // Registers are no template arguments, whose alignment would be ignored; a struct of one is.
#ifdef ROOTLEAF_TABLE_SSE2
    struct Four {
        __m128 sums = _mm_setzero_ps();
    };
    std::array<Four, 4> fours_;
#elif defined(ROOTLEAF_TABLE_NEON)
    struct Four {
        float32x4_t sums = vdupq_n_f32(0);
    };
    std::array<Four, 4> fours_;
#else
    std::array<float, format::kBlock> sums_{};
#endif
};

#ifdef ROOTLEAF_TABLE_SSE2

inline void SumBlock::add(float scale, const std::int8_t* row) noexcept {
    const __m128 scales = _mm_set1_ps(scale);
    const auto add_four = [&](Four& four, __m128i spread) {
        const __m128 numbers = _mm_cvtepi32_ps(_mm_srai_epi32(spread, 24));
        four.sums = _mm_add_ps(four.sums, _mm_mul_ps(scales, numbers));
    };
    // Four copies of a byte are an integer with the byte on top; shifted down it is the byte.
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
    const __m128i low = _mm_unpacklo_epi8(bytes, bytes);
    const __m128i high = _mm_unpackhi_epi8(bytes, bytes);
    add_four(fours_[0], _mm_unpacklo_epi16(low, low));
    add_four(fours_[1], _mm_unpackhi_epi16(low, low));
    add_four(fours_[2], _mm_unpacklo_epi16(high, high));
    add_four(fours_[3], _mm_unpackhi_epi16(high, high));
}

inline void SumBlock::store(std::span<float, format::kBlock> sums) const noexcept {
    for (std::size_t i = 0; i < fours_.size(); ++i) {
        _mm_storeu_ps(sums.data() + i * 4, fours_[i].sums);
    }
}

#elif defined(ROOTLEAF_TABLE_NEON)

inline void SumBlock::add(float scale, const std::int8_t* row) noexcept {
    const float32x4_t scales = vdupq_n_f32(scale);
    const auto add_four = [&](Four& four, int16x4_t numbers) {
        const float32x4_t floats = vcvtq_f32_s32(vmovl_s16(numbers));
        four.sums = vaddq_f32(four.sums, vmulq_f32(scales, floats));
    };
    const int8x16_t bytes = vld1q_s8(row);
    const int16x8_t low = vmovl_s8(vget_low_s8(bytes));
    const int16x8_t high = vmovl_s8(vget_high_s8(bytes));
    add_four(fours_[0], vget_low_s16(low));
    add_four(fours_[1], vget_high_s16(low));
    add_four(fours_[2], vget_low_s16(high));
    add_four(fours_[3], vget_high_s16(high));
}

inline void SumBlock::store(std::span<float, format::kBlock> sums) const noexcept {
    for (std::size_t i = 0; i < fours_.size(); ++i) {
        vst1q_f32(sums.data() + i * 4, fours_[i].sums);
    }
}

#else

inline void SumBlock::add(float scale, const std::int8_t* row) noexcept {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        sums_[i] += scale * static_cast<float>(row[i]);
    }
}

inline void SumBlock::store(std::span<float, format::kBlock> sums) const noexcept {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        sums[i] = sums_[i];
    }
}

#endif

}  // namespace rootleaf::text
