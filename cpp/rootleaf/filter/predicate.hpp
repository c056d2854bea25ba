#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "rootleaf/filter/bitmap.hpp"
#include "rootleaf/filter/value_index.hpp"

namespace rootleaf::filter {

/// A boolean tree over sets of documents, kept in postfix order, so that reading it needs no
/// recursion: operands first, then what joins them.
///
///     kind is event or decision, and not archived:
///     value("kind", "event").value("kind", "decision").any_of(2).value("archived",
///     "yes").and_not()
class Predicate {
public:
    /// Operands: documents with a metadata value; a set that the caller brings; all documents.
    Predicate& value(std::string key, std::string value);
    Predicate& given(Bitmap documents);
    Predicate& everything();

    /// Join the last `count` operands. all_of(0) is everything, any_of(0) is nothing.
    Predicate& all_of(std::uint32_t count);
    Predicate& any_of(std::uint32_t count);
    /// The last operand but one without the last.
    Predicate& and_not();

    /// Whether it is empty, and there is nothing to evaluate.
    [[nodiscard]] bool holds_for_all() const noexcept { return steps_.empty(); }

    /// The documents, among the first `document_count`, that the tree holds for. An empty predicate
    /// holds for all. Throws Error(invalid_input) where an operator lacks operands or operands are
    /// left over.
    [[nodiscard]] Bitmap evaluate(const ValueIndex& values, std::uint32_t document_count) const;

private:
    struct Value {
        std::string key;
        std::string value;
    };
    struct Everything {};
    struct AllOf {
        std::uint32_t count;
    };
    struct AnyOf {
        std::uint32_t count;
    };
    struct AndNot {};

    std::vector<std::variant<Value, Bitmap, Everything, AllOf, AnyOf, AndNot>> steps_;
};

}  // namespace rootleaf::filter
