#include "rootleaf/markdown/chunk_border.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace rootleaf::markdown {

namespace {

constexpr unsigned char kFirstNonAscii = 0x80;
constexpr utf8proc_int32_t kReplacement = 0xFFFD;

bool is_continuation(char byte) noexcept {
    constexpr unsigned char kMask = 0xC0;
    return (static_cast<unsigned char>(byte) & kMask) == kFirstNonAscii;
}

bool is_ascii(const char* bytes, std::size_t count) noexcept {
    constexpr std::uint64_t kHighBits = 0x8080808080808080U;
    std::size_t index = 0;
    for (; index + sizeof(std::uint64_t) <= count; index += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + index, sizeof word);
        if ((word & kHighBits) != 0) {
            return false;
        }
    }
    for (; index < count; ++index) {
        if (static_cast<unsigned char>(bytes[index]) >= kFirstNonAscii) {
            return false;
        }
    }
    return true;
}

struct Character {
    utf8proc_int32_t code_point;
    std::uint32_t size_bytes;
    bool is_valid;
};

Character decode(std::string_view text, std::size_t position) noexcept {
    constexpr std::size_t kLongest = 4;
    const std::size_t available = std::min(kLongest, text.size() - position);
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data() + position);
    utf8proc_int32_t code_point = 0;
    const utf8proc_ssize_t size =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(available), &code_point);
    if (size <= 0) {
        return {kReplacement, 1, false};
    }
    return {code_point, static_cast<std::uint32_t>(size), true};
}

}  // namespace

void Borders::read(std::string_view text, std::uint32_t start, std::uint32_t limit) {
    text_ = text;
    start_ = start;
    last_resort_ = limit;
    is_ascii_ = is_ascii(text.data() + start, limit + 1 - start);
    if (is_ascii_) {
        return;
    }
    is_border_.assign(limit + 1 - start, false);
    bool has_break = false;
    utf8proc_int32_t state = 0;
    Character before = decode(text, start);
    for (std::uint32_t position = start + before.size_bytes; position <= limit;) {
        const Character here = decode(text, position);
        const bool breaks =
            utf8proc_grapheme_break_stateful(before.code_point, here.code_point, &state);
        is_border_[position - start] =
            breaks && (here.is_valid || !is_continuation(text[position]));
        if (breaks || !has_break) {
            last_resort_ = position;
        }
        has_break = has_break || breaks;
        before = here;
        position += here.size_bytes;
    }
}

bool Borders::at(std::uint32_t position) const noexcept {
    if (is_ascii_) {
        return text_[position - 1] != '\r' || text_[position] != '\n';
    }
    return is_border_[position - start_];
}

bool joins_blank(std::string_view text, std::uint32_t position) noexcept {
    return static_cast<unsigned char>(text[position]) >= kFirstNonAscii &&
           !utf8proc_grapheme_break(' ', decode(text, position).code_point);
}

}  // namespace rootleaf::markdown
