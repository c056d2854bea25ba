#include "rootleaf/base/file_states.hpp"

namespace rootleaf {

// Python asks the system itself there (python/rootleaf/engine/files.py).
std::optional<FileState> look_at(const std::string& /*path*/) { return std::nullopt; }

}  // namespace rootleaf
