#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/vector/matrix.hpp"

namespace {

using namespace rootleaf::vector;

std::string refusal(MatrixBuilder& builder, const std::vector<float>& floats) {
    try {
        builder.add(floats);
    } catch (const rootleaf::Error& error) {
        CHECK(error.code() == rootleaf::ErrorCode::invalid_input);
        return error.what();
    }
    return "accepted";
}

/// Three rows of three dimensions, the second absent.
MatrixParts three_rows() {
    MatrixBuilder builder(3);
    builder.add(std::vector{0.6F, 0.0F, 0.8F});
    builder.add_absent();
    builder.add(std::vector{0.0F, -1.0F, 0.0F});
    return builder.build();
}

}  // namespace

TEST_CASE("rows start at cache lines, are filled up with zeros, and absent ones are zeros") {
    const MatrixParts parts = three_rows();
    const Matrix matrix = parts.matrix();
    REQUIRE(matrix.row_count() == 3);
    CHECK(matrix.dimension() == 3);
    CHECK(matrix.block_count() == 1);
    CHECK(matrix.rows().size() == 48);
    CHECK(matrix.has(0));
    CHECK(!matrix.has(1));
    CHECK(matrix.has(2));
    for (std::uint32_t row = 0; row < 3; ++row) {
        CHECK(reinterpret_cast<std::uintptr_t>(matrix.row(row)) % kRowAlignmentBytes == 0);
        for (std::size_t i = matrix.has(row) ? 3 : 0; i < 16; ++i) {
            CHECK(matrix.row(row)[i] == 0.0F);
        }
    }
    CHECK(matrix.row(2)[1] == -1.0F);
    CHECK(!find_fault(matrix));
}

TEST_CASE("a vector of nearly unit length is scaled to unit length in one stated way") {
    MatrixBuilder builder(4);
    const std::vector<float> vector = {0.5F, 0.5F, 0.5F, 0.5005F};
    builder.add(vector);
    builder.add(vector);
    const MatrixParts parts = builder.build();
    double squares = 0.0;
    for (const float element : vector) {
        squares += static_cast<double>(element) * static_cast<double>(element);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const auto expected =
            static_cast<float>(static_cast<double>(vector[i]) / std::sqrt(squares));
        CHECK(parts.matrix().row(0)[i] == expected);
        CHECK(parts.matrix().row(1)[i] == expected);
        CHECK(QueryVector(vector).data()[i] == expected);
    }
}

TEST_CASE("what is no unit vector is refused, named, and not kept") {
    MatrixBuilder builder(2);
    builder.add(std::vector{1.0F, 0.0F});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(refusal(builder, {1.0F}) == "vector 1 has 1 elements, and must have 2");
    CHECK(refusal(builder, {1.0F, 0.0F, 0.0F}) == "vector 1 has 3 elements, and must have 2");
    CHECK(refusal(builder, {1.0F, nan}) == "vector 1 holds a NaN as element 1");
    CHECK(refusal(builder, {-infinity, 0.0F}) == "vector 1 holds an infinity as element 0");
    CHECK(refusal(builder, {0.0F, -0.0F}) == "vector 1 is zero, which has no direction");
    CHECK(refusal(builder, {1.0F, 0.1F}).starts_with("vector 1 has a length of 1.00"));
    CHECK(refusal(builder, {0.99F, 0.0F}).starts_with("vector 1 has a length of 0.99"));
    const float denormal = std::numeric_limits<float>::denorm_min();
    CHECK(refusal(builder, {denormal, 0.0F}).starts_with("vector 1 has a length of 0.00"));
    const float greatest = std::numeric_limits<float>::max();
    CHECK(refusal(builder, {greatest, greatest}).starts_with("vector 1 has a length of 48"));
    CHECK(builder.row_count() == 1);
    CHECK(builder.build().rows.size() == 16);
    CHECK_THROWS_AS(QueryVector(std::vector<float>{}), rootleaf::Error);
    CHECK_THROWS_AS(QueryVector(std::vector{0.5F}), rootleaf::Error);
    CHECK_THROWS_AS(MatrixBuilder(0), rootleaf::Error);
    CHECK_THROWS_AS(MatrixBuilder(kMaxDimension + 1), rootleaf::Error);
}

TEST_CASE("a row that is merged keeps its bits, and may be absent") {
    const MatrixParts parts = three_rows();
    MatrixBuilder builder(3);
    for (const std::uint32_t row : {2U, 1U, 0U, 0U}) {
        builder.append(parts.matrix(), row);
    }
    const MatrixParts merged = builder.build();
    const Matrix matrix = merged.matrix();
    REQUIRE(matrix.row_count() == 4);
    CHECK(std::vector<std::uint8_t>{1, 0, 1, 1} == merged.present);
    CHECK(std::equal(matrix.row(0), matrix.row(0) + 16, parts.matrix().row(2)));
    CHECK(std::equal(matrix.row(3), matrix.row(3) + 16, parts.matrix().row(0)));
    CHECK(!find_fault(matrix));
    CHECK(builder.row_count() == 0);
    MatrixBuilder other(4);
    CHECK_THROWS_AS(other.append(parts.matrix(), 0), rootleaf::Error);
}

TEST_CASE("arrays of a file that would lead a scan astray are found") {
    const MatrixParts sound = three_rows();
    const auto has_fault = [&](auto&& spoil) {
        MatrixParts parts = sound;
        spoil(parts);
        return find_fault(parts.matrix()).has_value();
    };
    CHECK(!has_fault([](MatrixParts&) {}));
    CHECK(has_fault([](MatrixParts& parts) { parts.dimension = 0; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.dimension = 17; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.dimension = 0xFFFFFFFF; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows.pop_back(); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows.resize(32); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.present.push_back(0); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.present[0] = 2; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.present[1] = 1; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.present[2] = 0; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows[1] = std::nanf(""); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows[16] = std::nanf(""); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows[15] = 1e-6F; }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows[20] = 1e-30F; }));
    CHECK(has_fault(
        [](MatrixParts& parts) { parts.rows[33] = std::numeric_limits<float>::infinity(); }));
    CHECK(has_fault([](MatrixParts& parts) { parts.rows[33] = 3e38F; }));
    CHECK(!find_fault(Matrix(3, {}, {})));
}
