#include "rootleaf/lexical/term_matches.hpp"

#include <algorithm>

namespace rootleaf::lexical {

namespace {

/// How many of the ordinals are below `end`, counted from `first`; near ones are found soonest.
std::size_t skip_below(std::span<const std::uint32_t> ordinals,
                       std::size_t first,
                       std::uint32_t end) noexcept {
    std::size_t step = 1;
    std::size_t low = first;
    std::size_t high = first;
    while (high < ordinals.size() && ordinals[high] < end) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    const auto begin = ordinals.begin();
    const auto place =
        std::lower_bound(begin + static_cast<std::ptrdiff_t>(low),
                         begin + static_cast<std::ptrdiff_t>(std::min(high, ordinals.size())), end);
    return static_cast<std::size_t>(place - begin);
}

}  // namespace

std::uint64_t count_matches(const InvertedIndex& index,
                            std::uint32_t rank,
                            std::span<const std::uint8_t> allowed) noexcept {
    std::uint64_t count = 0;
    if (!allowed.empty()) {
        each_match(index, rank, [&](std::uint32_t chunkset, double /*frequency*/) {
            count += allowed[chunkset];
        });
        return count;
    }
    const std::span<const std::uint32_t> own = index.chunksets_of(rank).ordinals;
    const std::span<const std::uint32_t> first_chunkset = index.layout().first_chunkset;
    count = own.size();
    std::size_t at = 0;
    for (const std::uint32_t document : index.documents_of(rank).ordinals) {
        const std::uint32_t first = first_chunkset[document];
        const std::uint32_t end = first_chunkset[document + 1];
        const std::size_t begin = skip_below(own, at, first);
        at = skip_below(own, begin, end);
        count += (end - first) - (at - begin);
    }
    return count;
}

}  // namespace rootleaf::lexical
