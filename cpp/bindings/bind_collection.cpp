#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

using Metadata = std::vector<std::pair<std::string, std::string>>;
using Where = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// A builder that threads may share: the GIL is released while it works, so it has a lock of its
/// own.
class Batch {
public:
    explicit Batch(std::uint32_t max_tokens) : max_tokens_(max_tokens) {}

    void add(std::uint64_t document_id,
             std::string_view path,
             std::string_view name,
             std::string_view text,
             bool front_matter_parsed,
             std::string_view field_text,
             const Metadata& metadata) {
        const py::gil_scoped_release release;
        markdown::ChunkOptions options;
        options.max_tokens = max_tokens_;
        options.front_matter_parsed = front_matter_parsed;
        const markdown::Document document = markdown::chunk(text, options);
        std::vector<std::pair<std::string_view, std::string_view>> pairs(metadata.begin(),
                                                                         metadata.end());
        const std::scoped_lock lock(mutex_);
        builder_.add({document_id, path, name, field_text, pairs}, text, document);
    }

    /// The segment of all documents added; the batch is empty afterwards. Without the GIL.
    index::Segment take() {
        const std::scoped_lock lock(mutex_);
        return builder_.build();
    }

private:
    std::uint32_t max_tokens_;
    std::mutex mutex_;
    index::SegmentBuilder builder_;
};

/// A view that Python holds.
struct HeldView {
    std::shared_ptr<const index::View> view;
};

/// A column of unsigned numbers, 4 or 8 bytes each in native order, ascending and distinct.
std::vector<std::uint64_t> ascending_ids(std::string_view column, std::uint32_t width_bytes) {
    if ((width_bytes != 4 && width_bytes != 8) || column.size() % width_bytes != 0) {
        throw Error(ErrorCode::invalid_input, "a column of ids has 4 or 8 bytes for each");
    }
    std::vector<std::uint64_t> ids(column.size() / width_bytes);
    if (width_bytes == 8) {
        std::copy(column.begin(), column.end(), reinterpret_cast<char*>(ids.data()));
    } else {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            std::uint32_t id = 0;
            std::memcpy(&id, column.data() + i * sizeof(id), sizeof(id));
            ids[i] = id;
        }
    }
    if (!std::is_sorted(ids.begin(), ids.end())) {
        std::sort(ids.begin(), ids.end());
    }
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

/// Keys AND-ed, the values of each OR-ed.
filter::Predicate predicate_of(const Where& where) {
    filter::Predicate predicate;
    if (where.empty()) {
        return predicate;
    }
    for (const auto& [key, values] : where) {
        for (const std::string& value : values) {
            predicate.value(key, value);
        }
        predicate.any_of(static_cast<std::uint32_t>(values.size()));
    }
    predicate.all_of(static_cast<std::uint32_t>(where.size()));
    return predicate;
}

/// (names, columns, allowed_documents, allowed_chunksets, matched_documents): the columns of a
/// ranking as bytes, beside their names, and three numbers.
py::tuple search(const HeldView& held,
                 std::string_view query,
                 const Where& where,
                 const std::optional<std::string_view>& allowed_ids,
                 std::uint32_t id_width_bytes,
                 std::uint32_t top_k,
                 std::uint32_t per_document) {
    index::Ranking ranking;
    {
        const py::gil_scoped_release release;
        index::SearchRequest request{query, predicate_of(where), std::nullopt, top_k, per_document};
        std::vector<std::uint64_t> ids;
        if (allowed_ids) {
            ids = ascending_ids(*allowed_ids, id_width_bytes);
            request.allowed_ids = ids;
        }
        ranking = index::search(*held.view, request);
    }
    return py::make_tuple(
        py::make_tuple("document_ids", "ordinals", "score", "bm25", "coverage"),
        py::make_tuple(column(ranking.document_ids), column(ranking.ordinals),
                       column(ranking.scores), column(ranking.bm25), column(ranking.coverage)),
        ranking.allowed_documents, ranking.allowed_chunksets, ranking.matched_documents);
}

}  // namespace

void bind_collection(py::module_& module) {
    py::class_<Batch>(module, "Batch")
        .def(py::init<std::uint32_t>(), py::arg("max_tokens"))
        .def("add", &Batch::add, py::arg("document_id"), py::arg("path").noconvert(),
             py::arg("name").noconvert(), py::arg("text").noconvert(),
             py::arg("front_matter_parsed"), py::arg("field_text").noconvert(),
             py::arg("metadata"));
    py::class_<HeldView>(module, "View")
        .def_property_readonly("document_count",
                               [](const HeldView& held) { return held.view->document_count(); })
        .def_property_readonly("chunkset_count",
                               [](const HeldView& held) { return held.view->chunkset_count(); })
        .def_property_readonly("segment_count",
                               [](const HeldView& held) { return held.view->segments().size(); })
        .def("search", &search, py::arg("query").noconvert(), py::arg("where"),
             py::arg("allowed_ids").noconvert(), py::arg("id_width_bytes"), py::arg("top_k"),
             py::arg("per_document"));
    py::class_<index::Collection>(module, "Collection")
        .def(py::init<>())
        .def(
            "add",
            [](index::Collection& collection, Batch& batch) { collection.add(batch.take()); },
            py::arg("batch"), py::call_guard<py::gil_scoped_release>())
        .def(
            "remove",
            [](index::Collection& collection, std::string_view ids, std::uint32_t width_bytes) {
                return collection.remove(ascending_ids(ids, width_bytes));
            },
            py::arg("ids").noconvert(), py::arg("id_width_bytes"),
            py::call_guard<py::gil_scoped_release>())
        .def("merge", &index::Collection::merge, py::call_guard<py::gil_scoped_release>())
        .def("view",
             [](const index::Collection& collection) { return HeldView{collection.view()}; });
}

}  // namespace rootleaf::bindings
