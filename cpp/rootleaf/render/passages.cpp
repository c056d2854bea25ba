#include "rootleaf/render/passages.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rootleaf/render/cutting.hpp"
#include "rootleaf/render/graphemes.hpp"

namespace rootleaf::render {

namespace {

using markdown::Chunk;
using markdown::ChunkKind;

bool flows(ChunkKind kind) noexcept {
    return kind == ChunkKind::paragraph || kind == ChunkKind::quote || kind == ChunkKind::html;
}

std::string_view without_blanks(std::string_view text) noexcept {
    const auto* const start = std::find_if_not(text.begin(), text.end(), is_blank);
    return text.substr(static_cast<std::size_t>(start - text.begin()));
}

/// Whether a text is nothing but `<a ...></a>`, once or more.
bool is_anchors(std::string_view text) noexcept {
    constexpr std::string_view kOpening = "<a";
    constexpr std::string_view kClosing = "</a>";
    if (text.empty()) {
        return false;
    }
    while (!text.empty()) {
        if (!text.starts_with(kOpening) || text.size() == kOpening.size() ||
            !is_blank(text[kOpening.size()])) {
            return false;
        }
        text.remove_prefix(kOpening.size());
        const std::size_t end = text.find_first_of("<>");
        if (end == std::string_view::npos || text[end] == '<') {
            return false;
        }
        text = without_blanks(text.substr(end + 1));
        if (!text.starts_with(kClosing)) {
            return false;
        }
        text = without_blanks(text.substr(kClosing.size()));
    }
    return true;
}

/// How much of a quote is shown if no line of marks alone shall stand at its end.
std::size_t without_trailing_marks(std::string_view shown) noexcept {
    const auto last =
        std::find_if_not(shown.rbegin(), shown.rend(), [](char c) { return is_quote_mark(c); });
    const auto said = static_cast<std::size_t>(shown.rend() - last);
    if (said == 0) {
        return 0;
    }
    return std::min(shown.find('\n', said), shown.size());
}

}  // namespace

Passages::Passages(const PreparedDocument& document, Question& question)
    : source_(document.text()),
      chunks_(document.document().chunks),
      question_(question),
      table_rows_(source_, chunks_, question) {}

std::string_view Passages::text_of(std::uint32_t chunk) const noexcept {
    return source_.slice(chunks_[chunk].span.start, chunks_[chunk].span.end);
}

std::vector<Piece> Passages::pieces(std::uint32_t chunk) {
    const Chunk& shown = chunks_[chunk];
    std::vector<Piece> found = frame(chunk);
    if (shown.kind == ChunkKind::table && question_.is_asked()) {
        if (const std::optional<std::vector<Piece>> rows = table_rows_.shown(chunk)) {
            found.insert(found.end(), rows->begin(), rows->end());
            return found;
        }
    }
    found.push_back({shown.span.start, shown.span.end, shown.start_line});
    return found;
}

std::vector<Piece> Passages::cut(std::uint32_t chunk, std::int64_t max_bytes) {
    const Chunk& whole = chunks_[chunk];
    const bool by_lines = whole.kind == ChunkKind::table || whole.kind == ChunkKind::code;
    auto [start, end] = whole.span;
    std::vector<Piece> found = frame(chunk);
    if ((by_lines || whole.kind == ChunkKind::comment) && found.empty()) {
        found = own_frame(chunk);
        if (!found.empty()) {
            start = std::min(found[0].end + 1, end);
            end = std::max(start, found.size() > 1 ? found[1].start - 1 : end);
        }
    }
    for (const Piece& piece : found) {
        max_bytes -= static_cast<std::int64_t>(piece.end - piece.start) + 1;
    }
    const std::string_view passage = source_.slice(start, end);
    const std::size_t first = cut_start(passage, max_bytes, by_lines);
    const std::string_view shown = passage.substr(first);
    std::size_t length = cut_end(shown, max_bytes, by_lines);
    if (whole.kind == ChunkKind::quote) {
        length = without_trailing_marks(shown.substr(0, length));
    }
    if (length == 0) {
        return {};
    }
    start += static_cast<std::uint32_t>(first);
    const std::uint32_t line = whole.start_line + source_.count_lines(whole.span.start, start);
    found.push_back({start, start + static_cast<std::uint32_t>(length), line});
    return found;
}

std::size_t Passages::match_count(std::uint32_t chunk) {
    return question_.match_count(text_of(chunk));
}

std::vector<std::uint32_t> Passages::idle_chunks(std::span<const ShownChunk> shown) {
    std::vector<std::uint32_t> idle;
    if (!question_.is_asked()) {
        return idle;
    }
    // Most documents have nothing of the kind, and then no chunk's words are looked at.
    std::optional<std::vector<std::uint32_t>> said;
    for (const ShownChunk& one : shown) {
        if (!is_unseen(one.chunk)) {
            continue;
        }
        const std::vector<std::uint32_t>& terms = terms_in(one.chunk);
        if (!terms.empty() && !said) {
            said = terms_of_seen(shown);
        }
        if (terms.empty() ||
            std::includes(said->begin(), said->end(), terms.begin(), terms.end())) {
            idle.push_back(one.chunk);
        }
    }
    return idle;
}

std::vector<std::uint32_t> Passages::terms_of_seen(std::span<const ShownChunk> shown) {
    std::vector<std::uint32_t> said;
    for (const ShownChunk& one : shown) {
        if (!is_unseen(one.chunk)) {
            const std::vector<std::uint32_t>& terms = terms_in(one.chunk);
            said.insert(said.end(), terms.begin(), terms.end());
        }
    }
    std::sort(said.begin(), said.end());
    said.erase(std::unique(said.begin(), said.end()), said.end());
    return said;
}

bool Passages::goes_on_after(std::uint32_t chunk, std::uint32_t end) const noexcept {
    const Chunk& last = chunks_[chunk];
    if (last.kind != ChunkKind::table && end < last.span.end) {
        const std::string_view rest = source_.slice(end, last.span.end);
        if (!std::all_of(rest.begin(), rest.end(), is_quote_mark)) {
            return true;
        }
    }
    if (chunk + 1 >= chunks_.size()) {
        return false;
    }
    const Chunk& following = chunks_[chunk + 1];
    return flows(last.kind) && following.kind == last.kind && following.parent == last.parent &&
           source_.count_lines(last.span.end, following.span.start) <= 1;
}

bool Passages::is_unseen(std::uint32_t chunk) const noexcept {
    const Chunk& one = chunks_[chunk];
    if (one.kind == ChunkKind::comment) {
        return one.head.start == one.head.end && one.tail.start == one.tail.end;
    }
    return one.kind == ChunkKind::link_definition || is_anchors(text_of(chunk));
}

const std::vector<std::uint32_t>& Passages::terms_in(std::uint32_t chunk) {
    const auto known = terms_.find(chunk);
    return known != terms_.end()
               ? known->second
               : terms_.emplace(chunk, question_.terms_in(text_of(chunk))).first->second;
}

std::vector<Piece> Passages::frame(std::uint32_t chunk) const {
    const Chunk& one = chunks_[chunk];
    std::vector<Piece> lines;
    if (one.head.start < one.head.end) {
        lines.push_back({one.head.start, one.head.end,
                         one.start_line - source_.count_lines(one.head.start, one.span.start)});
    }
    if (one.tail.start < one.tail.end) {
        lines.push_back({one.tail.start, one.tail.end,
                         one.start_line + source_.count_lines(one.span.start, one.tail.start)});
    }
    return lines;
}

/// The framing lines of a whole block: the header rows of a table, the fences of code.
std::vector<Piece> Passages::own_frame(std::uint32_t chunk) const {
    const Chunk& block = chunks_[chunk];
    const auto [start, end] = block.span;
    const std::uint32_t first_end = source_.line_end(start, end);
    if (block.kind == ChunkKind::table) {
        const std::uint32_t head_end = source_.line_end(first_end + 1, end);
        return head_end < end ? std::vector<Piece>{{start, head_end, block.start_line}}
                              : std::vector<Piece>();
    }
    const std::uint32_t last_start = source_.last_line_start(start, end);
    std::string_view opening = source_.slice(start, first_end);
    opening.remove_prefix(std::min(opening.find_first_not_of(" \t>"), opening.size()));
    const bool is_fence =
        opening.starts_with("```") || opening.starts_with("~~~") || opening.starts_with("<!--");
    if (!is_fence || first_end + 1 >= last_start) {
        return {};
    }
    return {{start, first_end, block.start_line},
            {last_start, end, block.start_line + source_.count_lines(start, last_start)}};
}

std::size_t Passages::cut_start(std::string_view passage, std::int64_t max_bytes, bool by_lines) {
    if (max_bytes <= 0) {
        return 0;
    }
    const std::vector<text::MatchSpan> spans = question_.matches(passage);
    if (spans.empty() || std::cmp_less_equal(spans[0].end_byte, max_bytes)) {
        return 0;
    }
    const std::size_t match_start = spans[0].start_byte;
    if (by_lines) {
        const std::size_t found = passage.substr(0, match_start).rfind('\n');
        return found == std::string_view::npos ? 0 : found + 1;
    }
    const std::size_t bytes_per_character = passage.size() / count_characters(passage);
    return start_before(passage, match_start,
                        static_cast<std::size_t>(max_bytes) / 2 / bytes_per_character);
}

}  // namespace rootleaf::render
