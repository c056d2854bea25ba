#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/render/piece.hpp"
#include "rootleaf/render/question.hpp"
#include "rootleaf/render/source.hpp"

namespace rootleaf::render {

/// The rows of tables that match a question. Borrows what it is made of.
class TableRows {
public:
    TableRows(const Source& source,
              const std::vector<markdown::Chunk>& chunks,
              Question& question) noexcept
        : source_(source), chunks_(chunks), question_(question) {}

    /// What is shown of a chunk that is a piece of a table: the header rows that it holds itself,
    /// and its matching rows, which may be none. Nothing where no row of the whole table matches:
    /// then the piece is shown as it is.
    [[nodiscard]] std::optional<std::vector<Piece>> shown(std::uint32_t chunk);

private:
    struct Rows {
        std::vector<Piece> header;
        std::vector<Piece> others;
    };

    [[nodiscard]] Rows rows(std::uint32_t chunk) const;
    [[nodiscard]] std::vector<Piece> matching(const std::vector<Piece>& rows);
    [[nodiscard]] bool table_matches(std::uint32_t chunk);
    [[nodiscard]] std::optional<std::uint32_t> table_start(std::uint32_t chunk) const noexcept;

    Source source_;
    const std::vector<markdown::Chunk>& chunks_;
    Question& question_;
    std::unordered_map<std::uint32_t, bool> matching_tables_;  // by where they start
};

}  // namespace rootleaf::render
