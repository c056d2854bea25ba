#pragma once

#include <pybind11/pybind11.h>

#include <cstring>
#include <vector>

namespace rootleaf::bindings {

void bind_errors(pybind11::module_& module);

/// A column for Python: the elements of a vector as native-endian bytes (the caller casts a memoryview).
template <typename Element>
[[nodiscard]] pybind11::bytes column(const std::vector<Element>& elements) {
    static_assert(std::is_trivially_copyable_v<Element>);
    return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element)};
}

}  // namespace rootleaf::bindings
