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

void dots(const float* query,
          const float* rows,
          std::size_t row_count,
          std::size_t block_count,
          float* dots) {
    for (std::size_t i = 0; i < row_count; ++i) {
        dots[i] = dot(query, rows + i * block_count * kLanes, block_count);
    }
}

std::int32_t step_dot(const std::int16_t* query, const std::int8_t* row, std::size_t block_count) {
    std::int32_t sum = 0;
    for (std::size_t at = 0; at < block_count * kLanes; ++at) {
        sum += static_cast<std::int32_t>(query[at]) * static_cast<std::int32_t>(row[at]);
    }
    return sum;
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

const Kernel kScalarKernel = {"scalar", &dots, &step_dots};

}  // namespace rootleaf::vector
