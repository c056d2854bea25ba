#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/filter/bitmap.hpp"
#include "rootleaf/filter/predicate.hpp"
#include "rootleaf/filter/value_index.hpp"

namespace {

using rootleaf::Error;
using rootleaf::filter::Bitmap;
using rootleaf::filter::Predicate;
using rootleaf::filter::ValueCollector;
using rootleaf::filter::ValueIndex;
using rootleaf::filter::ValueParts;
using Set = std::set<std::uint32_t>;

Set members(const Bitmap& bitmap) {
    const std::vector<std::uint32_t> listed = bitmap.members();
    return {listed.begin(), listed.end()};
}

Bitmap bitmap_of(const Set& set) {
    const std::vector<std::uint32_t> listed(set.begin(), set.end());
    return Bitmap(listed);
}

Set random_set(std::mt19937& random, std::uint32_t end) {
    Set set;
    const auto share = static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t member = 0; member < end; ++member) {
        if (random() % 4 < share) {
            set.insert(member);
        }
    }
    return set;
}

Set intersection(const Set& a, const Set& b) {
    Set both;
    for (const std::uint32_t member : a) {
        if (b.contains(member)) {
            both.insert(member);
        }
    }
    return both;
}

Set difference(const Set& a, const Set& b) {
    Set rest;
    for (const std::uint32_t member : a) {
        if (!b.contains(member)) {
            rest.insert(member);
        }
    }
    return rest;
}

Set all_below(std::uint32_t end) {
    Set all;
    for (std::uint32_t member = 0; member < end; ++member) {
        all.insert(member);
    }
    return all;
}

}  // namespace

TEST_CASE("A bitmap is a set: after every operation it has the members of its plain twin") {
    std::mt19937 random(11);
    for (int round = 0; round < 40; ++round) {
        const std::uint32_t end = round % 8 != 0 ? 100 : 66000;  // one container, and two
        Set twin = random_set(random, end);
        Bitmap bitmap = bitmap_of(twin);
        for (int step = 0; step < 4; ++step) {
            const Set other = random_set(random, end);
            switch (random() % 4) {
                case 0:
                    bitmap.intersect(bitmap_of(other));
                    twin = intersection(twin, other);
                    break;
                case 1:
                    bitmap.unite(bitmap_of(other));
                    twin.insert(other.begin(), other.end());
                    break;
                case 2:
                    bitmap.subtract(bitmap_of(other));
                    twin = difference(twin, other);
                    break;
                default:
                    bitmap.add(end + 5);
                    twin.insert(end + 5);
                    bitmap.compact();
                    break;
            }
            REQUIRE(members(bitmap) == twin);
            REQUIRE(bitmap.size() == twin.size());
            REQUIRE(bitmap.contains(7) == twin.contains(7));
        }
    }
    CHECK(members(Bitmap::below(0)).empty());
    CHECK(members(Bitmap::below(3)) == Set{0, 1, 2});
}

TEST_CASE("A copied bitmap does not follow the one it was copied from") {
    Bitmap one = bitmap_of({1, 2});
    Bitmap copy(one);
    Bitmap assigned;
    assigned = one;
    one.add(3);
    CHECK(members(copy) == Set{1, 2});
    CHECK(members(assigned) == Set{1, 2});
    const Bitmap moved(std::move(one));
    CHECK(members(moved) == Set{1, 2, 3});
}

TEST_CASE("Any tree of operands, and, or, and-not gives what sets give") {
    std::mt19937 random(5);
    constexpr std::uint32_t kDocuments = 60;
    ValueCollector collector;
    std::vector<Set> of_value(4);
    for (std::size_t v = 0; v < of_value.size(); ++v) {
        of_value[v] = random_set(random, kDocuments);
        for (const std::uint32_t document : of_value[v]) {
            collector.add("key", std::to_string(v), document);
        }
    }
    const ValueParts parts = collector.take();
    const ValueIndex values = parts.index();
    for (int round = 0; round < 2000; ++round) {
        Predicate predicate;
        std::vector<Set> twin;
        const auto push = [&] {
            const auto kind = static_cast<std::uint32_t>(random() % 6);
            if (kind < 4) {
                predicate.value("key", std::to_string(kind));
                twin.push_back(of_value[kind]);
            } else if (kind == 4) {
                const Set given = random_set(random, kDocuments + 10);
                predicate.given(bitmap_of(given));
                twin.push_back(given);
            } else {
                predicate.everything();
                twin.push_back(all_below(kDocuments));
            }
        };
        const auto join = [&](std::uint32_t count, bool any) {
            Set joined = any ? Set() : all_below(kDocuments);
            for (std::uint32_t i = 0; i < count; ++i) {
                if (any) {
                    joined.insert(twin.back().begin(), twin.back().end());
                } else {
                    joined = intersection(joined, twin.back());
                }
                twin.pop_back();
            }
            twin.push_back(joined);
            any ? predicate.any_of(count) : predicate.all_of(count);
        };
        push();
        for (int step = 0; step < 8; ++step) {
            push();
            if (random() % 3 == 0) {
                const Set without = twin.back();
                twin.pop_back();
                twin.back() = difference(twin.back(), without);
                predicate.and_not();
            } else if (random() % 2 == 0) {
                join(static_cast<std::uint32_t>(random() % (twin.size() + 1)), random() % 2 == 0);
            }
        }
        join(static_cast<std::uint32_t>(twin.size()), false);
        REQUIRE(members(predicate.evaluate(values, kDocuments)) == twin.front());
    }
}

TEST_CASE("An empty predicate holds for all, an unknown value for none") {
    ValueCollector collector;
    collector.add("kind", "event", 1);
    const ValueParts parts = collector.take();
    const ValueIndex values = parts.index();
    CHECK(members(Predicate().evaluate(values, 3)) == Set{0, 1, 2});
    CHECK(members(Predicate().value("kind", "event").evaluate(values, 3)) == Set{1});
    CHECK(members(Predicate().value("kind", "Event").evaluate(values, 3)).empty());
    CHECK(members(Predicate().value("absent", "event").evaluate(values, 3)).empty());
    CHECK(members(Predicate().any_of(0).evaluate(values, 3)).empty());
    CHECK(members(Predicate().all_of(0).evaluate(values, 3)).size() == 3);
}

TEST_CASE("A predicate whose operators and operands do not fit is refused") {
    const ValueIndex values;
    CHECK_THROWS_AS((void)Predicate().and_not().evaluate(values, 3), Error);
    CHECK_THROWS_AS((void)Predicate().everything().all_of(2).evaluate(values, 3), Error);
    CHECK_THROWS_AS((void)Predicate().everything().everything().evaluate(values, 3), Error);
}

TEST_CASE("A key and a value do not run into one another") {
    ValueCollector collector;
    collector.add("ab", "c", 0);
    collector.add("a", "bc", 1);
    const ValueParts parts = collector.take();
    const ValueIndex values = parts.index();
    CHECK(members(*values.find("ab", "c")) == Set{0});
    CHECK(members(*values.find("a", "bc")) == Set{1});
    CHECK_FALSE(values.find("abc", "").has_value());
}
