#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "rootleaf/base/file_states.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

namespace {

/// None for an absent one; an empty tuple where the system does not tell.
py::object told_of(const std::optional<FileState>& state) {
    if (!state) {
        return py::tuple();
    }
    if (state->is_absent) {
        return py::none();
    }
    return py::make_tuple(state->mode, state->device, state->inode, state->bytes,
                          state->modified_ns, state->changed_ns);
}

}  // namespace

FileStates look_at_all(const std::vector<std::string>& paths) {
    FileStates states;
    states.reserve(paths.size());
    for (const std::string& path : paths) {
        states.push_back(look_at(path));
    }
    return states;
}

py::list list_of(const FileStates& states) {
    py::list told;
    for (const std::optional<FileState>& state : states) {
        told.append(told_of(state));
    }
    return told;
}

void bind_files(py::module_& module) {
    module.def(
        "look_at",
        [](const std::vector<std::string>& paths) {
            FileStates states;
            {
                const py::gil_scoped_release release;
                states = look_at_all(paths);
            }
            return list_of(states);
        },
        py::arg("paths"));
}

}  // namespace rootleaf::bindings
