#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/base/string_list.hpp"
#include "rootleaf/filter/bitmap.hpp"

namespace rootleaf::filter {

/// One metadata value under one key, and the documents that have it, in ascending order.
struct ValueDocuments {
    std::string_view key;
    std::string_view value;
    std::span<const std::uint32_t> documents;
};

/// Which documents have a metadata value, by key and value, compared byte for byte: a sorted table,
/// of which a bitmap is made for a value that is asked for. Borrowed: holds while the arrays do.
class ValueIndex {
public:
    /// Number of distinct (key, value).
    [[nodiscard]] std::uint32_t size() const noexcept { return values_.size(); }

    /// In the order of keys, then values, below size().
    [[nodiscard]] ValueDocuments operator[](std::uint32_t number) const noexcept {
        return {keys_[key_of_value_[number]], values_[number],
                documents_.subspan(starts_[number], starts_[number + 1] - starts_[number])};
    }

    /// The documents with this value under this key, or nothing where none has it.
    [[nodiscard]] std::optional<Bitmap> find(std::string_view key, std::string_view value) const;

    ValueIndex() = default;
    /// @param keys          distinct, in the order of their bytes
    /// @param values        in the order of their keys, then of their bytes; distinct under one key
    /// @param key_of_value  by value, into `keys`
    /// @param starts        by value, and one more: where its documents start in `documents`
    ValueIndex(StringList keys,
               StringList values,
               std::span<const std::uint32_t> key_of_value,
               std::span<const std::uint32_t> starts,
               std::span<const std::uint32_t> documents) noexcept
        : keys_(keys),
          values_(values),
          key_of_value_(key_of_value),
          starts_(starts),
          documents_(documents) {}

    [[nodiscard]] const StringList& keys() const noexcept { return keys_; }
    [[nodiscard]] const StringList& values() const noexcept { return values_; }
    [[nodiscard]] std::span<const std::uint32_t> key_of_value() const noexcept {
        return key_of_value_;
    }
    [[nodiscard]] std::span<const std::uint32_t> starts() const noexcept { return starts_; }
    [[nodiscard]] std::span<const std::uint32_t> documents() const noexcept { return documents_; }

private:
    StringList keys_;
    StringList values_;
    std::span<const std::uint32_t> key_of_value_;
    std::span<const std::uint32_t> starts_;
    std::span<const std::uint32_t> documents_;
};

/// A value index that owns its arrays.
struct ValueParts {
    StringParts keys;
    StringParts values;
    std::vector<std::uint32_t> key_of_value;
    std::vector<std::uint32_t> starts{0};
    std::vector<std::uint32_t> documents;

    /// Appends a value that stands after all before it, by key and then by value. The documents
    /// ascend. Throws Error(too_large) where the documents of all values would pass 2^32 - 1.
    void append(const ValueDocuments& value);

    [[nodiscard]] ValueIndex index() const noexcept {
        return {keys.list(), values.list(), key_of_value, starts, documents};
    }
};

/// Collects the values of documents, which come in ascending order.
class ValueCollector {
public:
    void add(std::string_view key, std::string_view value, std::uint32_t document);

    [[nodiscard]] ValueParts take();

private:
    using Values = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
    std::map<std::string, Values, std::less<>> keys_;
};

}  // namespace rootleaf::filter
