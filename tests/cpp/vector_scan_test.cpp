#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/vector/scan.hpp"

namespace {

using namespace rootleaf::vector;

using Vector = std::vector<float>;

/// Vectors of a few whole numbers, so that equal similarities are frequent, and some absent.
struct Case {
    std::uint32_t dimension;
    std::vector<Vector> vectors;  ///< empty: absent
    Vector query;
    std::vector<std::uint8_t> allowed;

    explicit Case(std::uint32_t seed) {
        std::mt19937 random(seed);
        dimension = 1 + static_cast<std::uint32_t>(random() % 40);
        query = unit(random);
        const std::size_t count = random() % 50;
        for (std::size_t i = 0; i < count; ++i) {
            vectors.push_back(random() % 5 == 0 ? Vector{} : unit(random));
            allowed.push_back(static_cast<std::uint8_t>(random() % 3));
        }
    }

    [[nodiscard]] MatrixParts build() const {
        MatrixBuilder builder(dimension);
        for (const Vector& vector : vectors) {
            if (vector.empty()) {
                builder.add_absent();
            } else {
                builder.add(vector);
            }
        }
        return builder.build();
    }

private:
    [[nodiscard]] Vector unit(std::mt19937& random) const {
        Vector vector(dimension);
        double squares = 0.0;
        for (float& element : vector) {
            element = static_cast<float>(static_cast<int>(random() % 3) - 1);
            squares += static_cast<double>(element) * static_cast<double>(element);
        }
        if (squares == 0.0) {
            vector[0] = 1.0F;
            return vector;
        }
        for (float& element : vector) {
            element = static_cast<float>(static_cast<double>(element) / std::sqrt(squares));
        }
        return vector;
    }
};

double cosine(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    return sum;
}

}  // namespace

TEST_CASE("a similarity is the cosine held to 0..1, and 0 for what is absent or not allowed") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Case sample(seed);
        const MatrixParts parts = sample.build();
        std::vector<float> similarities(sample.vectors.size(), -7.0F);
        scan(parts.matrix(), QueryVector(sample.query), sample.allowed, similarities);
        for (std::size_t i = 0; i < similarities.size(); ++i) {
            const bool is_compared = sample.allowed[i] != 0 && !sample.vectors[i].empty();
            const double expected =
                is_compared ? std::clamp(cosine(sample.query, sample.vectors[i]), 0.0, 1.0) : 0.0;
            CHECK(std::abs(static_cast<double>(similarities[i]) - expected) < 1e-6);
            CHECK(similarities[i] >= 0.0F);
            CHECK(similarities[i] <= 1.0F);
        }
    }
}

TEST_CASE("a row has the same similarity whichever rows are compared beside it") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Case sample(seed);
        const MatrixParts parts = sample.build();
        const QueryVector query(sample.query);
        std::vector<float> all(sample.vectors.size());
        scan(parts.matrix(), query, std::span<const std::uint8_t>{}, all);
        std::vector<std::uint32_t> rows;
        for (std::uint32_t row = 0; row < all.size(); ++row) {
            rows.insert(rows.begin(), row % 3, row);
            std::vector<float> alone(1);
            scan(parts.matrix(), query, std::vector{row}, alone);
            CHECK(alone[0] == all[row]);
        }
        std::vector<float> some(rows.size());
        scan(parts.matrix(), query, rows, some);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            CHECK(some[i] == all[rows[i]]);
        }
    }
}

TEST_CASE("the nearest rows are the first of all, sorted by similarity, then by row") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Case sample(seed);
        const MatrixParts parts = sample.build();
        const QueryVector query(sample.query);
        std::vector<float> similarities(sample.vectors.size());
        scan(parts.matrix(), query, sample.allowed, similarities);
        std::vector<Neighbor> expected;
        for (std::uint32_t row = 0; row < similarities.size(); ++row) {
            if (similarities[row] > 0.0F) {
                expected.push_back({row, similarities[row]});
            }
        }
        std::ranges::stable_sort(expected, [](const Neighbor& a, const Neighbor& b) {
            return a.similarity > b.similarity;
        });
        for (const std::size_t limit : {0U, 1U, 7U, 1000U}) {
            const std::vector<Neighbor> first(
                expected.begin(),
                expected.begin() + static_cast<std::ptrdiff_t>(std::min(limit, expected.size())));
            CHECK(nearest(parts.matrix(), query, sample.allowed, limit) == first);
        }
    }
}

TEST_CASE("a query of another dimension is refused") {
    MatrixBuilder builder(3);
    builder.add(Vector{1.0F, 0.0F, 0.0F});
    const MatrixParts parts = builder.build();
    const QueryVector query(Vector{1.0F, 0.0F});
    std::vector<float> similarities(1);
    CHECK_THROWS_AS(scan(parts.matrix(), query, std::vector<std::uint8_t>{}, similarities),
                    rootleaf::Error);
    CHECK_THROWS_AS(scan(parts.matrix(), query, std::vector<std::uint32_t>{0}, similarities),
                    rootleaf::Error);
    CHECK_THROWS_AS(static_cast<void>(nearest(parts.matrix(), query, {}, 1)), rootleaf::Error);
}
