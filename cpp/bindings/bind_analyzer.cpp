#include <string_view>

#include "bindings.hpp"
#include "rootleaf/text/analyzer.hpp"
#include "rootleaf/text/matching.hpp"
#include "rootleaf/text/query.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

/// Terms separated by NUL (no term holds one), and their positions.
py::tuple analyze(std::string_view text) {
    std::string terms;
    std::vector<std::uint32_t> positions;
    {
        const py::gil_scoped_release release;
        text::Analyzer analyzer;
        for (const text::Occurrence& occurrence : analyzer.analyze(text)) {
            terms.append(occurrence.text).push_back('\0');
            positions.push_back(occurrence.position);
        }
    }
    return py::make_tuple(py::bytes(terms), column(positions));
}

py::tuple matching_spans(std::string_view query, std::string_view text) {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> ends;
    {
        const py::gil_scoped_release release;
        for (const text::CharacterSpan& span : text::matching_spans(query, text)) {
            starts.push_back(span.start);
            ends.push_back(span.end);
        }
    }
    return py::make_tuple(column(starts), column(ends));
}

/// The terms of a query, separated by NUL.
py::bytes query_terms(std::string_view query) {
    std::string terms;
    {
        const py::gil_scoped_release release;
        for (const std::string& term : text::analyze_query(query).terms) {
            terms.append(term).push_back('\0');
        }
    }
    return {terms};
}

}  // namespace

void bind_analyzer(py::module_& module) {
    module.def("analyzer_id", &text::analyzer_id);
    module.def("analyze", &analyze, py::arg("text").noconvert());
    module.def("query_terms", &query_terms, py::arg("query").noconvert());
    module.def("matching_spans", &matching_spans, py::arg("query").noconvert(),
               py::arg("text").noconvert());
}

}  // namespace rootleaf::bindings
