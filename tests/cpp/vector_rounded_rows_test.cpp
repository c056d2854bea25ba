#include "rootleaf/vector/rounded_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "rootleaf/vector/dispatch.hpp"

namespace {

using namespace rootleaf::vector;

/// A unit vector; now and then one whose length is mostly in one element, or in equal ones.
std::vector<float> unit(std::mt19937& random, std::uint32_t dimension) {
    std::vector<float> vector(dimension);
    const std::uint32_t kind = random() % 4;
    double squares = 0.0;
    for (float& element : vector) {
        const auto number = static_cast<float>(static_cast<int>(random() % 2001) - 1000);
        element = kind == 0 ? std::copysign(1.0F, number) : number;
    }
    if (kind == 1) {
        vector[random() % dimension] = 1e6F;
    }
    for (const float element : vector) {
        squares += static_cast<double>(element) * static_cast<double>(element);
    }
    if (squares == 0.0) {
        vector[0] = 1.0F;
        squares = 1.0;
    }
    for (float& element : vector) {
        element = static_cast<float>(static_cast<double>(element) / std::sqrt(squares));
    }
    return vector;
}

MatrixParts matrix(std::mt19937& random, std::uint32_t dimension, std::uint32_t rows) {
    MatrixBuilder builder(dimension);
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (random() % 8 == 0) {
            builder.add_absent();
        } else {
            builder.add(unit(random, dimension));
        }
    }
    return builder.build();
}

}  // namespace

TEST_CASE("a similarity lies within the margin of its estimate, which every kernel gives alike") {
    std::mt19937 random(7);
    for (const std::uint32_t dimension : {1U, 2U, 15U, 16U, 17U, 100U, 256U, 768U, 4096U, 65536U}) {
        CAPTURE(dimension);
        const std::uint32_t row_count = dimension > 4096 ? 3 : 130;
        const MatrixParts parts = matrix(random, dimension, row_count);
        const Matrix rows = parts.matrix();
        const RoundedRows rounded(rows);
        for (int round = 0; round < 4; ++round) {
            const std::vector<float> question =
                round == 0 ? std::vector<float>(rows.row(1), rows.row(1) + dimension)
                           : unit(random, dimension);
            if (round == 0 && !rows.has(1)) {
                continue;
            }
            const QueryVector query(question);
            const RoundedQuery rounded_query(query);
            std::vector<float> expected;
            for (const Kernel* kernel : available_kernels()) {
                CAPTURE(kernel->isa);
                force_isa(kernel->isa);
                std::vector<float> estimates(row_count - 1, -9.0F);
                rounded.estimate(rounded_query, 1, estimates);
                expected = expected.empty() ? estimates : expected;
                REQUIRE(estimates == expected);
            }
            force_isa("");
            for (std::uint32_t row = 1; row < row_count; ++row) {
                double dot = 0.0;
                for (std::uint32_t i = 0; i < dimension; ++i) {
                    dot += static_cast<double>(query.data()[i]) *
                           static_cast<double>(rows.row(row)[i]);
                }
                const double away = std::abs(static_cast<double>(expected[row - 1]) - dot);
                REQUIRE(away <= static_cast<double>(rounded.margin(rounded_query, row)));
            }
            // Or else they would tell nothing.
            REQUIRE(rounded.margin(rounded_query, 0) < 0.08F);
        }
    }
}

TEST_CASE("sums of whole numbers are exact to the greatest that a query is rounded to") {
    for (const std::size_t block_count : {std::size_t{1}, std::size_t{32}, std::size_t{4096}}) {
        const std::size_t count = block_count * kBlockFloats;
        const auto most =
            static_cast<std::int16_t>(std::min<std::size_t>(32767, 2147483647 / (127 * count)));
        for (const std::int32_t sign : {1, -1}) {
            const std::vector<std::int16_t> query(count, most);
            const std::vector<std::int8_t> rows(count * 2, static_cast<std::int8_t>(127 * sign));
            for (const Kernel* kernel : available_kernels()) {
                CAPTURE(kernel->isa);
                std::vector<std::int32_t> dots(3, 5);
                kernel->step_dots(query.data(), rows.data(), 2, block_count, dots.data());
                const std::int32_t expected = sign * 127 * most * static_cast<std::int32_t>(count);
                CHECK(dots == std::vector<std::int32_t>{expected, expected, 5});
            }
        }
    }
}

TEST_CASE("rows are rounded for the second search, and not for a few") {
    std::mt19937 random(8);
    const MatrixParts many = matrix(random, 3, 256);
    const RoundedRowsOnDemand on_demand;
    CHECK(on_demand.of(many.matrix()) == nullptr);
    const RoundedRows* const rows = on_demand.of(many.matrix());
    CHECK(rows != nullptr);
    CHECK(on_demand.of(many.matrix()) == rows);
    const MatrixParts few = matrix(random, 3, 255);
    const RoundedRowsOnDemand never;
    CHECK(never.of(few.matrix()) == nullptr);
    CHECK(never.of(few.matrix()) == nullptr);
}
