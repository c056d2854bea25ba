#pragma once

#include <string_view>

namespace rootleaf {

/// The version of the core, the same string as the Python package's.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace rootleaf
