// WordPiece and the static table on any bytes: tokens of a text are those of its parts between
// spaces, its vector has a length of 1 and is the same whatever came before, and what has no token
// but unknown ones is not known.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "rootleaf/text/static_table.hpp"

namespace {

using namespace rootleaf;

void require(bool promise) {
    if (!promise) {
        std::abort();
    }
}

const text::StaticTable& table() {
    static const auto opened = text::StaticTable::open(ROOTLEAF_STATIC_TABLE);
    return *opened;
}

void check_tokens(std::string_view input) {
    const text::WordPiece& wordpiece = table().wordpiece();
    std::vector<std::uint32_t> whole;
    wordpiece.encode(input, whole);
    bool may_continue = false;
    for (const std::uint32_t id : whole) {
        require(id < wordpiece.tokens().size());
        const std::string_view token = wordpiece.tokens()[id];
        require(may_continue || token.size() < 3 || !token.starts_with("##"));
        may_continue = id != wordpiece.unknown_id();
    }
    std::vector<std::uint32_t> parts;
    for (std::size_t start = 0; start <= input.size();) {
        const std::size_t end = std::min(input.find(' ', start), input.size());
        wordpiece.encode(input.substr(start, end - start), parts);
        start = end + 1;
    }
    require(whole == parts);
    const bool has_known =
        std::ranges::any_of(whole, [&](std::uint32_t id) { return id != wordpiece.unknown_id(); });
    require(has_known || !wordpiece.knows(input));
}

void check_vector(std::string_view input) {
    std::vector<float> vectors;
    table().embed(input, vectors);
    table().embed("before", vectors);
    table().embed(input, vectors);
    const std::size_t width = table().dimension();
    require(vectors.size() == 3 * width);
    require(std::memcmp(vectors.data(), &vectors[2 * width], width * sizeof(float)) == 0);
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
        sum += static_cast<double>(vectors[i]) * static_cast<double>(vectors[i]);
    }
    require(std::abs(std::sqrt(sum) - 1) < 1e-4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    check_tokens(input);
    check_vector(input);
    return 0;
}
