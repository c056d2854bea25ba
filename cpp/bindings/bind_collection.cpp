#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/index/collection.hpp"
#include "rootleaf/index/search.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/index/snapshot.hpp"
#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/rank/fusion.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

using Metadata = std::vector<std::pair<std::string, std::string>>;
using Where = std::vector<std::pair<std::string, std::vector<std::string>>>;

using Weights = std::vector<std::pair<std::string, double>>;

/// A copy, because the bytes of Python need not lie where floats may.
std::vector<float> floats_of(std::string_view column) {
    if (column.size() % sizeof(float) != 0) {
        throw Error(ErrorCode::invalid_input, "a column of float32 has 4 bytes for each");
    }
    std::vector<float> floats(column.size() / sizeof(float));
    std::copy(column.begin(), column.end(), reinterpret_cast<char*>(floats.data()));
    return floats;
}

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
             const Metadata& metadata,
             const std::optional<std::string_view>& vectors,
             const std::optional<std::string_view>& present) {
        const py::gil_scoped_release release;
        markdown::ChunkOptions options;
        options.max_tokens = max_tokens_;
        options.front_matter_parsed = front_matter_parsed;
        const markdown::Document document = markdown::chunk(text, options);
        std::vector<std::pair<std::string_view, std::string_view>> pairs(metadata.begin(),
                                                                         metadata.end());
        const std::vector<float> floats = floats_of(vectors.value_or(std::string_view()));
        const std::vector<std::uint8_t> marks =
            present ? std::vector<std::uint8_t>(present->begin(), present->end())
                    : std::vector<std::uint8_t>(document.chunksets.size(), 1);
        const std::uint32_t dimension = dimension_of(floats.size(), marks);
        const std::scoped_lock lock(mutex_);
        builder_.add({document_id, path, name, field_text, pairs}, text, document,
                     {dimension, floats, marks});
    }

    /// The segment of all documents added; the batch is empty afterwards. Without the GIL.
    index::Segment take() {
        const std::scoped_lock lock(mutex_);
        return builder_.build();
    }

private:
    /// How many of the floats are one vector; 0 without floats.
    static std::uint32_t dimension_of(std::size_t float_count,
                                      const std::vector<std::uint8_t>& present) {
        const auto vector_count = static_cast<std::size_t>(
            std::count_if(present.begin(), present.end(), [](auto mark) { return mark != 0; }));
        if (float_count == 0) {
            return 0;
        }
        if (vector_count == 0 || float_count % vector_count != 0 ||
            float_count / vector_count > vector::kMaxDimension) {
            throw Error(ErrorCode::invalid_input,
                        "vectors hold " + std::to_string(float_count) + " numbers, which are not " +
                            std::to_string(vector_count) +
                            " vectors of one width, one for each chunkset");
        }
        return static_cast<std::uint32_t>(float_count / vector_count);
    }

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

rank::Fusion fusion_of(std::string_view spelling) {
    const std::optional<rank::Fusion> fusion = rank::fusion_from(spelling);
    if (!fusion) {
        throw Error(ErrorCode::invalid_input,
                    "fusion must be 'weighted' or 'rrf', not '" + std::string(spelling) + "'");
    }
    return *fusion;
}

/// (names, columns, counts): the columns of a ranking as bytes, beside their names, and the numbers
/// that stand beside them.
py::tuple tuple_of(const index::Ranking& ranking) {
    py::list names;
    py::list columns;
    const auto append = [&](const std::string& name, const auto& elements) {
        names.append(name);
        columns.append(column(elements));
    };
    append("document_ids", ranking.document_ids);
    append("ordinals", ranking.ordinals);
    append("score", ranking.scores);
    for (const rank::ScoreParts::Part& part : ranking.parts.parts()) {
        append(part.name, part.column);
    }
    return py::make_tuple(
        names, columns,
        py::make_tuple(ranking.allowed_documents, ranking.allowed_chunksets,
                       ranking.matched_documents, ranking.without_vector, ranking.best_coverage,
                       ranking.best_similarity, ranking.rarest_identifier));
}

py::list search(const HeldView& held,
                const std::vector<std::string>& queries,
                const Where& where,
                const std::optional<std::string_view>& allowed_ids,
                std::uint32_t id_width_bytes,
                std::uint32_t top_k,
                std::uint32_t per_document,
                bool with_ranks,
                const std::vector<std::string>& query_vectors,
                std::string_view fusion,
                const Weights& weights,
                std::uint32_t candidates,
                std::uint32_t thread_count) {
    std::vector<index::Ranking> rankings;
    {
        const py::gil_scoped_release release;
        if (!query_vectors.empty() && query_vectors.size() != queries.size()) {
            throw Error(ErrorCode::invalid_input, "there must be a vector for each query, or none");
        }
        index::SearchRequest common{{}, predicate_of(where)};
        std::vector<std::uint64_t> ids;
        if (allowed_ids) {
            ids = ascending_ids(*allowed_ids, id_width_bytes);
            common.allowed_ids = ids;
        }
        common.top_k = top_k;
        common.per_document = per_document;
        common.with_ranks = with_ranks;
        common.fusion = fusion_of(fusion);
        std::vector<rank::PartWeight> part_weights;
        part_weights.reserve(weights.size());
        for (const auto& [part, weight] : weights) {
            part_weights.push_back({part, weight});
        }
        common.weights = part_weights;
        common.candidates = candidates;
        std::vector<std::vector<float>> floats;
        floats.reserve(query_vectors.size());
        for (const std::string& vector : query_vectors) {
            floats.push_back(floats_of(vector));
        }
        std::vector<index::SearchRequest> requests(queries.size(), common);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            requests[i].query = queries[i];
            if (!floats.empty()) {
                requests[i].query_vector = floats[i];
            }
        }
        rankings = index::search_many(*held.view, requests, thread_count);
    }
    py::list answers;
    for (const index::Ranking& ranking : rankings) {
        answers.append(tuple_of(ranking));
    }
    return answers;
}

/// The identity of a snapshot as it crosses: (database_id, generation, analyzer_id, chunker_id,
/// max_tokens).
using Identity =
    std::tuple<std::string_view, std::uint64_t, std::string_view, std::string_view, std::uint32_t>;

index::SnapshotIdentity identity_of(const Identity& given) {
    const auto& [database_id, generation, analyzer_id, chunker_id, max_tokens] = given;
    index::SnapshotIdentity identity{
        {}, generation, std::string(analyzer_id), std::string(chunker_id), max_tokens};
    if (database_id.size() != identity.database_id.size()) {
        throw Error(ErrorCode::invalid_input,
                    "a database_id has 16 bytes, not " + std::to_string(database_id.size()));
    }
    std::transform(database_id.begin(), database_id.end(), identity.database_id.begin(),
                   [](char byte) { return static_cast<std::byte>(byte); });
    return identity;
}

void write_snapshot(const HeldView& held,
                    const std::string& path,
                    const Identity& given,
                    std::optional<std::uint32_t> permissions) {
    const py::gil_scoped_release release;
    index::write_snapshot(path, *held.view, identity_of(given), permissions);
}

/// (identity, collection) of a snapshot file.
py::tuple open_snapshot(const std::string& path) {
    index::SnapshotIdentity identity;
    std::unique_ptr<index::Collection> collection;
    {
        const py::gil_scoped_release release;
        const index::Snapshot snapshot = index::open_snapshot(path);
        identity = snapshot.identity;
        collection = std::make_unique<index::Collection>(snapshot.view());
    }
    return py::make_tuple(
        py::make_tuple(py::bytes(reinterpret_cast<const char*>(identity.database_id.data()),
                                 identity.database_id.size()),
                       identity.generation, py::bytes(identity.analyzer_id),
                       py::bytes(identity.chunker_id), identity.max_tokens),
        py::cast(std::move(collection)));
}

}  // namespace

void bind_collection(py::module_& module) {
    py::class_<Batch>(module, "Batch")
        .def(py::init<std::uint32_t>(), py::arg("max_tokens"))
        .def("add", &Batch::add, py::arg("document_id"), py::arg("path").noconvert(),
             py::arg("name").noconvert(), py::arg("text").noconvert(),
             py::arg("front_matter_parsed"), py::arg("field_text").noconvert(), py::arg("metadata"),
             py::arg("vectors").noconvert(), py::arg("present").noconvert());
    py::class_<HeldView>(module, "View")
        .def_property_readonly("document_count",
                               [](const HeldView& held) { return held.view->document_count(); })
        .def_property_readonly("chunkset_count",
                               [](const HeldView& held) { return held.view->chunkset_count(); })
        .def_property_readonly("segment_count",
                               [](const HeldView& held) { return held.view->segments().size(); })
        .def_property_readonly("without_vector",
                               [](const HeldView& held) { return held.view->without_vector(); })
        .def_property_readonly("dimension",
                               [](const HeldView& held) { return held.view->dimension(); })
        .def("search", &search, py::arg("queries"), py::arg("where"),
             py::arg("allowed_ids").noconvert(), py::arg("id_width_bytes"), py::arg("top_k"),
             py::arg("per_document"), py::arg("with_ranks"), py::arg("query_vectors"),
             py::arg("fusion").noconvert(), py::arg("weights"), py::arg("candidates"),
             py::arg("thread_count"))
        .def("write_snapshot", &write_snapshot, py::arg("path").noconvert(), py::arg("identity"),
             py::arg("permissions"));
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
    module.def("open_snapshot", &open_snapshot, py::arg("path").noconvert());
}

}  // namespace rootleaf::bindings
