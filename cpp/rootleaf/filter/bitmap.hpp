#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rootleaf::filter {

/// A compressed set of 32-bit numbers: a Roaring bitmap. Reading it from several threads is safe.
/// Source: Lemire et al., "Roaring Bitmaps: Implementation of an Optimized Software Library", 2018.
class Bitmap {
public:
    Bitmap();
    explicit Bitmap(std::span<const std::uint32_t> members);
    Bitmap(const Bitmap& other);
    Bitmap(Bitmap&&) noexcept = default;
    Bitmap& operator=(const Bitmap& other);
    Bitmap& operator=(Bitmap&&) noexcept = default;
    ~Bitmap() = default;

    /// The numbers from 0 to `end`, exclusive.
    [[nodiscard]] static Bitmap below(std::uint32_t end);

    void add(std::uint32_t member);
    void intersect(const Bitmap& other);
    void unite(const Bitmap& other);
    void subtract(const Bitmap& other);
    /// Takes the smallest form; sets that will not change are worth it.
    void compact();

    [[nodiscard]] bool contains(std::uint32_t member) const noexcept;
    [[nodiscard]] std::uint64_t size() const noexcept;
    /// In ascending order.
    [[nodiscard]] std::vector<std::uint32_t> members() const;

private:
    struct Release {
        void operator()(void* bitmap) const noexcept;
    };
    using Handle = std::unique_ptr<void, Release>;

    explicit Bitmap(Handle handle) noexcept : handle_(std::move(handle)) {}
    static Handle own(void* bitmap);

    /// A roaring_bitmap_t, unnamed here so that the library's header stays in its adapter.
    Handle handle_;
};

}  // namespace rootleaf::filter
