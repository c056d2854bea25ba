#include <arm_neon.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// `sums` and the products of four elements. They stay two instructions: vmlaq and vfmaq may round
/// once.
float32x4_t add_products(float32x4_t sums, const float* query, const float* row) {
    return vaddq_f32(sums, vmulq_f32(vld1q_f32(query), vld1q_f32(row)));
}

/// Four registers hold the sixteen lanes of a row.
float dot(const float* query, const float* row, std::size_t block_count) {
    float32x4_t a = vdupq_n_f32(0.0F);
    float32x4_t b = a;
    float32x4_t c = a;
    float32x4_t d = a;
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        a = add_products(a, query + at, row + at);
        b = add_products(b, query + at + 4, row + at + 4);
        c = add_products(c, query + at + 8, row + at + 8);
        d = add_products(d, query + at + 12, row + at + 12);
    }
    const float32x4_t fours = vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d));
    const float32x2_t twos = vadd_f32(vget_low_f32(fours), vget_high_f32(fours));
    return vget_lane_f32(twos, 0) + vget_lane_f32(twos, 1);
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
    int32x4_t sums = vdupq_n_s32(0);
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        const int8x16_t steps = vld1q_s8(row + at);
        const int16x8_t low = vmovl_s8(vget_low_s8(steps));
        const int16x8_t high = vmovl_s8(vget_high_s8(steps));
        const int16x8_t own = vld1q_s16(query + at);
        const int16x8_t next = vld1q_s16(query + at + 8);
        sums = vmlal_s16(sums, vget_low_s16(own), vget_low_s16(low));
        sums = vmlal_s16(sums, vget_high_s16(own), vget_high_s16(low));
        sums = vmlal_s16(sums, vget_low_s16(next), vget_low_s16(high));
        sums = vmlal_s16(sums, vget_high_s16(next), vget_high_s16(high));
    }
    const int32x2_t twos = vadd_s32(vget_low_s32(sums), vget_high_s32(sums));
    return vget_lane_s32(twos, 0) + vget_lane_s32(twos, 1);
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

const Kernel kNeonKernel = {"neon", &dots, &step_dots};

}  // namespace rootleaf::vector
