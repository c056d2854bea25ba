#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rootleaf::vector {

/// Kernels read whole blocks of this many floats.
inline constexpr std::size_t kBlockFloats = 16;
inline constexpr std::size_t kRowAlignmentBytes = 64;
inline constexpr std::uint32_t kMaxDimension = 65536;
/// How far from 1 the length of a vector may be where it enters.
inline constexpr double kLengthTolerance = 1e-3;

/// Memory that starts at a cache line, so that no load of a kernel crosses one.
template <typename Element>
struct RowAllocator {
    using value_type = Element;

    RowAllocator() noexcept = default;
    template <typename Other>
    // NOLINTNEXTLINE(*-explicit-constructor): what the standard asks of an allocator
    RowAllocator(const RowAllocator<Other>& /*other*/) noexcept {}

    [[nodiscard]] Element* allocate(std::size_t count) {
        return static_cast<Element*>(
            ::operator new(count * sizeof(Element), std::align_val_t{kRowAlignmentBytes}));
    }
    void deallocate(Element* elements, std::size_t /*count*/) noexcept {
        ::operator delete(elements, std::align_val_t{kRowAlignmentBytes});
    }
    friend bool operator==(const RowAllocator& /*a*/, const RowAllocator& /*b*/) noexcept {
        return true;
    }
};

using RowFloats = std::vector<float, RowAllocator<float>>;

/// Unit vectors by chunkset; a chunkset may have none. Borrowed: holds while the arrays do.
class Matrix {
public:
    /// @param rows     `row_floats(dimension)` floats for each of `present`, absent rows included
    /// @param present  by chunkset, 1 where it has a vector, else 0
    Matrix(std::uint32_t dimension,
           std::span<const float> rows,
           std::span<const std::uint8_t> present) noexcept
        : dimension_(dimension), rows_(rows), present_(present) {}

    /// The floats from one row to the next: the dimension, filled up to whole blocks.
    [[nodiscard]] static constexpr std::size_t row_floats(std::uint32_t dimension) noexcept {
        return (dimension + kBlockFloats - 1) / kBlockFloats * kBlockFloats;
    }

    [[nodiscard]] std::uint32_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] std::size_t block_count() const noexcept {
        return row_floats(dimension_) / kBlockFloats;
    }
    /// Rows, absent ones included: the number of chunksets.
    [[nodiscard]] std::uint32_t row_count() const noexcept {
        return static_cast<std::uint32_t>(present_.size());
    }
    [[nodiscard]] bool has(std::uint32_t row) const noexcept { return present_[row] != 0; }
    /// `row_floats(dimension)` floats: a unit vector and zeros after it, or zeros alone.
    [[nodiscard]] const float* row(std::uint32_t row) const noexcept {
        return rows_.data() + row * row_floats(dimension_);
    }

    [[nodiscard]] std::span<const float> rows() const noexcept { return rows_; }
    [[nodiscard]] std::span<const std::uint8_t> present() const noexcept { return present_; }

private:
    std::uint32_t dimension_;
    std::span<const float> rows_;
    std::span<const std::uint8_t> present_;
};

/// A matrix that owns its arrays.
struct MatrixParts {
    std::uint32_t dimension = 0;
    RowFloats rows;
    std::vector<std::uint8_t> present;

    [[nodiscard]] Matrix matrix() const noexcept { return {dimension, rows, present}; }
};

/// What is wrong with a matrix whose arrays come from a file, or nothing: then every scan stays
/// within them and gives finite numbers. Reads each float once.
[[nodiscard]] std::optional<std::string_view> find_fault(const Matrix& matrix) noexcept;

/// The vector of a query, checked and scaled as rows are, where kernels can read it.
class QueryVector {
public:
    /// Throws Error(invalid_input) as MatrixBuilder::add does.
    explicit QueryVector(std::span<const float> floats);

    [[nodiscard]] std::uint32_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] const float* data() const noexcept { return floats_.data(); }

private:
    std::uint32_t dimension_;
    RowFloats floats_;
};

/// Collects the rows of a matrix in the order of their chunksets.
///
/// A vector comes with a length of 1, up to kLengthTolerance, and is scaled once more: each element
/// as a double, divided by the square root of the sum of squares, which is taken in double and in
/// the order of the elements, then rounded to float. Equal vectors give equal rows, on every
/// machine.
class MatrixBuilder {
public:
    /// Throws Error(invalid_input) for a dimension of 0 or above kMaxDimension.
    explicit MatrixBuilder(std::uint32_t dimension);

    /// Appends the row of a chunkset. Throws Error(invalid_input), and appends nothing, for a
    /// vector of another width, with a NaN or an infinity, of zeros, or of another length than 1;
    /// the message says which row and what it holds.
    void add(std::span<const float> floats);
    /// Appends a chunkset without a vector.
    void add_absent();
    /// Appends a row as it lies in another matrix of this dimension, bit for bit: for merges.
    void append(const Matrix& source, std::uint32_t row);

    [[nodiscard]] std::uint32_t dimension() const noexcept { return parts_.dimension; }
    [[nodiscard]] std::uint32_t row_count() const noexcept {
        return static_cast<std::uint32_t>(parts_.present.size());
    }

    /// The matrix of all rows; the builder has none afterwards.
    [[nodiscard]] MatrixParts build();

private:
    MatrixParts parts_;
};

}  // namespace rootleaf::vector
