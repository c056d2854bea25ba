#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/render/graphemes.hpp"
#include "rootleaf/render/hits.hpp"
#include "rootleaf/render/prepared_document.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

using render::Cheatsheet;
using render::PreparedDocument;

using Documents = std::vector<std::shared_ptr<PreparedDocument>>;
using Columns = std::vector<std::string_view>;
using CitePaths = std::vector<std::optional<std::string_view>>;

/// A copy, because the bytes of Python need not lie where numbers may.
template <typename Element>
std::vector<Element> elements_of(std::string_view column) {
    if (column.size() % sizeof(Element) != 0) {
        throw Error(ErrorCode::invalid_input,
                    "a column has " + std::to_string(sizeof(Element)) + " bytes for each element");
    }
    std::vector<Element> elements(column.size() / sizeof(Element));
    if (!elements.empty()) {
        std::memcpy(elements.data(), column.data(), column.size());
    }
    return elements;
}

/// A str of text and of a path that is cited, which may hold what stands for bytes that are no
/// text.
py::str text_of(std::string_view utf8) {
    PyObject* const text =
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
    if (text == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::str>(text);
}

std::shared_ptr<PreparedDocument> prepare(const py::str& text,
                                          bool front_matter_parsed,
                                          std::uint32_t max_tokens) {
    markdown::ChunkOptions options;
    options.max_tokens = max_tokens;
    options.front_matter_parsed = front_matter_parsed;
    return std::make_shared<PreparedDocument>(std::string(utf8_of(text)), options);
}

/// From columns as chunk_columns gives them; those that are not shown by are left out.
std::shared_ptr<PreparedDocument> prepare_chunks(const py::str& text,
                                                 const Columns& columns,
                                                 std::uint32_t title_chunk) {
    constexpr std::size_t kColumnCount = 11;
    if (columns.size() != kColumnCount) {
        throw Error(ErrorCode::invalid_input, "the columns of chunks are eleven");
    }
    const std::string_view kinds = columns[0];
    std::vector<std::vector<std::uint32_t>> numbers;
    for (std::size_t i = 1; i < kColumnCount; ++i) {
        numbers.push_back(elements_of<std::uint32_t>(columns[i]));
        const std::size_t expected = i < kColumnCount - 2 ? kinds.size() : numbers[8].size();
        if (numbers.back().size() != expected) {
            throw Error(ErrorCode::invalid_input, "the columns of chunks are of one length");
        }
    }
    markdown::Document document;
    document.title_chunk = title_chunk;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        document.chunks.push_back({static_cast<markdown::ChunkKind>(kinds[i]),
                                   0,
                                   0,
                                   numbers[0][i],
                                   {numbers[1][i], numbers[2][i]},
                                   numbers[3][i],
                                   0,
                                   {numbers[4][i], numbers[5][i]},
                                   {numbers[6][i], numbers[7][i]}});
    }
    for (std::size_t i = 0; i < numbers[8].size(); ++i) {
        document.chunksets.push_back({numbers[8][i], numbers[9][i], {}});
    }
    return std::make_shared<PreparedDocument>(std::string(utf8_of(text)), std::move(document));
}

/// The hits of an answer as the core takes them; keeps what they borrow.
class Hits {
public:
    Hits(const Documents& documents,
         const Columns& ordinals,
         const Columns& coverages,
         const CitePaths& cite_paths) {
        if (ordinals.size() != documents.size() || coverages.size() != documents.size() ||
            cite_paths.size() != documents.size()) {
            throw Error(ErrorCode::invalid_input, "every hit has its ordinals, coverages and path");
        }
        for (std::size_t i = 0; i < documents.size(); ++i) {
            ordinals_.push_back(elements_of<std::uint32_t>(ordinals[i]));
            coverages_.push_back(elements_of<double>(coverages[i]));
            hits_.push_back({documents[i].get(), ordinals_[i], coverages_[i], cite_paths[i]});
        }
    }

    [[nodiscard]] const std::vector<render::HitPassages>& hits() const noexcept { return hits_; }

private:
    std::vector<std::vector<std::uint32_t>> ordinals_;
    std::vector<std::vector<double>> coverages_;
    std::vector<render::HitPassages> hits_;
};

/// (texts, headings, columns, states): of each hit its text and the heading that is its document's
/// title, and the columns span_counts, span_lines, chunk_counts, chunk_ids, tokens, omitted_tokens,
/// is_empty; then what files that were to be looked at are.
py::tuple tuple_of(const std::vector<Cheatsheet>& sheets,
                   const Documents& documents,
                   const FileStates& states) {
    py::list texts;
    py::list headings;
    std::vector<std::uint32_t> span_counts;
    std::vector<render::LineSpan> span_lines;
    std::vector<std::uint32_t> chunk_counts;
    std::vector<std::uint32_t> chunk_ids;
    std::vector<std::uint64_t> tokens;
    std::vector<std::uint64_t> omitted_tokens;
    std::vector<std::uint8_t> is_empty;
    for (std::size_t i = 0; i < sheets.size(); ++i) {
        const Cheatsheet& sheet = sheets[i];
        texts.append(text_of(sheet.text));
        const std::optional<std::string_view> heading = documents[i]->title_heading();
        headings.append(heading ? py::object(text_of(*heading)) : py::none());
        span_counts.push_back(static_cast<std::uint32_t>(sheet.spans.size()));
        span_lines.insert(span_lines.end(), sheet.spans.begin(), sheet.spans.end());
        chunk_counts.push_back(static_cast<std::uint32_t>(sheet.chunk_ids.size()));
        chunk_ids.insert(chunk_ids.end(), sheet.chunk_ids.begin(), sheet.chunk_ids.end());
        tokens.push_back(sheet.tokens);
        omitted_tokens.push_back(sheet.omitted_tokens);
        is_empty.push_back(sheet.is_empty ? 1 : 0);
    }
    return py::make_tuple(
        texts, headings,
        py::make_tuple(column(span_counts), column(span_lines), column(chunk_counts),
                       column(chunk_ids), column(tokens), column(omitted_tokens), column(is_empty)),
        list_of(states));
}

py::tuple render_hits(const Documents& documents,
                      const Columns& ordinals,
                      const Columns& coverages,
                      const CitePaths& cite_paths,
                      std::optional<std::string_view> query,
                      std::optional<std::uint64_t> budget_tokens,
                      const std::vector<std::string>& look_at) {
    const Hits hits(documents, ordinals, coverages, cite_paths);
    std::vector<Cheatsheet> sheets;
    FileStates states;
    {
        const py::gil_scoped_release release;
        sheets = render::render_hits(hits.hits(), query, budget_tokens);
        states = look_at_all(look_at);
    }
    return tuple_of(sheets, documents, states);
}

std::uint64_t least_budget(const Documents& documents,
                           const Columns& ordinals,
                           const Columns& coverages,
                           const CitePaths& cite_paths,
                           std::optional<std::string_view> query,
                           std::uint64_t too_few_tokens) {
    const Hits hits(documents, ordinals, coverages, cite_paths);
    const py::gil_scoped_release release;
    return render::least_budget(hits.hits(), query, too_few_tokens);
}

}  // namespace

void bind_cheatsheet(py::module_& module) {
    module.attr("OMISSION") = render::kOmission;
    py::class_<PreparedDocument, std::shared_ptr<PreparedDocument>>(module, "PreparedDocument")
        .def(py::init(&prepare), py::arg("text").noconvert(), py::arg("front_matter_parsed"),
             py::arg("max_tokens"))
        .def_static("of_chunks", &prepare_chunks, py::arg("text").noconvert(), py::arg("columns"),
                    py::arg("title_chunk"));
    module.def("render_hits", &render_hits, py::arg("documents"), py::arg("ordinals"),
               py::arg("coverages"), py::arg("cite_paths"), py::arg("query").noconvert(),
               py::arg("budget_tokens"), py::arg("look_at"));
    module.def("least_budget", &least_budget, py::arg("documents"), py::arg("ordinals"),
               py::arg("coverages"), py::arg("cite_paths"), py::arg("query").noconvert(),
               py::arg("too_few_tokens"));
    module.def("floor_grapheme", &render::floor_grapheme_characters, py::arg("text").noconvert(),
               py::arg("char_offset"));
}

}  // namespace rootleaf::bindings
