#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/base/error.hpp"
#include "rootleaf/rank/fusion.hpp"
#include "rootleaf/vector/dispatch.hpp"
#include "rootleaf/vector/scan.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

std::vector<std::string> available_isas() {
    std::vector<std::string> names;
    for (const vector::Kernel* kernel : vector::available_kernels()) {
        names.emplace_back(kernel->isa);
    }
    return names;
}

/// The bytes of a contiguous buffer as numbers, at whatever address it begins.
template <typename Number>
std::vector<Number> numbers_of(const py::buffer_info& buffer) {
    const auto bytes = static_cast<std::size_t>(buffer.size * buffer.itemsize);
    if (bytes % sizeof(Number) != 0) {
        throw Error(ErrorCode::invalid_input, "a column ends inside a number");
    }
    std::vector<Number> numbers(bytes / sizeof(Number));
    if (bytes != 0) {
        std::memcpy(numbers.data(), buffer.ptr, bytes);
    }
    return numbers;
}

/// (rows, similarities): uint32 and float columns.
py::tuple nearest(const py::buffer& rows,
                  std::uint32_t dimension,
                  const py::buffer& query,
                  std::string_view allowed,
                  std::size_t limit) {
    const py::buffer_info row_buffer = rows.request();
    const py::buffer_info query_buffer = query.request();
    std::vector<std::uint32_t> found;
    std::vector<float> similarities;
    {
        const py::gil_scoped_release release;
        const std::vector<float> floats = numbers_of<float>(row_buffer);
        vector::MatrixBuilder builder(dimension);
        for (std::size_t at = 0; at < floats.size(); at += dimension) {
            builder.add(std::span(floats).subspan(
                at, std::min<std::size_t>(dimension, floats.size() - at)));
        }
        const vector::MatrixParts parts = builder.build();
        const std::vector<std::uint8_t> mask(allowed.begin(), allowed.end());
        for (const vector::Neighbor& neighbor :
             vector::nearest(parts.matrix(), vector::QueryVector(numbers_of<float>(query_buffer)),
                             mask, limit)) {
            found.push_back(neighbor.row);
            similarities.push_back(neighbor.similarity);
        }
    }
    return py::make_tuple(column(found), column(similarities));
}

/// A double for each candidate.
py::bytes fuse(std::string_view fusion,
               const std::vector<std::pair<std::string, py::buffer>>& parts,
               const std::vector<std::pair<std::string, double>>& weights) {
    const std::optional<rank::Fusion> way = rank::fusion_from(fusion);
    if (!way) {
        throw Error(ErrorCode::invalid_input,
                    "fusion must be 'weighted' or 'rrf', not '" + std::string(fusion) + "'");
    }
    std::vector<std::pair<std::string_view, std::vector<double>>> columns;
    columns.reserve(parts.size());
    for (const auto& [name, buffer] : parts) {
        columns.emplace_back(name, numbers_of<double>(buffer.request()));
    }
    std::vector<double> scores;
    {
        const py::gil_scoped_release release;
        rank::ScoreParts score_parts(columns.empty() ? 0 : columns.front().second.size());
        for (auto& [name, numbers] : columns) {
            if (numbers.size() != score_parts.candidate_count()) {
                throw Error(ErrorCode::invalid_input,
                            "the parts of a score have one number for each candidate; '" +
                                std::string(name) + "' has " + std::to_string(numbers.size()) +
                                ", not " + std::to_string(score_parts.candidate_count()));
            }
            score_parts.set(name, std::move(numbers));
        }
        std::vector<rank::PartWeight> part_weights;
        part_weights.reserve(weights.size());
        for (const auto& [name, weight] : weights) {
            part_weights.push_back({name, weight});
        }
        scores = rank::fuse(*way, score_parts, part_weights);
    }
    return column(scores);
}

/// A double for each candidate.
py::bytes ranks(const py::buffer& candidates, const py::buffer& full_list) {
    const py::buffer_info candidate_buffer = candidates.request();
    const py::buffer_info list_buffer = full_list.request();
    std::vector<double> found;
    {
        const py::gil_scoped_release release;
        rank::RankCounter counter(numbers_of<double>(candidate_buffer));
        counter.count(numbers_of<double>(list_buffer));
        found = counter.ranks();
    }
    return column(found);
}

}  // namespace

void bind_vector(py::module_& module) {
    module.def("available_isas", &available_isas);
    module.def("active_isa", [] { return std::string_view(vector::active_kernel().isa); });
    module.def("force_isa", &vector::force_isa, py::arg("isa").noconvert());
    module.def("nearest", &nearest, py::arg("rows"), py::arg("dimension"), py::arg("query"),
               py::arg("allowed").noconvert(), py::arg("limit"));
    module.def("fuse", &fuse, py::arg("fusion").noconvert(), py::arg("parts"), py::arg("weights"));
    module.def("ranks", &ranks, py::arg("candidates"), py::arg("full_list"));
}

}  // namespace rootleaf::bindings
