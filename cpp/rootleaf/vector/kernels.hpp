#pragma once

// Kernel files are compiled for instruction sets that not every CPU has, so they include nothing
// but this, <cstddef>, <cstdint> and intrinsics, and nothing here is inline: a template or inline
// function compiled there could be linked into code that runs everywhere.
#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

namespace rootleaf::vector {

/// Dot products, in one order of summation on every instruction set, so that all give the same
/// bits: sixteen lanes, of which lane j adds the products of elements j, j + 16, j + 32, … in this
/// order, each product rounded before it is added (no fused multiply-add); then the lanes are
/// added in halves, lane j to lane j + 8, j to j + 4, j to j + 2, 0 to 1. Vectors are whole blocks
/// of sixteen floats, filled up with zeros. Where a sum is a NaN, its payload may differ.
///
/// Rows are read one after the other, as they lie: CPUs overlap the sums of consecutive rows by
/// themselves, and a scan of four rows at once was measured to read memory at half the speed.
/// No alignment is needed; 64 bytes are faster.
struct Kernel {
    const char* isa;  ///< as in ROOTLEAF_ISA
    /// The dot products of the query with `row_count` rows that follow each other, each of
    /// `block_count` blocks.
    void (*dots)(const float* query,
                 const float* rows,
                 std::size_t row_count,
                 std::size_t block_count,
                 float* dots);
    /// The same of whole numbers, exactly; no sum of products leaves 32 bits.
    void (*step_dots)(const std::int16_t* query,
                      const std::int8_t* rows,
                      std::size_t row_count,
                      std::size_t block_count,
                      std::int32_t* dots);
};

/// What kAvx2Kernel.step_dots is: also the best that AVX-512F alone has for whole numbers.
void step_dots_avx2(const std::int16_t* query,
                    const std::int8_t* rows,
                    std::size_t row_count,
                    std::size_t block_count,
                    std::int32_t* dots);

extern const Kernel kScalarKernel;
extern const Kernel kSse2Kernel;    // x86-64
extern const Kernel kAvx2Kernel;    // x86-64
extern const Kernel kAvx512Kernel;  // x86-64
extern const Kernel kNeonKernel;    // 64-bit ARM

}  // namespace rootleaf::vector
