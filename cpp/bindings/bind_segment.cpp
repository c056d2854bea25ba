#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

using Metadata = std::vector<std::pair<std::string, std::string>>;
using Where = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// A builder that threads may share: the GIL is released while it works, so it has a lock of its
/// own.
class LockedBuilder {
public:
    explicit LockedBuilder(std::uint32_t max_tokens) : max_tokens_(max_tokens) {}

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

    std::shared_ptr<index::Segment> build() {
        const py::gil_scoped_release release;
        const std::scoped_lock lock(mutex_);
        return std::make_shared<index::Segment>(builder_.build());
    }

private:
    std::uint32_t max_tokens_;
    std::mutex mutex_;
    index::SegmentBuilder builder_;
};

/// (document_ids, ordinals, bm25, coverage, allowed_documents, allowed_chunksets,
/// matched_documents): uint64, uint32, double, double columns, and three numbers.
py::tuple search(const index::Segment& segment,
                 std::string_view query,
                 const Where& where,
                 std::uint32_t top_k,
                 std::uint32_t per_document) {
    index::Ranking ranking;
    {
        const py::gil_scoped_release release;
        filter::Predicate predicate;
        for (const auto& [key, values] : where) {
            for (const std::string& value : values) {
                predicate.value(key, value);
            }
            predicate.any_of(static_cast<std::uint32_t>(values.size()));
        }
        predicate.all_of(static_cast<std::uint32_t>(where.size()));
        ranking = index::search(segment, query, predicate, {top_k, per_document});
    }
    return py::make_tuple(column(ranking.document_ids), column(ranking.ordinals),
                          column(ranking.bm25), column(ranking.coverage), ranking.allowed_documents,
                          ranking.allowed_chunksets, ranking.matched_documents);
}

}  // namespace

// NOLINTNEXTLINE(misc-const-correctness): all of these functions have one signature
void bind_segment(py::module_& module) {
    py::class_<index::Segment, std::shared_ptr<index::Segment>>(module, "Segment")
        .def_property_readonly("document_count", &index::Segment::document_count)
        .def_property_readonly("chunkset_count", &index::Segment::chunkset_count)
        .def("search", &search, py::arg("query").noconvert(), py::arg("where"), py::arg("top_k"),
             py::arg("per_document"));
    py::class_<LockedBuilder>(module, "SegmentBuilder")
        .def(py::init<std::uint32_t>(), py::arg("max_tokens"))
        .def("add", &LockedBuilder::add, py::arg("document_id"), py::arg("path").noconvert(),
             py::arg("name").noconvert(), py::arg("text").noconvert(),
             py::arg("front_matter_parsed"), py::arg("field_text").noconvert(), py::arg("metadata"))
        .def("build", &LockedBuilder::build);
}

}  // namespace rootleaf::bindings
