#include "rootleaf/lexical/term_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "rootleaf/base/error.hpp"

namespace rootleaf::lexical {

namespace {

constexpr std::size_t kInitialSlots = 1024;
constexpr std::size_t kShortBytes = 8;

std::uint64_t load(const char* bytes, std::size_t count) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, count);
    return value;
}

/// For up to eight bytes a number that no other string of the same length has, else a hash.
std::uint64_t key_of(std::string_view text) noexcept {
    const std::size_t size = text.size();
    const char* const bytes = text.data();
    if (size > kShortBytes) {
        return XXH3_64bits(bytes, size);
    }
    if (size == kShortBytes) {
        return load(bytes, 8);
    }
    if (size >= 4) {  // two loads of fixed size that overlap: cheaper than one of variable size
        return load(bytes, 4) | (load(bytes + size - 4, 4) << 32U);
    }
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < size; ++i) {
        key |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return key;
}

std::size_t spread(std::uint64_t key, std::size_t length) noexcept {
    const std::uint64_t mixed = (key + length) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
}

}  // namespace

TermTable::TermTable() : slots_(kInitialSlots) {}

std::uint32_t TermTable::intern(std::string_view text) { return intern_or_find(text).id; }

std::uint64_t TermTable::prepare(std::string_view text) const noexcept {
    const std::uint64_t key = key_of(text);
#ifdef __GNUC__
    __builtin_prefetch(&slots_[spread(key, text.size()) & (slots_.size() - 1)]);
#endif
    return key;
}

TermTable::Interned TermTable::intern_or_find(std::string_view text, std::uint64_t key) {
    if (arena_.size() + text.size() >= 0xFFFFFFFFU) {
        throw Error(ErrorCode::too_large, "the distinct words of one segment exceed 4 GiB");
    }
    const auto length = static_cast<std::uint32_t>(text.size());
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = spread(key, length) & mask;
    while (slots_[at].id_plus_one != 0) {
        const Slot& slot = slots_[at];
        if (slot.key == key && slot.length == length &&
            (length <= kShortBytes || this->text(slot.id_plus_one - 1) == text)) {
            return {slot.id_plus_one - 1, false};
        }
        at = (at + 1) & mask;
    }
    arena_.append(text);
    ends_.push_back(static_cast<std::uint32_t>(arena_.size()));
    slots_[at] = {key, length, size()};
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
        std::size_t at = spread(slot.key, slot.length) & mask;
        while (larger[at].id_plus_one != 0) {
            at = (at + 1) & mask;
        }
        larger[at] = slot;
    }
    slots_ = std::move(larger);
}

}  // namespace rootleaf::lexical
