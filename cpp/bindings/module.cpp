#include "bindings.hpp"
#include "rootleaf/base/version.hpp"

PYBIND11_MODULE(_core, module) {
    module.doc() = "The engine of Rootleaf; rootleaf.engine is its only importer.";
    module.attr("__version__") = rootleaf::version();
    rootleaf::bindings::bind_errors(module);
    rootleaf::bindings::bind_files(module);
    rootleaf::bindings::bind_blocks(module);
    rootleaf::bindings::bind_analyzer(module);
    rootleaf::bindings::bind_collection(module);
    rootleaf::bindings::bind_chunk(module);
    rootleaf::bindings::bind_cheatsheet(module);
    rootleaf::bindings::bind_vector(module);
    rootleaf::bindings::bind_tokens(module);
    rootleaf::bindings::bind_static_table(module);
}
