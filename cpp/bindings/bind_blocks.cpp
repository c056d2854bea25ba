#include <cstdint>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/markdown/block.hpp"

namespace rootleaf::bindings {

namespace {

namespace py = pybind11;

/// (kinds, details, parents, start_lines, end_lines, line_starts); the first two hold uint8, the
/// others uint32.
[[nodiscard]] py::tuple block_columns(const py::bytes& text, std::uint32_t first_byte) {
    const std::string_view source = text;
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint8_t> details;
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> start_lines;
    std::vector<std::uint32_t> end_lines;
    markdown::BlockTree tree;
    {
        const py::gil_scoped_release release;
        tree = markdown::parse_blocks(source, first_byte);
        const std::size_t count = tree.blocks.size();
        kinds.reserve(count);
        details.reserve(count);
        parents.reserve(count);
        start_lines.reserve(count);
        end_lines.reserve(count);
        for (const markdown::Block& block : tree.blocks) {
            kinds.push_back(static_cast<std::uint8_t>(block.kind));
            details.push_back(block.detail);
            parents.push_back(block.parent);
            start_lines.push_back(block.start_line);
            end_lines.push_back(block.end_line);
        }
    }
    return py::make_tuple(column(kinds), column(details), column(parents), column(start_lines),
                          column(end_lines), column(tree.line_starts));
}

/// (state, content_start, content_end, end); state as in FrontMatterState.
[[nodiscard]] py::tuple front_matter_span(const py::str& text) {
    const std::string_view source = utf8_of(text);
    markdown::FrontMatterSpan span{};
    {
        const py::gil_scoped_release release;
        span = markdown::find_front_matter(source);
    }
    return py::make_tuple(static_cast<int>(span.state), span.content_start, span.content_end,
                          span.end);
}

}  // namespace

void bind_blocks(py::module_& module) {
    module.def("block_columns", &block_columns, py::arg("text").noconvert(), py::arg("first_byte"));
    module.def("front_matter_span", &front_matter_span, py::arg("text").noconvert());
}

}  // namespace rootleaf::bindings
