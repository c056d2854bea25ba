#include "rootleaf/render/runs.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace rootleaf::render {

namespace {

using markdown::Chunk;
using markdown::ChunkKind;

// A gap as short as this takes hardly more room than the mark that would stand for it.
constexpr std::uint32_t kBridgedLines = 2;
constexpr std::uint32_t kBridgedBytes = 60;
// Blanks that are kept between pieces; a longer run of them is left out like any other bytes.
constexpr std::uint32_t kMostBlankBytes = 1024;

/// Pieces that follow each other with only blanks between.
using Group = std::span<const Run>;

bool is_kept_blank(const Source& source, std::uint32_t start, std::uint32_t end) {
    return start >= end || (end - start <= kMostBlankBytes && source.is_blank_between(start, end));
}

Run to_line_edges(const Source& source, const Piece& piece, std::uint32_t chunk) {
    const std::uint32_t start = source.line_start(piece.start);
    const std::uint32_t end = source.line_end(piece.end);
    return {is_kept_blank(source, start, piece.start) ? start : piece.start,
            is_kept_blank(source, piece.end, end) ? end : piece.end, piece.line, chunk, chunk};
}

std::vector<Run> pieces_in_order(const Source& source, std::span<const ShownChunk> shown) {
    std::vector<Run> pieces;
    for (const ShownChunk& one : shown) {
        for (const Piece& piece : *one.pieces) {
            const Run run = to_line_edges(source, piece, one.chunk);
            if (run.start < run.end) {
                pieces.push_back(run);
            }
        }
    }
    std::stable_sort(pieces.begin(), pieces.end(), [](const Run& a, const Run& b) {
        return a.start != b.start ? a.start < b.start : a.end < b.end;
    });
    return pieces;
}

std::vector<Group> grouped(const Source& source, std::span<const Run> pieces) {
    std::vector<Group> groups;
    std::size_t first = 0;
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > first && pieces[i].start > end && !is_kept_blank(source, end, pieces[i].start)) {
            groups.push_back(pieces.subspan(first, i - first));
            first = i;
        }
        end = std::max(end, pieces[i].end);
    }
    if (first < pieces.size()) {
        groups.push_back(pieces.subspan(first));
    }
    return groups;
}

/// What stands at the edges of passages and says nothing there.
class Noise {
public:
    Noise(Passages& passages, std::span<const ShownChunk> shown)
        : passages_(passages), idle_(passages.idle_chunks(shown)) {}

    [[nodiscard]] std::vector<Group> taken_from(const std::vector<Group>& groups) const {
        std::vector<Group> kept;
        for (const Group& group : groups) {
            std::size_t first = 0;
            for (std::size_t i = 0; i < group.size(); ++i) {
                if (is_idle_definition(group[i].first_chunk)) {
                    append_trimmed(group.subspan(first, i - first), kept);
                    first = i + 1;
                }
            }
            append_trimmed(group.subspan(first), kept);
        }
        return kept;
    }

private:
    [[nodiscard]] bool is_idle(std::uint32_t chunk) const {
        return std::find(idle_.begin(), idle_.end(), chunk) != idle_.end();
    }

    [[nodiscard]] bool is_idle_definition(std::uint32_t chunk) const {
        return passages_.is_kind(chunk, ChunkKind::link_definition) && is_idle(chunk);
    }

    [[nodiscard]] bool is_break(const Run& piece) const {
        return passages_.is_kind(piece.first_chunk, ChunkKind::thematic_break);
    }

    /// Whether a group ends in a break, or in an anchor or a comment that follows a passage.
    [[nodiscard]] bool has_idle_end(const Group& group) const {
        if (is_break(group.back())) {
            return true;
        }
        if (group.size() == 1 ||
            passages_.is_kind(group[group.size() - 2].last_chunk, ChunkKind::heading)) {
            return false;
        }
        return is_idle(group.back().first_chunk);
    }

    void append_trimmed(Group group, std::vector<Group>& kept) const {
        while (!group.empty() && is_break(group.front())) {
            group = group.subspan(1);
        }
        while (!group.empty() && has_idle_end(group)) {
            group = group.first(group.size() - 1);
        }
        if (!group.empty()) {
            kept.push_back(group);
        }
    }

    const Passages& passages_;
    std::vector<std::uint32_t> idle_;
};

/// Takes in a later run, and what stands between.
void grow(Run& run, const Run& later) {
    run.end = std::max(run.end, later.end);
    run.last_chunk = later.last_chunk;
}

Run merged(const Group& group) {
    Run run = group.front();
    for (const Run& piece : group.subspan(1)) {
        grow(run, piece);
    }
    return run;
}

std::size_t first_chunk_from(const std::vector<Chunk>& chunks, std::uint32_t byte) {
    const auto found = std::lower_bound(
        chunks.begin(), chunks.end(), byte,
        [](const Chunk& chunk, std::uint32_t start) { return chunk.span.start < start; });
    return static_cast<std::size_t>(found - chunks.begin());
}

std::uint32_t count_telling_lines(std::string_view text) {
    std::uint32_t count = 0;
    bool is_telling = false;
    for (const char byte : text) {
        if (byte == '\n') {
            is_telling = false;
        } else if (!is_telling && !is_blank(byte)) {
            is_telling = true;
            ++count;
        }
    }
    return count;
}

/// Whether only a line or two of the same section stand between two runs of whole lines.
bool is_short_gap(const Passages& passages, const Run& before, const Run& after) {
    const Source& source = passages.source();
    const std::uint32_t start = before.end;
    const std::uint32_t end = after.start;
    if (end - start > kBridgedBytes + 2 || start != source.line_end(start) ||
        end != source.line_start(end) ||
        count_telling_lines(source.slice(start, end)) > kBridgedLines) {
        return false;
    }
    const std::vector<Chunk>& chunks = passages.chunks();
    bool says_nothing = true;
    bool has_heading = false;
    const std::size_t first = first_chunk_from(chunks, start);
    std::size_t chunk = first;
    for (; chunk < chunks.size() && chunks[chunk].span.start < end; ++chunk) {
        const ChunkKind kind = chunks[chunk].kind;
        says_nothing = says_nothing &&
                       (kind == ChunkKind::thematic_break || kind == ChunkKind::link_definition);
        has_heading = has_heading || kind == ChunkKind::heading;
    }
    if (chunk > first && says_nothing) {
        return true;
    }
    // A section, or what stands between a heading and the next one, is a step on the way to a leaf.
    return !has_heading && !passages.is_kind(after.first_chunk, ChunkKind::heading);
}

std::vector<Run> with_bridges(const Passages& passages, const std::vector<Run>& runs) {
    std::vector<Run> joined;
    for (const Run& run : runs) {
        if (!joined.empty() && is_short_gap(passages, joined.back(), run)) {
            grow(joined.back(), run);
        } else {
            joined.push_back(run);
        }
    }
    return joined;
}

/// Leaves out lines at the end of a range that hold nothing but the marks of a quote.
std::uint32_t end_without_marks(std::string_view quote, std::uint32_t start) {
    const auto last =
        std::find_if_not(quote.rbegin(), quote.rend(), [](char c) { return is_quote_mark(c); });
    const auto said = static_cast<std::size_t>(quote.rend() - last);
    return start + static_cast<std::uint32_t>(std::min(quote.find('\n', said), quote.size()));
}

/// The same at its start.
std::size_t count_leading_marks(std::string_view quote) {
    const auto* const said = std::find_if_not(quote.begin(), quote.end(), is_quote_mark);
    const std::size_t line_end =
        quote.substr(0, static_cast<std::size_t>(said - quote.begin())).rfind('\n');
    return line_end == std::string_view::npos ? 0 : line_end + 1;
}

/// Without lines that hold nothing but the marks of a quote, where a quote is cut.
void trim_quotes(const Passages& passages, std::vector<Run>& runs) {
    const Source& source = passages.source();
    for (Run& run : runs) {
        if (passages.is_kind(run.last_chunk, ChunkKind::quote)) {
            run.end = end_without_marks(source.slice(run.start, run.end), run.start);
        }
        if (passages.is_kind(run.first_chunk, ChunkKind::quote)) {
            const std::string_view quote = source.slice(run.start, run.end);
            const std::size_t marks = count_leading_marks(quote);
            if (marks < quote.size()) {
                const std::uint32_t start = run.start + static_cast<std::uint32_t>(marks);
                run.line += source.count_lines(run.start, start);
                run.start = start;
            }
        }
    }
    std::erase_if(runs, [](const Run& run) { return run.start >= run.end; });
}

}  // namespace

std::vector<Run> runs_of(Passages& passages, std::span<const ShownChunk> shown, bool bridged) {
    const std::vector<Run> pieces = pieces_in_order(passages.source(), shown);
    const std::vector<Group> groups = grouped(passages.source(), pieces);
    const std::vector<Group> telling = Noise(passages, shown).taken_from(groups);
    std::vector<Run> runs;
    for (const Group& group : telling.empty() ? groups : telling) {
        runs.push_back(merged(group));
    }
    if (bridged) {
        runs = with_bridges(passages, runs);
    }
    trim_quotes(passages, runs);
    return runs;
}

std::vector<std::uint32_t> chunks_in(const Passages& passages,
                                     std::span<const ShownChunk> shown,
                                     std::span<const Run> runs) {
    std::vector<std::uint32_t> found;
    for (const ShownChunk& one : shown) {
        const bool is_in = std::any_of(one.pieces->begin(), one.pieces->end(), [&](const auto& p) {
            // Runs stand in order, so the first that ends behind the piece's start decides.
            const auto run = std::upper_bound(
                runs.begin(), runs.end(), p.start,
                [](std::uint32_t start, const Run& candidate) { return start < candidate.end; });
            return run != runs.end() && run->start < p.end;
        });
        if (is_in) {
            found.push_back(one.chunk);
        }
    }
    const std::vector<Chunk>& chunks = passages.chunks();
    for (const Run& run : runs) {
        for (std::size_t chunk = first_chunk_from(chunks, run.start);
             chunk < chunks.size() && chunks[chunk].span.start < run.end; ++chunk) {
            if (chunks[chunk].span.end <= run.end) {
                found.push_back(static_cast<std::uint32_t>(chunk));
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace rootleaf::render
