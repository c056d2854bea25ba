#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rootleaf/index/segment.hpp"
#include "rootleaf/lexical/term_reader.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/vector/matrix.hpp"

namespace rootleaf::index {

/// What a segment keeps of a document, its text apart. Borrowed for the call.
struct DocumentFields {
    std::uint64_t id;
    std::string_view path;        ///< orders documents, byte by byte; then `id` does
    std::string_view name;        ///< the file's name without suffix
    std::string_view field_text;  ///< the values of its front matter
    std::span<const std::pair<std::string_view, std::string_view>> metadata;  ///< key, value
};

/// The vectors of a document: unit vectors of `dimension` floats, one after the other. Borrowed for
/// the call.
// NOLINTBEGIN(readability-redundant-member-init): as for SearchRequest.
struct DocumentVectors {
    std::uint32_t dimension = 0;  ///< 0: none of its chunksets has one
    std::span<const float> floats{};
    std::span<const std::uint8_t> present{};  ///< by chunkset: not 0 where it has a vector in turn
};
// NOLINTEND(readability-redundant-member-init)

/// Collects documents and makes a segment of them. The segment is the same, bit for bit, in
/// whatever order they are added. Serves one thread at a time.
class SegmentBuilder {
public:
    /// Adds a document that was chunked from `text`. Neither is kept.
    ///
    /// Throws Error(invalid_input), and adds nothing, where the vectors are not as
    /// vector::MatrixBuilder::add takes them, or not one for each mark, or not one mark for each
    /// chunkset, or of another dimension than those before.
    void add(const DocumentFields& fields,
             std::string_view text,
             const markdown::Document& document,
             const DocumentVectors& vectors = {});

    /// The segment of all documents added; the builder is empty afterwards.
    [[nodiscard]] Segment build();

private:
    using Ids = std::vector<std::uint32_t>;

    struct DocumentEntry {
        std::uint64_t id;
        std::string path;
        std::vector<std::pair<std::string, std::string>> metadata;
        std::uint32_t first_chunkset;
        std::uint32_t chunkset_count;
        std::size_t first_row;
        std::size_t end_row;
        lexical::FieldLengths lengths;
    };

    struct ChunksetEntry {
        std::size_t first_row;
        std::size_t end_row;
        lexical::FieldLengths lengths;
    };

    [[nodiscard]] std::optional<vector::MatrixParts> read_vectors(const DocumentVectors& vectors,
                                                                  std::size_t chunkset_count) const;
    void keep_vectors(const vector::MatrixParts& vectors);

    void read_path(std::string_view text, const markdown::Document& document, std::uint32_t parent);
    std::uint32_t read_leaves(std::string_view text,
                              const markdown::Document& document,
                              const markdown::Chunkset& chunkset);
    void count(const Ids& first, const Ids& second);

    lexical::TermReader reader_;
    std::vector<DocumentEntry> documents_;
    std::vector<ChunksetEntry> chunksets_;
    std::vector<lexical::Frequency> rows_;
    std::optional<vector::MatrixBuilder> vectors_;  // by chunkset as added, up to the last with one

    std::vector<std::size_t>
        row_of_term_;  // in rows_, valid where it is not before the current ones
    Ids path_ids_;
    std::uint32_t path_words_ = 0;
    Ids first_ids_;
    Ids second_ids_;
};

}  // namespace rootleaf::index
