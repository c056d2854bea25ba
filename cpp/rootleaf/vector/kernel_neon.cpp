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

}  // namespace

const Kernel kNeonKernel = {"neon", &dots};

}  // namespace rootleaf::vector
