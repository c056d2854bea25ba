#include <exception>

#include "bindings.hpp"
#include "rootleaf/base/error.hpp"

namespace rootleaf::bindings {

namespace {

/// Raises `rootleaf.errors.from_core(code, message)`: Python maps the code to its class.
void raise_in_python(const Error& error) {
    namespace py = pybind11;
    const py::object from_core = py::module_::import("rootleaf.errors").attr("from_core");
    const py::object exception =
        from_core(py::str(std::string(error_code_name(error.code()))), py::str(error.what()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

}  // namespace

void bind_errors(pybind11::module_& /*module*/) {
    // NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is pybind11's
    pybind11::register_local_exception_translator([](std::exception_ptr pending) {
        try {
            if (pending) {
                std::rethrow_exception(pending);
            }
        } catch (const Error& error) {
            raise_in_python(error);
        }
    });
}

}  // namespace rootleaf::bindings
