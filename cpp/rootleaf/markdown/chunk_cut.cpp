#include "rootleaf/markdown/chunk_cut.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "rootleaf/markdown/chunk_outline.hpp"

namespace rootleaf::markdown {

namespace {

bool is_line_end(char byte) noexcept { return byte == '\n' || byte == '\r'; }

/// Whether a line starts at `position`, which is inside the text.
bool starts_line(std::string_view text, std::uint32_t position) noexcept {
    const char before = text[position - 1];
    return before == '\n' || (before == '\r' && text[position] != '\n');
}

/// Where the next piece starts if the last one ended before `from`: blank lines are passed
/// over, the indentation of the line that follows them is not.
std::uint32_t next_start(std::string_view text, std::uint32_t from, std::uint32_t end) noexcept {
    std::uint32_t position = from;
    std::uint32_t line_start = starts_line(text, position) ? position : 0;
    while (position < end && is_blank(text[position])) {
        ++position;
        if (is_line_end(text[position - 1])) {
            line_start = position;
        }
    }
    if (position < end && line_start != 0) {
        return line_start;
    }
    const bool is_joined = position < end && position > from && joins_blank(text, position);
    return is_joined ? position - 1 : position;
}

/// The end of a piece that is cut at the start of a line: without blank lines and the line end.
std::uint32_t end_before_line(std::string_view text,
                              std::uint32_t start,
                              std::uint32_t position) noexcept {
    std::uint32_t end = position;
    while (end > start && is_blank(text[end - 1])) {
        --end;
    }
    while (end < position && !is_line_end(text[end])) {
        ++end;
    }
    return end;
}

/// Bytes behind which a line or sentence may end: white space, and the last bytes of ideographic
/// marks.
constexpr auto kMayEnd = [] {
    std::array<bool, 256> table{};
    for (const std::size_t byte : {0x20U, 0x09U, 0x0AU, 0x0DU, 0x81U, 0x82U, 0x9FU}) {
        table[byte] = true;
    }
    return table;
}();

bool is_lower(char byte) noexcept { return byte >= 'a' && byte <= 'z'; }

/// Whether a sentence ends where white space that starts at `blank_start` ends: a full stop,
/// question or exclamation mark, closing brackets and quotation marks, white space, and then no
/// small letter.
bool ends_sentence(std::string_view text,
                   std::uint32_t start,
                   std::uint32_t blank_start,
                   std::uint32_t position) noexcept {
    constexpr std::string_view kClosers = "\"')]*_`";
    if (is_lower(text[position])) {
        return false;
    }
    std::uint32_t last = blank_start;
    while (last > start && kClosers.find(text[last - 1]) != std::string_view::npos) {
        --last;
    }
    if (last == start) {
        return false;
    }
    const char mark = text[last - 1];
    return mark == '.' || mark == '!' || mark == '?';
}

/// Whether an ideographic full stop, exclamation or question mark, which needs no white space
/// behind it, stands before `position`, and no closing quotation mark or bracket at it.
bool ends_ideographic_sentence(std::string_view text,
                               std::uint32_t start,
                               std::uint32_t position) noexcept {
    constexpr std::uint32_t kMarkBytes = 3;
    constexpr std::array<std::string_view, 3> kMarks = {"\u3002", "\uFF01", "\uFF1F"};
    constexpr std::array<std::string_view, 3> kClosers = {"\u300D", "\u300F", "\uFF09"};
    if (position - start < kMarkBytes) {
        return false;
    }
    const std::string_view before = text.substr(position - kMarkBytes, kMarkBytes);
    const std::string_view after = text.substr(position, kMarkBytes);
    return std::find(kMarks.begin(), kMarks.end(), before) != kMarks.end() &&
           std::find(kClosers.begin(), kClosers.end(), after) == kClosers.end();
}

}  // namespace

const std::vector<ByteSpan>& Cutter::cut(const LongBlock& block, std::uint32_t first_max_bytes) {
    pieces_.clear();
    std::uint32_t max_bytes = first_max_bytes;
    std::uint32_t start = block.span.start;
    while (start < block.span.end) {
        if (block.span.end - start <= max_bytes) {
            pieces_.push_back({start, block.span.end});
            break;
        }
        const std::uint32_t position = choose(block, start, start + max_bytes);
        const std::uint32_t end =
            starts_line(text_, position) ? end_before_line(text_, start, position) : position;
        if (end > start) {
            pieces_.push_back({start, end});
        }
        start = next_start(text_, position, block.span.end);
        max_bytes = max_bytes_;
    }
    return pieces_;
}

Cutter::Rank Cutter::rank_at_line(const LongBlock& block,
                                  std::uint32_t start,
                                  std::uint32_t position,
                                  const Run& run) const noexcept {
    if (position <= block.head_end || position >= block.tail_start) {
        return Rank::marker_line;
    }
    switch (block.style) {
        case CutStyle::rows:
            return Rank::line;
        case CutStyle::code:
            return run.line_ends > 1 ? Rank::inner_block : Rank::line;
        case CutStyle::prose:
            break;
    }
    if (std::binary_search(block.inner_starts.begin(), block.inner_starts.end(), position)) {
        return Rank::inner_block;
    }
    return ends_sentence(text_, start, run.blank_start, position) ? Rank::sentence : Rank::line;
}

Cutter::Rank Cutter::rank_at(const LongBlock& block,
                             std::uint32_t start,
                             std::uint32_t position,
                             const Run& run) const noexcept {
    const char before = text_[position - 1];
    if (is_line_end(before)) {
        return before == '\r' && text_[position] == '\n'
                   ? Rank::none
                   : rank_at_line(block, start, position, run);
    }
    if (block.style != CutStyle::prose) {
        return Rank::none;
    }
    const bool is_sentence =
        is_blank(before)
            ? !is_blank(text_[position]) && ends_sentence(text_, start, run.blank_start, position)
            : ends_ideographic_sentence(text_, start, position);
    return is_sentence ? Rank::sentence : Rank::none;
}

std::uint64_t Cutter::weight(const LongBlock& block, std::uint32_t position) const noexcept {
    constexpr std::uint32_t kReachBytes = 24;
    const std::uint32_t from =
        position - block.span.start > kReachBytes ? position - kReachBytes : block.span.start;
    const std::uint32_t to =
        block.span.end - position > kReachBytes ? position + kReachBytes : block.span.end;
    return XXH3_64bits(text_.data() + from, to - from);
}

std::uint32_t Cutter::lightest(const LongBlock& block, Rank wanted) const noexcept {
    std::uint32_t position = 0;
    std::uint64_t least = 0;
    for (const Candidate& candidate : candidates_) {
        if (candidate.rank != wanted) {
            continue;
        }
        const std::uint64_t own = weight(block, candidate.position);
        if (position == 0 || own <= least) {
            position = candidate.position;
            least = own;
        }
    }
    return position;
}

std::uint32_t Cutter::choose(const LongBlock& block, std::uint32_t start, std::uint32_t limit) {
    borders_.read(text_, start, limit);
    const std::uint32_t middle = start + (limit - start) / 2;
    Rank best = find_candidates(block, start, middle, limit);
    if (best < Rank::marker_line) {
        return lightest(block, best);
    }
    const std::uint32_t earliest =
        block.style == CutStyle::prose ? start + (limit - start) / 4 : start;
    const std::uint32_t early = last_line_start(block, earliest, middle);
    if (early != 0) {
        return early;
    }
    if (best == Rank::none) {
        best = find_words(middle, limit) ? Rank::word : Rank::none;
    }
    return best == Rank::none ? choose_character(block, start, limit) : lightest(block, best);
}

Cutter::Rank Cutter::find_candidates(const LongBlock& block,
                                     std::uint32_t start,
                                     std::uint32_t middle,
                                     std::uint32_t limit) {
    candidates_.clear();
    Rank best = Rank::none;
    Run run{middle, 0};
    while (run.blank_start > start && is_blank(text_[run.blank_start - 1])) {
        --run.blank_start;
    }
    for (std::uint32_t position = run.blank_start + 1; position <= limit; ++position) {
        const auto before = static_cast<unsigned char>(text_[position - 1]);
        if (!kMayEnd[before]) {
            run = {position, 0};
            continue;
        }
        if (!is_blank(text_[position - 1])) {
            run = {position, 0};
        } else if (before == '\n' || (before == '\r' && text_[position] != '\n')) {
            ++run.line_ends;
        }
        if (position < middle) {
            continue;
        }
        const Rank kind = rank_at(block, start, position, run);
        if (kind != Rank::none && borders_.at(position)) {
            candidates_.push_back({position, kind});
            best = std::min(best, kind);
        }
    }
    return best;
}

std::uint32_t Cutter::last_line_start(const LongBlock& block,
                                      std::uint32_t earliest,
                                      std::uint32_t middle) const noexcept {
    for (std::uint32_t position = std::min(middle, block.tail_start) - 1;
         position > earliest && position > block.head_end; --position) {
        if (starts_line(text_, position)) {
            return position;
        }
    }
    return 0;
}

bool Cutter::find_words(std::uint32_t middle, std::uint32_t limit) {
    candidates_.clear();
    for (std::uint32_t position = middle; position <= limit; ++position) {
        if (is_blank(text_[position - 1]) && !is_blank(text_[position]) && borders_.at(position)) {
            candidates_.push_back({position, Rank::word});
        }
    }
    return !candidates_.empty();
}

std::uint32_t Cutter::choose_character(const LongBlock& block,
                                       std::uint32_t start,
                                       std::uint32_t limit) {
    const std::uint32_t middle = start + (limit - start) / 2;
    candidates_.clear();
    for (std::uint32_t position = middle; position <= limit; ++position) {
        if (borders_.at(position)) {
            candidates_.push_back({position, Rank::none});
        }
    }
    if (!candidates_.empty()) {
        return lightest(block, Rank::none);
    }
    for (std::uint32_t position = middle - 1; position > start; --position) {
        if (borders_.at(position)) {
            return position;
        }
    }
    return borders_.last_resort();
}

}  // namespace rootleaf::markdown
