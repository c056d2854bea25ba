#include <doctest/doctest.h>

#include <string>

#include "rootleaf/base/error.hpp"

TEST_CASE("every error code has a spelling of its own") {
    using rootleaf::error_code_name;
    using rootleaf::ErrorCode;
    CHECK(error_code_name(ErrorCode::invalid_input) == "input.invalid");
    CHECK(error_code_name(ErrorCode::too_large) == "input.too_large");
    CHECK(error_code_name(ErrorCode::file_unreadable) == "file.unreadable");
    CHECK(error_code_name(ErrorCode::file_unwritable) == "file.unwritable");
    CHECK(error_code_name(ErrorCode::snapshot_invalid) == "snapshot.invalid");
    CHECK(error_code_name(ErrorCode::table_invalid) == "embedder.table_invalid");
    CHECK(error_code_name(ErrorCode::internal) == "internal");
}

TEST_CASE("an error carries its code and its message") {
    const rootleaf::Error error(rootleaf::ErrorCode::too_large, "4 GiB is too much");
    CHECK(error.code() == rootleaf::ErrorCode::too_large);
    CHECK(std::string(error.what()) == "4 GiB is too much");
}
