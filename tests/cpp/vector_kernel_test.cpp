#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/vector/dispatch.hpp"
#include "rootleaf/vector/matrix.hpp"
#include "rootleaf/vector/scan.hpp"

namespace {

using namespace rootleaf::vector;

/// Goes back to the widest kernel at the end of a test.
class Forced {
public:
    explicit Forced(const char* isa) { force_isa(isa); }
    Forced(const Forced&) = delete;
    Forced& operator=(const Forced&) = delete;
    Forced(Forced&&) = delete;
    Forced& operator=(Forced&&) = delete;
    ~Forced() { force_isa(""); }
};

/// Equal bits, or both a NaN.
bool is_same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

/// The order of summation as kernels.hpp states it, without a loop that could be fused or
/// reordered.
float dot_in_stated_order(const std::vector<float>& query, const float* row) {
    std::array<float, 16> lanes{};
    for (std::size_t i = 0; i < query.size(); ++i) {
        const volatile float product = query[i] * row[i];
        const volatile float sum = lanes[i % 16] + product;
        lanes[i % 16] = sum;
    }
    for (const std::size_t half : {8U, 4U, 2U, 1U}) {
        for (std::size_t lane = 0; lane < half; ++lane) {
            const volatile float sum = lanes[lane] + lanes[lane + half];
            lanes[lane] = sum;
        }
    }
    return lanes[0];
}

class Floats {
public:
    explicit Floats(std::uint32_t seed) : random_(seed) {}

    float ordinary() { return std::uniform_real_distribution<float>(-1.0F, 1.0F)(random_); }

    /// Any exponent and sign: denormals, zeros of both signs, values near the limits.
    float hostile() {
        using Limits = std::numeric_limits<float>;
        constexpr std::array kValues = {0.0F,           -0.0F,         Limits::denorm_min(),
                                        -Limits::min(), Limits::max(), -Limits::max(),
                                        1e19F,          -1.000000119F, Limits::epsilon(),
                                        16777217.0F,    -1e-30F,       3.0F};
        if (random_() % 4 == 0) {
            return kValues[random_() % kValues.size()];
        }
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
        return std::isfinite(value) ? value : 1.0F;
    }

    std::mt19937& random() { return random_; }

private:
    std::mt19937 random_;
};

/// Holds every kernel against the stated order, for rows that start at any float of a cache line.
template <typename Next>
void check_all_kernels(std::size_t block_count, std::size_t shift, Next&& next) {
    const std::size_t floats = block_count * kBlockFloats;
    std::vector<float> query(floats);
    for (float& element : query) {
        element = next();
    }
    RowFloats rows(4 * floats + shift);
    for (float& element : rows) {
        element = next();
    }
    for (const Kernel* kernel : available_kernels()) {
        CAPTURE(kernel->isa);
        CAPTURE(block_count);
        std::array<float, 5> dots = {-1.0F, -2.0F, -3.0F, -4.0F, -5.0F};
        kernel->dots(query.data(), rows.data() + shift, 4, block_count, dots.data());
        for (std::size_t i = 0; i < 4; ++i) {
            const float expected = dot_in_stated_order(query, rows.data() + shift + i * floats);
            REQUIRE(is_same(dots[i], expected));
        }
        REQUIRE(dots[4] == -5.0F);
        kernel->dots(query.data(), rows.data(), 0, block_count, dots.data() + 4);
        REQUIRE(dots[4] == -5.0F);
    }
}

}  // namespace

TEST_CASE("every kernel gives the bits of the stated order of summation") {
    Floats floats(1);
    for (std::size_t block_count = 0; block_count <= 128; ++block_count) {
        check_all_kernels(block_count, block_count % 16, [&] { return floats.ordinary(); });
    }
}

TEST_CASE("hostile floats give the same bits in every kernel") {
    Floats floats(2);
    for (std::size_t round = 0; round < 1000; ++round) {
        check_all_kernels(floats.random()() % 12, round % 16, [&] { return floats.hostile(); });
    }
}

TEST_CASE("products are rounded before they are added") {
    // 1 + 2^-12 squared needs one bit more than a float has; a fused add would keep it.
    RowFloats a(32);
    RowFloats b(32);
    a[0] = b[0] = 1.0F + std::ldexp(1.0F, -12);
    a[16] = -1.0F;
    b[16] = 1.0F + std::ldexp(1.0F, -11);
    for (const Kernel* kernel : available_kernels()) {
        CAPTURE(kernel->isa);
        float dot = 1.0F;
        kernel->dots(a.data(), b.data(), 1, 2, &dot);
        CHECK(dot == 0.0F);
    }
}

TEST_CASE("the scalar kernel is always there, and the widest runs unless one is forced") {
    const auto kernels = available_kernels();
    REQUIRE(!kernels.empty());
    CHECK(std::string(kernels.front()->isa) == "scalar");
    CHECK(&active_kernel() == kernels.back());
#if defined(__x86_64__) || defined(_M_X64)
    REQUIRE(kernels.size() >= 2);
    CHECK(std::string(kernels[1]->isa) == "sse2");
#elif defined(__aarch64__) || defined(_M_ARM64)
    REQUIRE(kernels.size() == 2);
    CHECK(std::string(kernels[1]->isa) == "neon");
#endif
}

TEST_CASE("the kernel that is forced is the one that runs, with the same result") {
    Floats floats(3);
    MatrixBuilder builder(100);
    std::vector<std::vector<float>> vectors;
    for (int i = 0; i < 11; ++i) {
        std::vector<float> vector(100);
        double squares = 0.0;
        for (float& element : vector) {
            element = floats.ordinary();
            squares += static_cast<double>(element) * static_cast<double>(element);
        }
        for (float& element : vector) {
            element = static_cast<float>(static_cast<double>(element) / std::sqrt(squares));
        }
        builder.add(vector);
        vectors.push_back(vector);
    }
    const MatrixParts parts = builder.build();
    std::vector<float> first;
    for (const Kernel* kernel : available_kernels()) {
        const Forced forced(kernel->isa);
        REQUIRE(&active_kernel() == kernel);
        std::vector<float> similarities(11);
        scan(parts.matrix(), QueryVector(vectors[4]), std::span<const std::uint8_t>{},
             similarities);
        if (first.empty()) {
            first = similarities;
        }
        CHECK(similarities == first);
    }
    CHECK(&active_kernel() == available_kernels().back());
}

TEST_CASE("an instruction set that is unknown or not there is named with those that are") {
    const Kernel& before = active_kernel();
    for (const char* isa : {"avx1024", "AVX2", "scalar ", "vsx"}) {
        CAPTURE(isa);
        try {
            force_isa(isa);
            FAIL("it was accepted");
        } catch (const rootleaf::Error& error) {
            const std::string message = error.what();
            CHECK(error.code() == rootleaf::ErrorCode::invalid_input);
            CHECK(message.find("'" + std::string(isa) + "'") != std::string::npos);
            for (const Kernel* kernel : available_kernels()) {
                CHECK(message.find(" " + std::string(kernel->isa)) != std::string::npos);
            }
        }
        CHECK(&active_kernel() == &before);
    }
}
