#include "rootleaf/filter/value_index.hpp"

namespace rootleaf::filter {

void ValueIndex::add(std::string_view key, std::string_view value, std::uint32_t document) {
    auto values = keys_.find(key);
    if (values == keys_.end()) {
        values = keys_.emplace(key, Values()).first;
    }
    auto bitmap = values->second.find(value);
    if (bitmap == values->second.end()) {
        bitmap = values->second.emplace(value, Bitmap()).first;
    }
    bitmap->second.add(document);
}

void ValueIndex::compact() {
    for (auto& [key, values] : keys_) {
        for (auto& [value, bitmap] : values) {
            bitmap.compact();
        }
    }
}

const Bitmap* ValueIndex::find(std::string_view key, std::string_view value) const {
    const auto values = keys_.find(key);
    if (values == keys_.end()) {
        return nullptr;
    }
    const auto bitmap = values->second.find(value);
    return bitmap == values->second.end() ? nullptr : &bitmap->second;
}

}  // namespace rootleaf::filter
