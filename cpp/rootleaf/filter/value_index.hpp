#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "rootleaf/filter/bitmap.hpp"

namespace rootleaf::filter {

/// Which documents have a metadata value, by key and value, compared byte for byte.
class ValueIndex {
public:
    void add(std::string_view key, std::string_view value, std::uint32_t document);

    /// Takes the smallest form, once all documents are in.
    void compact();

    /// The documents with this value under this key, or null where none has it.
    [[nodiscard]] const Bitmap* find(std::string_view key, std::string_view value) const;

private:
    using Values = std::map<std::string, Bitmap, std::less<>>;
    std::map<std::string, Values, std::less<>> keys_;
};

}  // namespace rootleaf::filter
