#include "rootleaf/lexical/posting_lists.hpp"

#include <numeric>

#include "rootleaf/base/error.hpp"

namespace rootleaf::lexical {

void PostingParts::allocate(std::size_t total) {
    if (total >= 0xFFFFFFFFU) {
        throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 postings");
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    ordinals.resize(total);
    first.resize(total);
    second.resize(total);
}

}  // namespace rootleaf::lexical
