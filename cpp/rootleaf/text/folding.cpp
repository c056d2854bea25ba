#include "rootleaf/text/folding.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "rootleaf/text/characters.hpp"

namespace rootleaf::text {

namespace {

bool is_accent(utf8proc_int32_t code_point) noexcept {
    const utf8proc_property_t* const property = utf8proc_get_property(code_point);
    const int combining_class = property->combining_class;
    return (combining_class >= 10 && combining_class <= 36) || combining_class >= 200;
}

/// One pass over code points: full decomposition and case folding, accents out, composition.
std::vector<utf8proc_int32_t> fold_once(const std::vector<utf8proc_int32_t>& code_points) {
    constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                             UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    std::vector<utf8proc_int32_t> folded;
    folded.reserve(code_points.size());
    std::array<utf8proc_int32_t, 64> buffer{};  // the longest decomposition has 18 code points
    int boundary = 0;
    for (const utf8proc_int32_t code_point : code_points) {
        const utf8proc_ssize_t count =
            utf8proc_decompose_char(code_point, buffer.data(), buffer.size(), kOptions, &boundary);
        for (utf8proc_ssize_t i = 0; i < std::min<utf8proc_ssize_t>(count, 64); ++i) {
            const utf8proc_int32_t part = buffer[static_cast<std::size_t>(i)];
            if (!is_accent(part)) {
                folded.push_back(part);
            }
        }
    }
    // Marks in canonical order, as composition needs them: a stable insertion by combining class.
    const auto combining_class = [](utf8proc_int32_t code_point) {
        return utf8proc_get_property(code_point)->combining_class;
    };
    for (auto run = folded.begin(); run != folded.end();) {
        if (combining_class(*run) == 0) {
            ++run;
            continue;
        }
        const auto end =
            std::find_if(run, folded.end(), [&](auto c) { return combining_class(c) == 0; });
        std::stable_sort(run, end,
                         [&](auto a, auto b) { return combining_class(a) < combining_class(b); });
        run = end;
    }
    const utf8proc_ssize_t length = utf8proc_normalize_utf32(
        folded.data(), static_cast<utf8proc_ssize_t>(folded.size()),
        static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
    folded.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(length, 0)));
    return folded;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void append_lower_ascii(std::string_view text, std::string& out) {
    for (const char c : text) {
        out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
    }
}

}  // namespace

std::string fold(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    if (is_ascii(text)) {
        append_lower_ascii(text, out);
        return out;
    }
    std::vector<utf8proc_int32_t> code_points;
    code_points.reserve(text.size());
    for (std::size_t byte = 0; byte < text.size();) {
        const Character character = read_character(text, byte);
        if (character.code_point != 0xFFFD || character.byte_count > 1) {
            code_points.push_back(static_cast<utf8proc_int32_t>(character.code_point));
        }
        byte += character.byte_count;
    }
    // A composed result can fold once more (a dropped accent uncovers a pair); three rounds reach
    // the end for every code point of Unicode 15, and the bound keeps hostile sequences finite.
    for (int round = 0; round < 4; ++round) {
        std::vector<utf8proc_int32_t> folded = fold_once(code_points);
        const bool stable = folded == code_points;
        code_points = std::move(folded);
        if (stable) {
            break;
        }
    }
    for (const utf8proc_int32_t code_point : code_points) {
        append_code_point(out, static_cast<std::uint32_t>(code_point));
    }
    return out;
}

std::string fold_case(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    if (is_ascii(text)) {
        append_lower_ascii(text, out);
        return out;
    }
    std::array<utf8proc_int32_t, 8> folded{};  // the longest case folding has 3 code points
    int boundary = 0;
    for (std::size_t byte = 0; byte < text.size();) {
        const Character character = read_character(text, byte);
        const utf8proc_ssize_t count =
            utf8proc_decompose_char(static_cast<utf8proc_int32_t>(character.code_point),
                                    folded.data(), folded.size(), UTF8PROC_CASEFOLD, &boundary);
        for (utf8proc_ssize_t i = 0; i < std::min<utf8proc_ssize_t>(count, 8); ++i) {
            append_code_point(out, static_cast<std::uint32_t>(folded[static_cast<std::size_t>(i)]));
        }
        byte += character.byte_count;
    }
    return out;
}

}  // namespace rootleaf::text
