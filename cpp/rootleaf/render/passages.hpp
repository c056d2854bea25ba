#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/render/piece.hpp"
#include "rootleaf/render/prepared_document.hpp"
#include "rootleaf/render/question.hpp"
#include "rootleaf/render/source.hpp"
#include "rootleaf/render/table_rows.hpp"

namespace rootleaf::render {

/// Which bytes of one document stand for a chunk when it is shown. What was asked decides which
/// rows of a table are; with nothing asked all are.
///
/// A chunk's words are analysed when they are first looked at. Borrows document and question.
class Passages {
public:
    Passages(const PreparedDocument& document, Question& question);

    [[nodiscard]] const Source& source() const noexcept { return source_; }
    [[nodiscard]] const std::vector<markdown::Chunk>& chunks() const noexcept { return chunks_; }

    /// What is shown for a chunk: its lines, and those that frame a part of a longer block.
    [[nodiscard]] std::vector<Piece> pieces(std::uint32_t chunk);

    /// The part of a chunk that fits into `max_bytes`, framed as the whole; else nothing.
    ///
    /// The part holds the first matching word if any: it starts at the chunk's start, or else at
    /// the start of a sentence, and ends as `cut_end` says.
    [[nodiscard]] std::vector<Piece> cut(std::uint32_t chunk, std::int64_t max_bytes);

    /// How many different words of a chunk match.
    [[nodiscard]] std::size_t match_count(std::uint32_t chunk);

    [[nodiscard]] bool is_kind(std::uint32_t chunk, markdown::ChunkKind kind) const noexcept {
        return chunks_[chunk].kind == kind;
    }

    /// Those of some chunks that no reader sees and that match no more than the others do:
    /// definitions of links, whole comments, anchors. What only they match is shown with them.
    [[nodiscard]] std::vector<std::uint32_t> idle_chunks(std::span<const ShownChunk> shown);

    /// Whether a paragraph, quote and so on goes on behind `end`, in its last chunk or the next.
    /// Rows of a table that are left out at its end are none of that.
    [[nodiscard]] bool goes_on_after(std::uint32_t chunk, std::uint32_t end) const noexcept;

private:
    [[nodiscard]] std::string_view text_of(std::uint32_t chunk) const noexcept;
    [[nodiscard]] bool is_unseen(std::uint32_t chunk) const noexcept;
    [[nodiscard]] const std::vector<std::uint32_t>& terms_in(std::uint32_t chunk);
    [[nodiscard]] std::vector<std::uint32_t> terms_of_seen(std::span<const ShownChunk> shown);
    [[nodiscard]] std::vector<Piece> frame(std::uint32_t chunk) const;
    [[nodiscard]] std::vector<Piece> own_frame(std::uint32_t chunk) const;
    [[nodiscard]] std::size_t cut_start(std::string_view passage,
                                        std::int64_t max_bytes,
                                        bool by_lines);

    Source source_;
    const std::vector<markdown::Chunk>& chunks_;
    Question& question_;
    TableRows table_rows_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> terms_;  // by chunk
};

}  // namespace rootleaf::render
