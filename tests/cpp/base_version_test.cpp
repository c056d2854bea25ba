#include <doctest/doctest.h>

#include "rootleaf/base/version.hpp"

TEST_CASE("the core's version is the one that the package states") {
    CHECK(rootleaf::version() == ROOTLEAF_EXPECTED_VERSION);
}
