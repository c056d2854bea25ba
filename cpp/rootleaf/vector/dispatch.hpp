#pragma once

#include <span>
#include <string_view>

#include "rootleaf/vector/kernels.hpp"

namespace rootleaf::vector {

/// The kernel that scans use: the widest that this CPU and its operating system support, unless
/// one is forced. Safe from any thread.
[[nodiscard]] const Kernel& active_kernel() noexcept;

/// The kernels that run here, the narrowest first; "scalar" is always there.
[[nodiscard]] std::span<const Kernel* const> available_kernels() noexcept;

/// Makes all threads use the kernel of this name from their next scan on, or the widest again
/// where it is empty. Results do not change by a bit.
///
/// Throws Error(invalid_input), and changes nothing, for a name that is none of those available.
void force_isa(std::string_view isa);

}  // namespace rootleaf::vector
