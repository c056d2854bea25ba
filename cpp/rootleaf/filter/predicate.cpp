#include "rootleaf/filter/predicate.hpp"

#include <type_traits>
#include <utility>

#include "rootleaf/base/error.hpp"

namespace rootleaf::filter {

namespace {

/// The operands that are not joined yet.
class Stack {
public:
    void push(Bitmap bitmap) { bitmaps_.push_back(std::move(bitmap)); }

    Bitmap pop() {
        if (bitmaps_.empty()) {
            throw Error(ErrorCode::invalid_input, "a filter joins more operands than it has");
        }
        Bitmap top = std::move(bitmaps_.back());
        bitmaps_.pop_back();
        return top;
    }

    [[nodiscard]] bool empty() const noexcept { return bitmaps_.empty(); }

private:
    std::vector<Bitmap> bitmaps_;
};

}  // namespace

Predicate& Predicate::value(std::string key, std::string value) {
    steps_.emplace_back(Value{std::move(key), std::move(value)});
    return *this;
}

Predicate& Predicate::given(Bitmap documents) {
    steps_.emplace_back(std::move(documents));
    return *this;
}

Predicate& Predicate::everything() {
    steps_.emplace_back(Everything{});
    return *this;
}

Predicate& Predicate::all_of(std::uint32_t count) {
    steps_.emplace_back(AllOf{count});
    return *this;
}

Predicate& Predicate::any_of(std::uint32_t count) {
    steps_.emplace_back(AnyOf{count});
    return *this;
}

Predicate& Predicate::and_not() {
    steps_.emplace_back(AndNot{});
    return *this;
}

Bitmap Predicate::evaluate(const ValueIndex& values, std::uint32_t document_count) const {
    Bitmap universe = Bitmap::below(document_count);
    if (steps_.empty()) {
        return universe;
    }
    Stack stack;
    const auto join = [&](Bitmap joined, std::uint32_t count,
                          void (Bitmap::*operation)(const Bitmap&)) {
        for (std::uint32_t i = 0; i < count; ++i) {
            (joined.*operation)(stack.pop());
        }
        stack.push(std::move(joined));
    };
    for (const auto& step : steps_) {
        std::visit(
            [&](const auto& operand) {
                using Step = std::decay_t<decltype(operand)>;
                if constexpr (std::is_same_v<Step, Value>) {
                    stack.push(values.find(operand.key, operand.value).value_or(Bitmap()));
                } else if constexpr (std::is_same_v<Step, Bitmap>) {
                    stack.push(operand);
                } else if constexpr (std::is_same_v<Step, Everything>) {
                    stack.push(universe);
                } else if constexpr (std::is_same_v<Step, AllOf>) {
                    join(universe, operand.count, &Bitmap::intersect);
                } else if constexpr (std::is_same_v<Step, AnyOf>) {
                    join(Bitmap(), operand.count, &Bitmap::unite);
                } else {
                    const Bitmap without = stack.pop();
                    Bitmap rest = stack.pop();
                    rest.subtract(without);
                    stack.push(std::move(rest));
                }
            },
            step);
    }
    Bitmap result = stack.pop();
    if (!stack.empty()) {
        throw Error(ErrorCode::invalid_input, "a filter leaves operands that nothing joins");
    }
    result.intersect(universe);
    return result;
}

}  // namespace rootleaf::filter
