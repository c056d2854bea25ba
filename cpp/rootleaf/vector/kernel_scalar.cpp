#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

namespace {

constexpr std::size_t kLanes = 16;

float dot(const float* query, const float* row, std::size_t block_count) {
    float lanes[kLanes] = {};  // NOLINT(*-avoid-c-arrays): kernels include no std::array
    for (std::size_t block = 0; block < block_count; ++block) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float product = query[block * kLanes + lane] * row[block * kLanes + lane];
            lanes[lane] += product;
        }
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t lane = 0; lane < half; ++lane) {
            lanes[lane] += lanes[lane + half];
        }
    }
    return lanes[0];
}

void dot_of_four(const float* query,
                 const float* const* rows,
                 std::size_t block_count,
                 float* dots) {
    for (std::size_t i = 0; i < 4; ++i) {
        dots[i] = dot(query, rows[i], block_count);
    }
}

}  // namespace

const Kernel kScalarKernel = {"scalar", &dot, &dot_of_four};

}  // namespace rootleaf::vector
