#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rootleaf::lexical {

/// Numbers strings in the order they come: a hash table over one arena, with open addressing.
class TermTable {
public:
    TermTable();

    /// The number of the string, given now if it is seen for the first time.
    std::uint32_t intern(std::string_view text);

    /// Whether `intern` would have given a new number, and the number.
    struct Interned {
        std::uint32_t id;
        bool added;
    };
    Interned intern_or_find(std::string_view text) { return intern_or_find(text, prepare(text)); }

    /// The key of a string, for the call below; its place in the table is fetched meanwhile. The
    /// table is larger than the caches near the CPU, and looking up one word after the other would
    /// wait for memory.
    [[nodiscard]] std::uint64_t prepare(std::string_view text) const noexcept;
    Interned intern_or_find(std::string_view text, std::uint64_t key);

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(ends_.size());
    }

    /// The string of a number; holds until the next `intern`.
    [[nodiscard]] std::string_view text(std::uint32_t id) const noexcept {
        const std::uint32_t start = id == 0 ? 0 : ends_[id - 1];
        return {arena_.data() + start, ends_[id] - start};
    }

private:
    /// Strings of up to eight bytes are told apart without a look into the arena: they are most
    /// words.
    struct Slot {
        std::uint64_t
            key;  // the string in eight bytes, unique for its length; or the hash of a longer one
        std::uint32_t length;
        std::uint32_t id_plus_one;  // 0: free
    };

    void grow();

    std::string arena_;
    std::vector<std::uint32_t> ends_;
    std::vector<Slot> slots_;
};

}  // namespace rootleaf::lexical
