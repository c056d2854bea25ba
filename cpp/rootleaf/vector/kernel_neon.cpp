#include <arm_neon.h>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

/// Four registers hold the sixteen lanes of a row. Multiply and add stay two instructions: vmlaq
/// and vfmaq would round once.
struct Lanes {
    float32x4_t a = vdupq_n_f32(0.0F);
    float32x4_t b = vdupq_n_f32(0.0F);
    float32x4_t c = vdupq_n_f32(0.0F);
    float32x4_t d = vdupq_n_f32(0.0F);
};

float sum(const Lanes& lanes) {
    const float32x4_t fours = vaddq_f32(vaddq_f32(lanes.a, lanes.c), vaddq_f32(lanes.b, lanes.d));
    const float32x2_t twos = vadd_f32(vget_low_f32(fours), vget_high_f32(fours));
    return vget_lane_f32(twos, 0) + vget_lane_f32(twos, 1);
}

void add_products(Lanes& lanes, const float* query, const float* row) {
    lanes.a = vaddq_f32(lanes.a, vmulq_f32(vld1q_f32(query), vld1q_f32(row)));
    lanes.b = vaddq_f32(lanes.b, vmulq_f32(vld1q_f32(query + 4), vld1q_f32(row + 4)));
    lanes.c = vaddq_f32(lanes.c, vmulq_f32(vld1q_f32(query + 8), vld1q_f32(row + 8)));
    lanes.d = vaddq_f32(lanes.d, vmulq_f32(vld1q_f32(query + 12), vld1q_f32(row + 12)));
}

float dot(const float* query, const float* row, std::size_t block_count) {
    Lanes lanes;
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        add_products(lanes, query + at, row + at);
    }
    return sum(lanes);
}

void dot_of_four(const float* query,
                 const float* const* rows,
                 std::size_t block_count,
                 float* dots) {
    Lanes lanes0;
    Lanes lanes1;
    Lanes lanes2;
    Lanes lanes3;
    for (std::size_t at = 0; at < block_count * 16; at += 16) {
        add_products(lanes0, query + at, rows[0] + at);
        add_products(lanes1, query + at, rows[1] + at);
        add_products(lanes2, query + at, rows[2] + at);
        add_products(lanes3, query + at, rows[3] + at);
    }
    dots[0] = sum(lanes0);
    dots[1] = sum(lanes1);
    dots[2] = sum(lanes2);
    dots[3] = sum(lanes3);
}

}  // namespace

const Kernel kNeonKernel = {"neon", &dot, &dot_of_four};

}  // namespace rootleaf::vector
