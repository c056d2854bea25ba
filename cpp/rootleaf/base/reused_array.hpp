#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace rootleaf {

/// An array that a thread needs for every search: one number for each chunkset, say. Its memory is
/// given back to the thread, which keeps a few arrays of up to kMostKeptBytes until it ends: memory
/// from the system comes as pages that are cleared when they are first touched, and those took a
/// third of a search.
template <typename Number>
class ReusedArray {
public:
    static constexpr std::size_t kMostKeptBytes = std::size_t{4} << 20U;

    ReusedArray() = default;
    /// Of any values.
    explicit ReusedArray(std::size_t count) : memory_(take()), count_(count) {
        if (memory_.size() < count) {
            memory_ = std::vector<Number>(count);
        }
    }
    ReusedArray(std::size_t count, Number value) : ReusedArray(count) {
        std::fill_n(memory_.begin(), count, value);
    }
    ReusedArray(ReusedArray&& other) noexcept
        : memory_(std::exchange(other.memory_, {})), count_(std::exchange(other.count_, 0)) {}
    ReusedArray& operator=(ReusedArray&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(count_, other.count_);
        return *this;
    }
    ReusedArray(const ReusedArray&) = delete;
    ReusedArray& operator=(const ReusedArray&) = delete;
    ~ReusedArray() {
        Memory& least = *std::ranges::min_element(kept(), {}, &Memory::size);
        if (least.size() < memory_.size() && memory_.size() * sizeof(Number) <= kMostKeptBytes) {
            std::swap(least, memory_);
        }
    }

    [[nodiscard]] Number* data() noexcept { return memory_.data(); }
    [[nodiscard]] std::span<Number> span() noexcept { return {memory_.data(), count_}; }
    [[nodiscard]] std::span<const Number> span() const noexcept { return {memory_.data(), count_}; }

private:
    using Memory = std::vector<Number>;

    /// As many as one search holds of a kind at once.
    static constexpr std::size_t kPlaces = 4;

    static std::array<Memory, kPlaces>& kept() noexcept {
        static thread_local std::array<Memory, kPlaces> places;
        return places;
    }

    /// The largest array that the thread keeps; an empty one where it keeps none.
    static Memory take() noexcept {
        return std::exchange(*std::ranges::max_element(kept(), {}, &Memory::size), {});
    }

    Memory memory_;  // at least count_ numbers
    std::size_t count_ = 0;
};

}  // namespace rootleaf
