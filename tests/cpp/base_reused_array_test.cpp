#include "rootleaf/base/reused_array.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

namespace {

using Numbers = rootleaf::ReusedArray<std::uint32_t>;

bool all_are(Numbers& numbers, std::uint32_t value) {
    return std::ranges::all_of(numbers.span(), [&](std::uint32_t n) { return n == value; });
}

}  // namespace

TEST_CASE("memory comes back in the thread that gave it, and in no other") {
    std::uint32_t* memory = nullptr;
    {
        Numbers numbers(1000);
        memory = numbers.data();
    }
    Numbers held(900, 7);
    CHECK(held.data() == memory);
    CHECK(held.span().size() == 900);
    std::thread([&] {
        const Numbers numbers(10);
        CHECK(numbers.span().data() != memory);
    }).join();
}

TEST_CASE("arrays that are held at once share nothing") {
    Numbers a(50, 1);
    Numbers b(500, 2);
    Numbers c(5, 3);
    std::ranges::fill(b.span(), 9U);
    CHECK(all_are(a, 1));
    CHECK(all_are(b, 9));
    CHECK(all_are(c, 3));
}

TEST_CASE("numbers that were there before are set where a value is asked for") {
    {
        Numbers(100, 5);
    }
    Numbers numbers(60, 0);
    CHECK(all_are(numbers, 0));
}

TEST_CASE("an array that is moved takes its numbers along") {
    Numbers from(10, 4);
    Numbers to(std::move(from));
    CHECK(to.span().size() == 10);
    Numbers third(3, 1);
    third = std::move(to);
    CHECK(third.span().size() == 10);
    CHECK(all_are(third, 4));
}

TEST_CASE("more than the bound is given back to the system") {
    constexpr std::size_t kMany = Numbers::kMostKeptBytes / sizeof(std::uint32_t) + 1;
    {
        Numbers(kMany, 1);
    }
    // What the thread keeps would have held ones.
    Numbers numbers(kMany);
    CHECK(numbers.span()[kMany - 1] == 0);
}
