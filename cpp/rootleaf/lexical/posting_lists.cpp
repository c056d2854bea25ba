#include "rootleaf/lexical/posting_lists.hpp"

#include <numeric>

#include "rootleaf/base/error.hpp"

namespace rootleaf::lexical {

void PostingLists::allocate(std::size_t total) {
    if (total >= 0xFFFFFFFFU) {
        throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 postings");
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    ordinals_.resize(total);
    first_.resize(total);
    second_.resize(total);
}

Postings PostingLists::at(std::uint32_t rank) const noexcept {
    const std::size_t start = starts_[rank];
    const std::size_t count = starts_[rank + 1] - start;
    return {{ordinals_.data() + start, count},
            {first_.data() + start, count},
            {second_.data() + start, count}};
}

}  // namespace rootleaf::lexical
