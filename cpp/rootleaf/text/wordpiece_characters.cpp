#include "rootleaf/text/wordpiece_characters.hpp"

#include <algorithm>

namespace rootleaf::text {

std::optional<std::string_view> CharacterMap::find_fault() const noexcept {
    if (block_of.size() != kCodePointCount / kBlockSize) {
        return "its characters are not all of Unicode";
    }
    const std::size_t block_count = entries.size() / kBlockSize;
    if (entries.size() % kBlockSize != 0 ||
        std::ranges::any_of(block_of, [&](std::uint16_t block) { return block >= block_count; })) {
        return "a block of its characters is out of bounds";
    }
    const std::size_t entry_count = kFirstMapping + mapping_ends.size();
    if (std::ranges::any_of(entries, [&](std::uint16_t entry) { return entry >= entry_count; })) {
        return "a mapping of its characters is out of bounds";
    }
    if (!std::ranges::is_sorted(mapping_ends) ||
        (mapping_ends.empty() ? 0 : mapping_ends.back()) != units.size()) {
        return "the mappings of its characters overlap";
    }
    if (std::ranges::any_of(units, [](std::uint32_t bits) {
            return CharacterUnit(bits).code_point() >= kCodePointCount;
        })) {
        return "a character is mapped to none";
    }
    return std::nullopt;
}

}  // namespace rootleaf::text
