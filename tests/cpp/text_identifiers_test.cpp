#include <doctest/doctest.h>

#include <string_view>

#include "rootleaf/text/identifiers.hpp"
#include "rootleaf/text/query.hpp"

using rootleaf::text::analyze_query;
using rootleaf::text::is_identifier;

TEST_CASE("Codes, versions, paths, flags and names in code are identifiers") {
    for (const std::string_view word : {"ERR_4711",
                                        "err_4711",
                                        "ERR4711",
                                        "snake_case",
                                        "v2.0-rc.1",
                                        "v1.2",
                                        "2.0.1",
                                        "KEP-2227",
                                        "kep-2227",
                                        "CVE-2024-3094",
                                        "UTF-8",
                                        "base64",
                                        "sha256",
                                        "#1234",
                                        "#7",
                                        "9100",
                                        "8080",
                                        "65535",
                                        "10.0.0.1",
                                        "2024-05-12",
                                        "src/net/io",
                                        "retry.py",
                                        "src/retry.py",
                                        "foo::bar",
                                        "https://example",
                                        "a@b.example",
                                        "--dry-run",
                                        "fetchUserTokens",
                                        "fetchUser",
                                        "HTTPServerError",
                                        "3fa85f64-5717-4562",
                                        "0xDEADBEEF",
                                        "error_größe",
                                        "größe2024"}) {
        CAPTURE(word);
        CHECK(is_identifier(word));
    }
}

TEST_CASE("Words of a sentence are none, however rare they are") {
    for (const std::string_view word :
         {"trombone", "Zanzibar",     "NASA",       "YouTube",    "JavaScript", "iPhone",
          "eBay",     "don't",        "O'Brien",    "well-known", "Jean-Luc",   "and/or",
          "TCP/IP",   "e.g",          "U.S",        "Ph.D",       "a",          "C#",
          "C++",      "#general",     "größe",      "2",          "404",        "500",
          "1969",     "2024",         "5000",       "100000",     "3.14",       "10:30",
          "24/7",     "9-11",         "1st",        "20th",       "90s",        "1980s",
          "10am",     "100km",        "2.5kg",      "mp3",        "b2b",        "G20",
          "5-star",   "19th-century", "3-year-old", "24-hour",    "top-10",     "mid-1990s",
          "pre-2000", "covid-19",     "utf-8"}) {
        CAPTURE(word);
        CHECK_FALSE(is_identifier(word));
    }
}

TEST_CASE("A word that is asked in two spellings is an identifier in either order") {
    for (const std::string_view query : {"readonly read_only", "read_only readonly"}) {
        const rootleaf::text::Query analysed = analyze_query(query);
        REQUIRE(analysed.words.size() == 1);
        CHECK(analysed.words[0].is_identifier);
    }
    CHECK_FALSE(analyze_query("readonly").words[0].is_identifier);
}
