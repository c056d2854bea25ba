#include "rootleaf/filter/value_index.hpp"

#include <tuple>

#include "rootleaf/base/error.hpp"

namespace rootleaf::filter {

std::optional<Bitmap> ValueIndex::find(std::string_view key, std::string_view value) const {
    const auto at = [&](std::uint32_t number) {
        return std::tuple(keys_[key_of_value_[number]], values_[number]);
    };
    const std::tuple wanted(key, value);
    std::uint32_t low = 0;
    std::uint32_t high = size();
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (at(middle) < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == size() || at(low) != wanted) {
        return std::nullopt;
    }
    return Bitmap((*this)[low].documents);
}

void ValueParts::append(const ValueDocuments& value) {
    if (value.documents.size() > 0xFFFFFFFFU - documents.size()) {
        throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 values");
    }
    if (keys.ends.empty() || keys.list()[keys.list().size() - 1] != value.key) {
        keys.append(value.key);
    }
    values.append(value.value);
    key_of_value.push_back(keys.list().size() - 1);
    documents.insert(documents.end(), value.documents.begin(), value.documents.end());
    starts.push_back(static_cast<std::uint32_t>(documents.size()));
}

void ValueCollector::add(std::string_view key, std::string_view value, std::uint32_t document) {
    auto values = keys_.find(key);
    if (values == keys_.end()) {
        values = keys_.emplace(key, Values()).first;
    }
    auto documents = values->second.find(value);
    if (documents == values->second.end()) {
        documents = values->second.emplace(value, std::vector<std::uint32_t>()).first;
    }
    if (documents->second.empty() || documents->second.back() != document) {
        documents->second.push_back(document);
    }
}

ValueParts ValueCollector::take() {
    ValueParts parts;
    for (const auto& [key, values] : keys_) {
        for (const auto& [value, documents] : values) {
            parts.append({key, value, documents});
        }
    }
    keys_.clear();
    return parts;
}

}  // namespace rootleaf::filter
