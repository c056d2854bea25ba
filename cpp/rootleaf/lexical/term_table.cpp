#include "rootleaf/lexical/term_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "rootleaf/base/error.hpp"

namespace rootleaf::lexical {

namespace {

constexpr std::size_t kInitialSlots = 1024;

}  // namespace

TermTable::TermTable() : slots_(kInitialSlots) {}

std::uint32_t TermTable::intern(std::string_view text) { return intern_or_find(text).id; }

TermTable::Interned TermTable::intern_or_find(std::string_view text) {
    const XXH64_hash_t wide_hash = XXH3_64bits(text.data(), text.size());
    const auto hash = static_cast<std::uint32_t>(wide_hash);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].id_plus_one != 0) {
        if (slots_[at].hash == hash && this->text(slots_[at].id_plus_one - 1) == text) {
            return {slots_[at].id_plus_one - 1, false};
        }
        at = (at + 1) & mask;
    }
    if (arena_.size() + text.size() >= 0xFFFFFFFFU) {
        throw Error(ErrorCode::too_large, "the distinct words of one segment exceed 4 GiB");
    }
    arena_.append(text);
    ends_.push_back(static_cast<std::uint32_t>(arena_.size()));
    slots_[at] = {hash, size()};
    if (ends_.size() * 2 > slots_.size()) {
        grow();
    }
    return {size() - 1, true};
}

void TermTable::grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.id_plus_one == 0) {
            continue;
        }
        std::size_t at = slot.hash & mask;
        while (larger[at].id_plus_one != 0) {
            at = (at + 1) & mask;
        }
        larger[at] = slot;
    }
    slots_ = std::move(larger);
}

}  // namespace rootleaf::lexical
