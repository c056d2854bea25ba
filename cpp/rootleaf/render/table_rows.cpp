#include "rootleaf/render/table_rows.hpp"

#include <cstddef>

namespace rootleaf::render {

namespace {

constexpr std::size_t kHeaderLines = 2;

}  // namespace

std::optional<std::vector<Piece>> TableRows::shown(std::uint32_t chunk) {
    Rows found = rows(chunk);
    const std::vector<Piece> matches = matching(found.others);
    if (matches.empty() && !table_matches(chunk)) {
        return std::nullopt;
    }
    found.header.insert(found.header.end(), matches.begin(), matches.end());
    return std::move(found.header);
}

TableRows::Rows TableRows::rows(std::uint32_t chunk) const {
    const markdown::Chunk& piece = chunks_[chunk];
    const bool holds_header = piece.head.start == piece.head.end;
    Rows found;
    std::uint32_t line = piece.start_line;
    for (std::uint32_t start = piece.span.start; start < piece.span.end; ++line) {
        const std::uint32_t end = source_.line_end(start, piece.span.end);
        const bool is_header = holds_header && found.header.size() < kHeaderLines;
        (is_header ? found.header : found.others).push_back({start, end, line});
        start = end + 1;
    }
    return found;
}

std::vector<Piece> TableRows::matching(const std::vector<Piece>& rows) {
    std::vector<Piece> matches;
    if (rows.empty()) {
        return matches;
    }
    const std::uint32_t first = rows.front().start;
    std::size_t row = 0;
    for (const text::MatchSpan& span : question_.matches(source_.slice(first, rows.back().end))) {
        while (row + 1 < rows.size() && rows[row].end < first + span.start_byte) {
            ++row;
        }
        if (matches.empty() || matches.back().start != rows[row].start) {
            matches.push_back(rows[row]);
        }
    }
    return matches;
}

bool TableRows::table_matches(std::uint32_t chunk) {
    const std::optional<std::uint32_t> table = table_start(chunk);
    if (!table) {
        return false;
    }
    const auto known = matching_tables_.find(*table);
    if (known != matching_tables_.end()) {
        return known->second;
    }
    std::uint32_t piece = chunk;
    while (piece > 0 && table_start(piece - 1) == table) {
        --piece;
    }
    bool matches = false;
    for (; !matches && piece < chunks_.size() && table_start(piece) == table; ++piece) {
        matches = !matching(rows(piece).others).empty();
    }
    matching_tables_.emplace(*table, matches);
    return matches;
}

/// Where the table that a chunk is a piece of starts; nothing for what is no table.
std::optional<std::uint32_t> TableRows::table_start(std::uint32_t chunk) const noexcept {
    const markdown::Chunk& piece = chunks_[chunk];
    if (piece.kind != markdown::ChunkKind::table) {
        return std::nullopt;
    }
    return piece.head.start < piece.head.end ? piece.head.start : piece.span.start;
}

}  // namespace rootleaf::render
