#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rootleaf/base/error.hpp"
#include "rootleaf/text/static_table.hpp"
#include "table_surgery.hpp"

namespace {

namespace format = rootleaf::text::format;
using rootleaf::text::StaticTable;

constexpr auto kScales = static_cast<std::size_t>(format::Kind::scales);
constexpr auto kRows = static_cast<std::size_t>(format::Kind::rows);

constexpr std::string_view kText =
    "The crane of Zürich was greased in 1999; \xE4\xB8\xAD\xE6\x96\x87 \xED\x95\x9C "
    "supercalifragilistic "
    "\xF0\x9F\xA6\x80 `fn_main()`";

bool is_refused(const std::function<void()>& action) {
    try {
        action();
    } catch (const rootleaf::Error& error) {
        return error.code() == rootleaf::ErrorCode::table_invalid;
    }
    return false;
}

std::vector<float> vector_of(const StaticTable& table, std::string_view text) {
    std::vector<float> vector;
    table.embed(text, vector);
    return vector;
}

double length_of(const std::vector<float>& vector) {
    double sum = 0;
    for (const float element : vector) {
        sum += double{element} * double{element};
    }
    return std::sqrt(sum);
}

std::vector<std::uint32_t> ids_of(const StaticTable& table, std::string_view text) {
    std::vector<std::uint32_t> ids;
    table.wordpiece().encode(text, ids);
    return ids;
}

}  // namespace

TEST_CASE("the tokens of a text are those that BERT's uncased vocabulary is known for") {
    const auto table = StaticTable::open(ROOTLEAF_STATIC_TABLE);
    using Ids = std::vector<std::uint32_t>;
    CHECK(ids_of(*table, "Hello, World!") == Ids{7592, 1010, 2088, 999});
    CHECK(ids_of(*table, "embeddings") == Ids{7861, 8270, 4667, 2015});
    CHECK(ids_of(*table, "") == Ids{});
    CHECK(ids_of(*table, "\xF0\x9F\xA6\x80") == Ids{100});
    CHECK(ids_of(*table, std::string(100, 'a')).front() != 100);
    CHECK(ids_of(*table, std::string(101, 'a')) == Ids{100});
    CHECK(ids_of(*table, "H\xCC\x81\xFF\xFE\xC3llo") == ids_of(*table, "hllo"));
}

TEST_CASE("a text is known by at least half of its words") {
    const auto table = StaticTable::open(ROOTLEAF_STATIC_TABLE);
    const auto knows = [&](std::string_view text) { return table->wordpiece().knows(text); };
    for (const std::string_view text :
         {"greasing the crane", "C", "5", "x = 5", "2024", "ERR_4711", "C++", "upgrade k8s",
          "crane \xF0\x9F\xA6\x80 \xF0\x9F\xA6\x80 \xE2\x86\x92", "\xC3\x9F",
          // Two words, one of three letters.
          "so be it \xD0\xBA\xD1\x80\xD0\xB0",
          // Two words, two Chinese characters.
          "crane guide \xE4\xB8\xAD\xE6\x96\x87"}) {
        CHECK_MESSAGE(knows(text), text);
    }
    for (const std::string_view text :
         {"", "?!", "\xF0\x9F\xA6\x80", "zq", "k8s q1 crane",
          // A letter by itself; an ending that is a token; letters that outnumber the words.
          "\xD0\xB8", "\xD1\x81\xD1\x82\xD1\x80\xD0\xB0\xD0\xBD\xD0\xB0",
          "so be \xD0\xBA\xD1\x80\xD0\xB0",
          // A hiragana, a syllable of Hangul, Thai, which is unknown as a whole.
          "\xE3\x81\xAE", "\xED\x95\x9C",
          "\xE0\xB9\x80\xE0\xB8\xA1\xE0\xB8\xB7\xE0\xB8\xAD\xE0\xB8\x87"}) {
        CHECK_MESSAGE(!knows(text), text);
    }
    CHECK(knows(std::string(100, 'a') + " crane"));
    CHECK_FALSE(knows(std::string(101, 'a')));
}

TEST_CASE("a vector is the weighted sum of its tokens' rows, scaled to a length of 1") {
    const auto table = StaticTable::open(ROOTLEAF_STATIC_TABLE);
    TableCopy copy;
    const std::span<const std::byte> scales = copy.section(kScales);
    const std::span<const std::byte> rows = copy.section(kRows);
    std::vector<double> sums(table->dimension());
    for (const std::uint32_t id : ids_of(*table, kText)) {
        if (id == table->wordpiece().unknown_id()) {
            continue;
        }
        float scale = 0;
        std::memcpy(&scale, &scales[id * sizeof scale], sizeof scale);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += double{scale} * static_cast<std::int8_t>(rows[id * sums.size() + i]);
        }
    }
    double length = 0;
    for (const double sum : sums) {
        length += sum * sum;
    }
    const std::vector<float> vector = vector_of(*table, kText);
    REQUIRE(vector.size() == sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        CHECK(double{vector[i]} == doctest::Approx(sums[i] / std::sqrt(length)).epsilon(1e-4));
    }
    CHECK(length_of(vector) == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("a text without a known token has the vector of the unknown one") {
    const auto table = StaticTable::open(ROOTLEAF_STATIC_TABLE);
    const std::vector<float> unknown = vector_of(*table, "\xF0\x9F\xA6\x80");
    CHECK(length_of(unknown) == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(vector_of(*table, "") == unknown);
    CHECK(vector_of(*table, " \t\n\xFF") == unknown);
    CHECK(vector_of(*table, "crane \xF0\x9F\xA6\x80") == vector_of(*table, "crane"));
}

TEST_CASE("threads that share a table get the same bytes") {
    const auto table = StaticTable::open(ROOTLEAF_STATIC_TABLE);
    const std::vector<float> alone = vector_of(*table, kText);
    std::vector<std::vector<float>> together(4);
    std::vector<std::thread> threads;
    threads.reserve(together.size());
    for (std::vector<float>& vectors : together) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                table->embed(kText, vectors);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::vector<float>& vectors : together) {
        for (std::size_t start = 0; start < vectors.size(); start += alone.size()) {
            REQUIRE(std::memcmp(&vectors[start], alone.data(), alone.size() * sizeof(float)) == 0);
        }
    }
}

TEST_CASE("a damaged table is refused") {
    TableCopy copy;
    CHECK_NOTHROW(copy.open().verify());
    CHECK(is_refused([&] { StaticTable table(copy.bytes().first(1000), nullptr); }));
    CHECK(is_refused([&] { StaticTable table(copy.bytes().first(100), nullptr); }));
    CHECK(is_refused([&] { StaticTable table(copy.bytes().first(0), nullptr); }));
    constexpr std::size_t kFront =
        sizeof(format::Header) + format::kSectionCount * sizeof(format::SectionEntry);
    for (std::size_t byte = 0; byte < kFront; ++byte) {
        copy.bytes()[byte] ^= std::byte{0x10};
        CHECK_MESSAGE(is_refused([&] { (void)copy.open(); }), byte);
        copy.bytes()[byte] ^= std::byte{0x10};
    }
    for (std::size_t kind = 0; kind < format::kSectionCount; ++kind) {
        std::byte& middle = copy.section(kind)[copy.section(kind).size() / 2];
        middle ^= std::byte{0x10};
        CHECK_MESSAGE(is_refused([&] { copy.open().verify(); }), kind);
        CHECK_MESSAGE(is_refused([&] { (void)copy.open(); }) == (kind != kRows), kind);
        middle ^= std::byte{0x10};
    }
    CHECK_NOTHROW(copy.open().verify());
    CHECK_THROWS_AS((void)StaticTable::open("/nowhere/at/all"), rootleaf::Error);
}

TEST_CASE("sections of other sizes and places are refused, whatever their checksums say") {
    TableCopy copy;
    for (std::size_t kind = 0; kind < format::kSectionCount; ++kind) {
        const format::SectionEntry sound = copy.entry(kind);
        for (const std::uint64_t bytes :
             {std::uint64_t{0}, std::uint64_t{1}, sound.bytes - 4, sound.bytes + 64,
              std::numeric_limits<std::uint64_t>::max()}) {
            format::SectionEntry entry = sound;
            entry.bytes = bytes;
            copy.set_entry(kind, entry);
            if (entry.offset + bytes <= copy.bytes().size() && bytes <= copy.bytes().size()) {
                copy.reseal(kind);
            }
            copy.reseal_front();
            CHECK_MESSAGE(is_refused([&] { (void)copy.open(); }), kind << ' ' << bytes);
        }
        for (const std::uint64_t offset :
             {sound.offset + 1, std::uint64_t{copy.bytes().size()} + 64, ~std::uint64_t{63}}) {
            format::SectionEntry entry = sound;
            entry.offset = offset;
            copy.set_entry(kind, entry);
            copy.reseal_front();
            CHECK_MESSAGE(is_refused([&] { (void)copy.open(); }), kind << ' ' << offset);
        }
        copy.set_entry(kind, sound);
        copy.reseal_front();
    }
    for (const std::uint32_t dimension : {0U, 16U, 250U, 272U, 8192U}) {
        format::Header header = copy.header();
        header.dimension = dimension;
        copy.set_header(header);
        copy.reseal_front();
        CHECK_MESSAGE(is_refused([&] { (void)copy.open(); }), dimension);
    }
}

TEST_CASE("a table that lies and bears the right checksums is refused or read in bounds") {
    std::mt19937 random(7);  // NOLINT(*-msc51-cpp): the same damage in every run
    TableCopy copy;
    int opened = 0;
    for (int round = 0; round < 200; ++round) {
        const std::size_t kind = random() % format::kSectionCount;
        const std::span<std::byte> section = copy.section(kind);
        const std::size_t at = random() % section.size();
        const std::byte before = section[at];
        section[at] = static_cast<std::byte>(random());
        copy.reseal(kind);
        try {
            const StaticTable table = copy.open();
            ++opened;
            CHECK(length_of(vector_of(table, kText)) == doctest::Approx(1.0).epsilon(1e-4));
        } catch (const rootleaf::Error& error) {
            CHECK(error.code() == rootleaf::ErrorCode::table_invalid);
        }
        section[at] = before;
        copy.reseal(kind);
    }
    CHECK(opened > 0);
}
