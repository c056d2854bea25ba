#include "rootleaf/text/static_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rootleaf/base/error.hpp"
#include "rootleaf/text/static_table_block.hpp"
#include "rootleaf/text/static_table_format.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

namespace rootleaf::text {

namespace {

/// Scales a vector to a length of 1; false where it has no direction. The sum runs from the first
/// element to the last, in double precision, so that it cannot overflow.
bool normalise(std::span<float> vector) noexcept {
    double sum = 0;
    for (const float element : vector) {
        sum += static_cast<double>(element) * static_cast<double>(element);
    }
    const double length = std::sqrt(sum);
    if (!(length >= static_cast<double>(std::numeric_limits<float>::min()))) {
        return false;
    }
    for (float& element : vector) {
        element = static_cast<float>(static_cast<double>(element) / length);
    }
    return true;
}

void prefetch([[maybe_unused]] std::span<const std::int8_t> row) noexcept {
#ifdef __GNUC__
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < row.size(); at += kLine) {
        __builtin_prefetch(&row[at]);
    }
#endif
}

}  // namespace

void StaticTable::verify() const {
    if (checksum(std::as_bytes(rows_)) != rows_checksum_) {
        throw Error(ErrorCode::table_invalid, "the table of vectors cannot be used: it is damaged");
    }
}

void StaticTable::embed(std::string_view text, std::vector<float>& vectors) const {
    std::vector<std::uint32_t> ids;
    ids.reserve(text.size() / 2);
    wordpiece_.encode(text, ids);
    std::erase(ids, wordpiece_.unknown_id());
    const std::size_t start = vectors.size();
    vectors.resize(start + dimension_);
    const std::span<float> sums = std::span(vectors).subspan(start);
    add_rows(ids, sums);
    if (!normalise(sums)) {
        const std::uint32_t unknown = wordpiece_.unknown_id();
        add_rows({&unknown, 1}, sums);
        normalise(sums);
    }
}

void StaticTable::add_rows(std::span<const std::uint32_t> ids,
                           std::span<float> sums) const noexcept {
    for (const std::uint32_t id : ids) {
        // All rows of a text fit a cache, and most lie in memory: they are asked for together.
        prefetch(rows_.subspan(std::size_t{id} * dimension_, dimension_));
    }
    for (std::uint32_t at = 0; at < dimension_; at += format::kBlock) {
        SumBlock block;
        for (const std::uint32_t id : ids) {
            block.add(scales_[id], &rows_[std::size_t{id} * dimension_ + at]);
        }
        block.store(sums.subspan(at).first<format::kBlock>());
    }
}

}  // namespace rootleaf::text
