#include "rootleaf/filter/bitmap.hpp"

#include <roaring/roaring.h>

#include <new>

namespace rootleaf::filter {

namespace {

roaring_bitmap_t* raw(void* handle) noexcept { return static_cast<roaring_bitmap_t*>(handle); }

}  // namespace

void Bitmap::Release::operator()(void* bitmap) const noexcept { roaring_bitmap_free(raw(bitmap)); }

Bitmap::Handle Bitmap::own(void* bitmap) {
    if (bitmap == nullptr) {
        throw std::bad_alloc();
    }
    return Handle(bitmap);
}

Bitmap::Bitmap() : handle_(own(roaring_bitmap_create())) {}

Bitmap::Bitmap(std::span<const std::uint32_t> members)
    : handle_(own(roaring_bitmap_of_ptr(members.size(), members.data()))) {}

Bitmap::Bitmap(const Bitmap& other) : handle_(own(roaring_bitmap_copy(raw(other.handle_.get())))) {}

Bitmap& Bitmap::operator=(const Bitmap& other) {
    if (this != &other) {
        handle_ = own(roaring_bitmap_copy(raw(other.handle_.get())));
    }
    return *this;
}

Bitmap Bitmap::below(std::uint32_t end) {
    return end == 0 ? Bitmap() : Bitmap(own(roaring_bitmap_from_range(0, end, 1)));
}

void Bitmap::add(std::uint32_t member) { roaring_bitmap_add(raw(handle_.get()), member); }

void Bitmap::intersect(const Bitmap& other) {
    roaring_bitmap_and_inplace(raw(handle_.get()), raw(other.handle_.get()));
}

void Bitmap::unite(const Bitmap& other) {
    roaring_bitmap_or_inplace(raw(handle_.get()), raw(other.handle_.get()));
}

void Bitmap::subtract(const Bitmap& other) {
    roaring_bitmap_andnot_inplace(raw(handle_.get()), raw(other.handle_.get()));
}

void Bitmap::compact() {
    roaring_bitmap_run_optimize(raw(handle_.get()));
    roaring_bitmap_shrink_to_fit(raw(handle_.get()));
}

bool Bitmap::contains(std::uint32_t member) const noexcept {
    return roaring_bitmap_contains(raw(handle_.get()), member);
}

std::uint64_t Bitmap::size() const noexcept {
    return roaring_bitmap_get_cardinality(raw(handle_.get()));
}

std::vector<std::uint32_t> Bitmap::members() const {
    std::vector<std::uint32_t> members(size());
    if (!members.empty()) {
        roaring_bitmap_to_uint32_array(raw(handle_.get()), members.data());
    }
    return members;
}

}  // namespace rootleaf::filter
