#include "rootleaf/base/version.hpp"

namespace rootleaf {

std::string_view version() noexcept { return ROOTLEAF_VERSION; }

}  // namespace rootleaf
