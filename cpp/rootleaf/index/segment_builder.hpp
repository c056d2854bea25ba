#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rootleaf/index/segment.hpp"
#include "rootleaf/lexical/term_reader.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace rootleaf::index {

/// What a segment keeps of a document, its text apart. Borrowed for the call.
struct DocumentFields {
    std::uint64_t id;
    std::string_view path;        ///< orders documents, byte by byte; then `id` does
    std::string_view name;        ///< the file's name without suffix
    std::string_view field_text;  ///< the values of its front matter
    std::span<const std::pair<std::string_view, std::string_view>> metadata;  ///< key, value
};

/// Collects documents and makes a segment of them. The segment is the same, bit for bit, in
/// whatever order they are added. Serves one thread at a time.
class SegmentBuilder {
public:
    /// Adds a document that was chunked from `text`. Neither is kept.
    void add(const DocumentFields& fields,
             std::string_view text,
             const markdown::Document& document);

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

    void read_path(std::string_view text, const markdown::Document& document, std::uint32_t parent);
    std::uint32_t read_leaves(std::string_view text,
                              const markdown::Document& document,
                              const markdown::Chunkset& chunkset);
    void count(const Ids& first, const Ids& second);

    lexical::TermReader reader_;
    std::vector<DocumentEntry> documents_;
    std::vector<ChunksetEntry> chunksets_;
    std::vector<lexical::Frequency> rows_;

    std::vector<std::size_t>
        row_of_term_;  // in rows_, valid where it is not before the current ones
    Ids path_ids_;
    std::uint32_t path_words_ = 0;
    Ids first_ids_;
    Ids second_ids_;
};

}  // namespace rootleaf::index
