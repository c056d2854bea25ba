#include "rootleaf/render/cheatsheet.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/text/tokens.hpp"

namespace rootleaf::render {

namespace {

using markdown::Chunkset;
using markdown::kNone;

// No text worth a cut has more; only long runs of blanks do.
constexpr std::uint64_t kMostBytesPerToken = 12;

std::string_view without_trailing_blanks(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

std::vector<LineSpan> spans_of(const Source& source, std::span<const Run> runs) {
    std::vector<LineSpan> spans;
    for (const Run& run : runs) {
        const std::uint32_t first = run.line + 1;
        const std::uint32_t last = first + source.count_lines(run.start, run.end);
        if (!spans.empty() && first <= spans.back().end_line) {
            spans.back().end_line = last;
        } else {
            spans.push_back({first, last});
        }
    }
    return spans;
}

}  // namespace

CheatsheetBuilder::CheatsheetBuilder(const PreparedDocument& document,
                                     Question& question,
                                     std::optional<std::string_view> cite_path)
    : document_(document.document()),
      passages_(document, question),
      cite_path_(cite_path),
      wanted_at_(document_.chunks.size(), kNone),
      shown_at_(document_.chunks.size(), kNone) {}

const Chunkset& CheatsheetBuilder::chunkset(std::uint32_t ordinal) const {
    if (ordinal >= document_.chunksets.size()) {
        throw Error(ErrorCode::invalid_input, "there is no chunkset " + std::to_string(ordinal) +
                                                  " in a document of " +
                                                  std::to_string(document_.chunksets.size()));
    }
    return document_.chunksets[ordinal];
}

std::vector<std::uint32_t> CheatsheetBuilder::ancestors(std::uint32_t chunk) const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t parent = document_.chunks[chunk].parent; parent != kNone;
         parent = document_.chunks[parent].parent) {
        path.push_back(parent);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

void CheatsheetBuilder::want(std::uint32_t chunk) {
    if (wanted_at_[chunk] == kNone) {
        wanted_at_[chunk] = static_cast<std::uint32_t>(wanted_.size());
        pieces_.push_back(passages_.pieces(chunk));
        wanted_.push_back({chunk, &pieces_.back()});
    }
}

void CheatsheetBuilder::show_wanted(std::uint32_t chunk, std::vector<ShownChunk>& shown) {
    const ShownChunk& whole = wanted_[wanted_at_[chunk]];
    std::uint32_t& place = shown_at_[chunk];
    if (place == kNone) {
        place = static_cast<std::uint32_t>(shown.size());
        shown.push_back(whole);
    } else {
        shown[place].pieces = whole.pieces;
    }
}

void CheatsheetBuilder::take_back(std::span<const ShownChunk> candidate) {
    for (const ShownChunk& one : candidate.subspan(shown_.size())) {
        shown_at_[one.chunk] = kNone;
    }
}

void CheatsheetBuilder::add(std::uint32_t ordinal) {
    const Chunkset& set = chunkset(ordinal);
    const auto show = [this](std::uint32_t chunk) {
        want(chunk);
        show_wanted(chunk, shown_);
    };
    for (const std::uint32_t ancestor : ancestors(set.first_chunk)) {
        show(ancestor);
    }
    for (std::uint32_t i = 0; i < set.chunk_count; ++i) {
        show(set.first_chunk + i);
    }
}

void CheatsheetBuilder::add_within(std::uint32_t ordinal, std::uint64_t max_tokens, bool may_cut) {
    const Chunkset& set = chunkset(ordinal);
    const std::vector<std::uint32_t> above = ancestors(set.first_chunk);
    std::vector<std::uint32_t> chunks = above;
    for (std::uint32_t i = 0; i < set.chunk_count; ++i) {
        chunks.push_back(set.first_chunk + i);
    }
    for (const std::uint32_t chunk : chunks) {
        want(chunk);
    }
    if (show_if_fits(chunks, max_tokens)) {
        return;
    }
    const std::vector<std::uint32_t> leaves = best_leaves(set);
    bool any_fits = false;
    for (const std::uint32_t leaf : leaves) {
        chunks = above;
        chunks.push_back(leaf);
        any_fits = show_if_fits(chunks, max_tokens) || any_fits;
    }
    if (may_cut && !any_fits) {
        show_cut(above, leaves[0], max_tokens);
    }
}

std::vector<std::uint32_t> CheatsheetBuilder::best_leaves(const Chunkset& set) {
    std::vector<std::pair<std::size_t, std::uint32_t>> counted;
    counted.reserve(set.chunk_count);
    for (std::uint32_t i = 0; i < set.chunk_count; ++i) {
        counted.emplace_back(passages_.match_count(set.first_chunk + i), set.first_chunk + i);
    }
    std::stable_sort(counted.begin(), counted.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::uint32_t> leaves;
    for (const auto& [matches, leaf] : counted) {
        // What is left of a budget is not filled with leaves that say nothing of the query.
        if (matches > 0 || counted[0].first == 0) {
            leaves.push_back(leaf);
        }
    }
    return leaves;
}

bool CheatsheetBuilder::show_if_fits(std::span<const std::uint32_t> chunks,
                                     std::uint64_t max_tokens) {
    std::vector<ShownChunk> candidate = shown_;
    for (const std::uint32_t chunk : chunks) {
        show_wanted(chunk, candidate);
    }
    for (const bool bridged : {true, false}) {
        const std::uint64_t tokens = count_tokens(candidate, bridged);
        if (tokens <= max_tokens) {
            shown_ = std::move(candidate);
            tokens_ = tokens;
            bridged_ = bridged;
            return true;
        }
    }
    take_back(candidate);
    return false;
}

void CheatsheetBuilder::show_cut(std::span<const std::uint32_t> above,
                                 std::uint32_t leaf,
                                 std::uint64_t max_tokens) {
    std::vector<ShownChunk> candidate = shown_;
    for (const std::uint32_t chunk : above) {
        show_wanted(chunk, candidate);
    }
    show_wanted(leaf, candidate);
    const std::uint32_t place = shown_at_[leaf];
    // The largest part that fits is found by halving: how many bytes a token takes depends on what
    // they say, and marks and cited lines take some too.
    std::uint64_t fitting_bytes = 0;
    std::uint64_t excess_bytes = kMostBytesPerToken * max_tokens + 1;
    while (excess_bytes - fitting_bytes > 1) {
        const std::uint64_t room_bytes = fitting_bytes + (excess_bytes - fitting_bytes) / 2;
        std::vector<Piece> part = passages_.cut(leaf, static_cast<std::int64_t>(room_bytes));
        if (!part.empty()) {
            candidate[place].pieces = &part;
            const std::uint64_t tokens = count_tokens(candidate, false);
            if (tokens > max_tokens) {
                excess_bytes = room_bytes;
                continue;
            }
            pieces_.push_back(std::move(part));
            candidate[place].pieces = &pieces_.back();
            shown_ = candidate;
            tokens_ = tokens;
            bridged_ = false;
        }
        fitting_bytes = room_bytes;
    }
    take_back(candidate);
}

Cheatsheet CheatsheetBuilder::cheatsheet() {
    const std::vector<Run> runs = runs_of(passages_, shown_, bridged_);
    Cheatsheet sheet;
    sheet.text = text_of(runs);
    sheet.spans = spans_of(passages_.source(), runs);
    sheet.chunk_ids = chunks_in(passages_, shown_, runs);
    sheet.tokens = text::count_tokens(sheet.text);
    sheet.is_empty = is_empty();
    if (!bridged_ || !shows_all_wanted()) {
        const std::uint64_t wanted_tokens = count_tokens(wanted_, true);
        sheet.omitted_tokens = wanted_tokens - std::min(wanted_tokens, sheet.tokens);
    }
    return sheet;
}

/// Whether every wanted chunk is shown whole.
bool CheatsheetBuilder::shows_all_wanted() const {
    return shown_.size() == wanted_.size() &&
           std::all_of(shown_.begin(), shown_.end(), [this](const ShownChunk& one) {
               return one.pieces == wanted_[wanted_at_[one.chunk]].pieces;
           });
}

std::uint64_t CheatsheetBuilder::count_tokens(std::span<const ShownChunk> shown, bool bridged) {
    return text::count_tokens(text_of(runs_of(passages_, shown, bridged)));
}

std::string CheatsheetBuilder::text_of(std::span<const Run> runs) const {
    std::string out;
    const Run* previous = nullptr;
    for (const Run& run : runs) {
        join(previous, run, out);
        const std::string_view shown = passages_.source().slice(run.start, run.end);
        out.append(ends_inside_line(run) ? without_trailing_blanks(shown) : shown);
        previous = &run;
    }
    if (previous == nullptr) {
        return out;
    }
    if (ends_inside_line(*previous)) {
        out.append(" ").append(kOmission);
    } else if (passages_.goes_on_after(previous->last_chunk, previous->end)) {
        out.append("\n").append(kOmission);
    }
    return out;
}

/// Writes what stands between two runs, or before the first.
void CheatsheetBuilder::join(const Run* previous, const Run& run, std::string& out) const {
    const std::uint32_t line_start = passages_.source().line_start(run.start);
    const bool starts_inside_line = run.start != line_start;
    bool is_cited = true;
    if (previous != nullptr) {
        const bool ends_inside = ends_inside_line(*previous);
        if (ends_inside && starts_inside_line && line_start <= previous->end) {
            out.append(" ");
            is_cited = false;
        } else if (ends_inside) {
            out.append(" ").append(kOmission).append("\n");
        } else {
            out.append("\n");
            if (!starts_inside_line) {
                out.append(kOmission).append("\n");
            }
        }
    }
    if (is_cited && cite_path_) {
        out.append(*cite_path_).append(":").append(std::to_string(run.line + 1)).append("\n");
    }
    if (starts_inside_line) {
        out.append(kOmission).append(" ");
    }
}

bool CheatsheetBuilder::ends_inside_line(const Run& run) const noexcept {
    return run.end != passages_.source().line_end(run.end);
}

}  // namespace rootleaf::render
