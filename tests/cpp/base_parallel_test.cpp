#include "rootleaf/base/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

TEST_CASE("every index is worked on once, whatever the number of threads") {
    for (const std::uint32_t threads : {0U, 1U, 2U, 7U, 64U}) {
        for (const std::size_t count : {0UL, 1UL, 2UL, 100UL}) {
            std::vector<std::atomic<int>> times(count);
            rootleaf::for_each_index(count, threads, [&](std::size_t index) { ++times[index]; });
            for (const std::atomic<int>& once : times) {
                CHECK(once == 1);
            }
        }
    }
}

TEST_CASE("what is thrown comes to the caller, after all threads have ended") {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    const auto work = [&](std::size_t index) {
        ++begun;
        if (index == 3) {
            ++ended;
            throw std::runtime_error("index 3");
        }
        ++ended;
    };
    CHECK_THROWS_WITH_AS(rootleaf::for_each_index(10000, 4, work), "index 3", std::runtime_error);
    CHECK(begun == ended);
    begun = 0;
    CHECK_THROWS_AS(rootleaf::for_each_index(10000, 1, work), std::runtime_error);
    CHECK(begun == 4);
}
