#include "rootleaf/vector/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/vector/dispatch.hpp"

namespace rootleaf::vector {

namespace {

/// What the rounding of a scaled row may leave, and the float sum of its squares, at any dimension.
constexpr float kStoredTolerance = 1e-3F;

[[noreturn]] void refuse(const std::string& name, const std::string& fault) {
    throw Error(ErrorCode::invalid_input, name + fault);
}

std::uint32_t checked_dimension(std::size_t dimension) {
    if (dimension == 0 || dimension > kMaxDimension) {
        refuse("a vector", " must have 1 to " + std::to_string(kMaxDimension) + " elements, not " +
                               std::to_string(dimension));
    }
    return static_cast<std::uint32_t>(dimension);
}

/// The length of the vector; throws unless it is a unit vector.
double checked_length(const std::string& name, std::span<const float> floats) {
    double squares = 0.0;
    for (std::size_t i = 0; i < floats.size(); ++i) {
        if (!std::isfinite(floats[i])) {
            refuse(name, std::string(" holds ") +
                             (std::isnan(floats[i]) ? "a NaN" : "an infinity") + " as element " +
                             std::to_string(i));
        }
        squares += static_cast<double>(floats[i]) * static_cast<double>(floats[i]);
    }
    const double length = std::sqrt(squares);
    if (length == 0.0) {
        refuse(name, " is zero, which has no direction");
    }
    if (std::abs(length - 1.0) > kLengthTolerance) {
        refuse(name, " has a length of " + std::to_string(length) + ", and must have 1");
    }
    return length;
}

/// Writes the vector divided by its length, and zeros after it.
void scale_into(std::span<const float> floats, double length, float* row) {
    for (std::size_t i = 0; i < floats.size(); ++i) {
        row[i] = static_cast<float>(static_cast<double>(floats[i]) / length);
    }
}

}  // namespace

std::optional<std::string_view> find_fault(const Matrix& matrix) noexcept {
    const std::size_t row_floats = Matrix::row_floats(matrix.dimension());
    if (matrix.dimension() == 0 || matrix.dimension() > kMaxDimension) {
        return "vectors have no legal dimension";
    }
    if (matrix.present().size() > std::numeric_limits<std::uint32_t>::max() ||
        matrix.rows().size() % row_floats != 0 ||
        matrix.rows().size() / row_floats != matrix.present().size()) {
        return "vectors and the marks of their presence differ in number";
    }
    const Kernel& kernel = active_kernel();
    for (std::uint32_t i = 0; i < matrix.row_count(); ++i) {
        const std::uint8_t present = matrix.present()[i];
        const float* row = matrix.row(i);
        float squares = 0.0F;
        kernel.dots(row, row, 1, matrix.block_count(), &squares);
        // A NaN or an infinity in the row makes the comparison false.
        const bool is_sound = present == 1 ? std::abs(squares - 1.0F) <= kStoredTolerance
                                           : present == 0 && squares == 0.0F;
        if (!is_sound) {
            return "a vector has no unit length, or one that is absent is not zero";
        }
        if (!std::all_of(row + matrix.dimension(), row + row_floats,
                         [](float element) { return element == 0.0F; })) {
            return "a vector goes on after its end";
        }
    }
    return std::nullopt;
}

QueryVector::QueryVector(std::span<const float> floats)
    : dimension_(checked_dimension(floats.size())), floats_(Matrix::row_floats(dimension_)) {
    scale_into(floats, checked_length("the query's vector", floats), floats_.data());
}

MatrixBuilder::MatrixBuilder(std::uint32_t dimension) {
    parts_.dimension = checked_dimension(dimension);
}

void MatrixBuilder::add(std::span<const float> floats) {
    const std::string name = "vector " + std::to_string(row_count());
    if (floats.size() != parts_.dimension) {
        refuse(name, " has " + std::to_string(floats.size()) + " elements, and must have " +
                         std::to_string(parts_.dimension));
    }
    const double length = checked_length(name, floats);
    const std::size_t start = parts_.rows.size();
    parts_.rows.resize(start + Matrix::row_floats(parts_.dimension));
    scale_into(floats, length, parts_.rows.data() + start);
    parts_.present.push_back(1);
}

void MatrixBuilder::add_absent() {
    parts_.rows.resize(parts_.rows.size() + Matrix::row_floats(parts_.dimension));
    parts_.present.push_back(0);
}

void MatrixBuilder::append(const Matrix& source, std::uint32_t row) {
    if (source.dimension() != parts_.dimension) {
        throw Error(ErrorCode::internal, "matrices of " + std::to_string(source.dimension()) +
                                             " and " + std::to_string(parts_.dimension) +
                                             " dimensions were to be merged");
    }
    const float* floats = source.row(row);
    parts_.rows.insert(parts_.rows.end(), floats, floats + Matrix::row_floats(parts_.dimension));
    parts_.present.push_back(source.has(row) ? 1 : 0);
}

MatrixParts MatrixBuilder::build() {
    MatrixParts parts{.dimension = parts_.dimension,
                      .rows = std::exchange(parts_.rows, {}),
                      .present = std::exchange(parts_.present, {})};
    return parts;
}

}  // namespace rootleaf::vector
