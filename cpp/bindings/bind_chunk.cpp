#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/markdown/chunkset.hpp"

namespace rootleaf::bindings {

namespace {

namespace py = pybind11;

template <typename Row, typename Read>
py::bytes column_of(const std::vector<Row>& rows, Read read) {
    std::vector<decltype(read(rows[0]))> values;
    values.reserve(rows.size());
    for (const Row& row : rows) {
        values.push_back(read(row));
    }
    return column(values);
}

py::tuple chunk_columns(const py::str& text, bool front_matter_parsed, std::uint32_t max_tokens) {
    using markdown::Chunk;
    using markdown::Chunkset;
    const std::string_view utf8 = utf8_of(text);
    markdown::ChunkOptions options;
    options.max_tokens = max_tokens;
    options.front_matter_parsed = front_matter_parsed;
    markdown::Document document;
    {
        const py::gil_scoped_release unlocked;
        document = markdown::chunk(utf8, options);
    }
    const auto& chunks = document.chunks;
    const auto& chunksets = document.chunksets;
    const py::tuple columns = py::make_tuple(
        column_of(chunks, [](const Chunk& chunk) { return static_cast<std::uint8_t>(chunk.kind); }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.level; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.depth; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.parent; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.span.start; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.span.end; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.start_line; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.end_line; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.head.start; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.head.end; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.tail.start; }),
        column_of(chunks, [](const Chunk& chunk) { return chunk.tail.end; }),
        column_of(chunksets, [](const Chunkset& chunkset) { return chunkset.first_chunk; }),
        column_of(chunksets, [](const Chunkset& chunkset) { return chunkset.chunk_count; }),
        column_of(chunksets, [](const Chunkset& chunkset) { return chunkset.key; }));
    return py::make_tuple(columns, document.title_chunk);
}

}  // namespace

void bind_chunk(py::module_& module) {
    module.attr("chunker_version") = markdown::kChunkerVersion;
    module.def("chunk_columns", &chunk_columns, py::arg("text").noconvert(),
               py::arg("front_matter_parsed").noconvert(), py::arg("max_tokens"));
}

}  // namespace rootleaf::bindings
