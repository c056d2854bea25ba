#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/text/static_table.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

std::shared_ptr<text::StaticTable> open_static_table(const std::string& path) {
    const py::gil_scoped_release release;
    // pybind11 holds what it shares without const; all that it is given to call is const.
    return std::const_pointer_cast<text::StaticTable>(text::StaticTable::open(path));
}

py::bytes identity(const text::StaticTable& table) {
    const Checksum& identity = table.identity();
    return {reinterpret_cast<const char*>(identity.data()), identity.size()};
}

/// The tokens, end to end, and where each ends: a uint32 column.
py::tuple vocabulary(const text::StaticTable& table) {
    const StringList& tokens = table.wordpiece().tokens();
    const std::vector<std::uint32_t> ends(tokens.ends().begin(), tokens.ends().end());
    return py::make_tuple(py::bytes(tokens.bytes().data(), tokens.bytes().size()), column(ends));
}

/// A uint32 column.
py::bytes token_ids(const text::StaticTable& table, std::string_view text) {
    std::vector<std::uint32_t> ids;
    {
        const py::gil_scoped_release release;
        table.wordpiece().encode(text, ids);
    }
    return column(ids);
}

/// A float32 column: a row for each text. The texts are borrowed from bytes that the list holds.
py::bytes embed(const text::StaticTable& table, const std::vector<std::string_view>& texts) {
    std::vector<float> vectors;
    {
        const py::gil_scoped_release release;
        vectors.reserve(texts.size() * table.dimension());
        for (const std::string_view text : texts) {
            table.embed(text, vectors);
        }
    }
    return column(vectors);
}

}  // namespace

void bind_static_table(py::module_& module) {
    py::class_<text::StaticTable, std::shared_ptr<text::StaticTable>>(module, "StaticTable")
        .def_property_readonly("identity", &identity)
        .def_property_readonly("dimension", &text::StaticTable::dimension)
        .def_property_readonly(
            "unknown_id",
            [](const text::StaticTable& table) { return table.wordpiece().unknown_id(); })
        .def("verify", &text::StaticTable::verify, py::call_guard<py::gil_scoped_release>())
        .def("vocabulary", &vocabulary)
        .def("token_ids", &token_ids, py::arg("text").noconvert())
        .def(
            "knows",
            [](const text::StaticTable& table, std::string_view text) {
                return table.wordpiece().knows(text);
            },
            py::arg("text").noconvert(), py::call_guard<py::gil_scoped_release>())
        .def("embed", &embed, py::arg("texts"));
    module.def("open_static_table", &open_static_table, py::arg("path").noconvert());
}

}  // namespace rootleaf::bindings
