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

/// Per word of a query: its weight, its terms separated by NUL, and by term the index of the one
/// that it is part of, or 2^32 - 1.
py::list query_words(std::string_view query) {
    text::Query analysed;
    {
        const py::gil_scoped_release release;
        analysed = text::analyze_query(query);
    }
    py::list words;
    for (const text::QueryWord& word : analysed.words) {
        std::string terms;
        std::vector<std::uint32_t> enclosing;
        for (const text::QueryTerm& term : word.terms) {
            terms.append(analysed.terms[term.term]).push_back('\0');
            enclosing.push_back(term.enclosing);
        }
        words.append(py::make_tuple(word.weight, py::bytes(terms), column(enclosing)));
    }
    return words;
}

}  // namespace

void bind_analyzer(py::module_& module) {
    module.def("analyzer_id", &text::analyzer_id);
    module.def("analyze", &analyze, py::arg("text").noconvert());
    module.def("query_words", &query_words, py::arg("query").noconvert());
    module.def("matching_spans", &matching_spans, py::arg("query").noconvert(),
               py::arg("text").noconvert());
}

}  // namespace rootleaf::bindings
