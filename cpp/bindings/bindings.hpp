#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rootleaf/base/file_states.hpp"

namespace rootleaf::bindings {

void bind_blocks(pybind11::module_& module);
void bind_analyzer(pybind11::module_& module);
void bind_chunk(pybind11::module_& module);
void bind_cheatsheet(pybind11::module_& module);
void bind_errors(pybind11::module_& module);
void bind_files(pybind11::module_& module);
void bind_collection(pybind11::module_& module);
void bind_vector(pybind11::module_& module);
void bind_static_table(pybind11::module_& module);
void bind_tokens(pybind11::module_& module);

using FileStates = std::vector<std::optional<FileState>>;

/// The state of each path; to be called without the GIL.
[[nodiscard]] FileStates look_at_all(const std::vector<std::string>& paths);

/// For each a tuple as `look_at` of rootleaf.engine.files says.
[[nodiscard]] pybind11::list list_of(const FileStates& states);

/// The UTF-8 bytes of a str, which lives as long as it does. Raises UnicodeEncodeError for a lone
/// surrogate, where pybind11's own conversion would speak of an incompatible argument.
[[nodiscard]] inline std::string_view utf8_of(const pybind11::str& text) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) {
        throw pybind11::error_already_set();
    }
    return {bytes, static_cast<std::size_t>(size)};
}

/// A column for Python: the elements of a vector as native-endian bytes (the caller casts a
/// memoryview).
template <typename Element>
[[nodiscard]] pybind11::bytes column(const std::vector<Element>& elements) {
    static_assert(std::is_trivially_copyable_v<Element>);
    return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element)};
}

}  // namespace rootleaf::bindings
