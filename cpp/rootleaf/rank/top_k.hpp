#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rootleaf::rank {

/// Keeps the best `capacity` of the entries it is given, by a total order: so that the result
/// depends on the entries alone and not on the order they come in. O(log capacity) for one that is
/// kept.
///
/// @tparam Better  `better(a, b)`: a stands before b; a strict total order
template <typename Entry, typename Better>
class TopK {
public:
    TopK(std::size_t capacity, Better better) : capacity_(capacity), better_(better) {}

    void offer(const Entry& entry) {
        if (entries_.size() < capacity_) {
            entries_.push_back(entry);
            std::push_heap(entries_.begin(), entries_.end(), better_);
        } else if (capacity_ > 0 && better_(entry, entries_.front())) {
            std::pop_heap(entries_.begin(), entries_.end(), better_);
            entries_.back() = entry;
            std::push_heap(entries_.begin(), entries_.end(), better_);
        }
    }

    /// The worst of those kept, which a further one must stand before; null while any is kept.
    [[nodiscard]] const Entry* bar() const noexcept {
        return capacity_ > 0 && entries_.size() == capacity_ ? &entries_.front() : nullptr;
    }

    /// The entries kept, best first; the heap is empty afterwards.
    [[nodiscard]] std::vector<Entry> take() {
        std::sort_heap(entries_.begin(), entries_.end(), better_);
        return std::move(entries_);
    }

private:
    std::size_t capacity_;
    Better better_;
    std::vector<Entry> entries_;  // the worst at the front
};

}  // namespace rootleaf::rank
