#include <string_view>

#include "bindings.hpp"
#include "rootleaf/text/tokens.hpp"

namespace py = pybind11;

namespace rootleaf::bindings {

void bind_tokens(py::module_& module) {
    module.attr("TOKEN_SEAM") = text::kTokenSeam;
    module.def(
        "count_tokens",
        [](std::string_view text) {
            const py::gil_scoped_release release;
            return text::count_tokens(text);
        },
        py::arg("text").noconvert());
}

}  // namespace rootleaf::bindings
