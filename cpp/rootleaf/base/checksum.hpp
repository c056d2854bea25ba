#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace rootleaf {

/// 16 bytes that tell damaged bytes from sound ones; no defence against who changes both.
using Checksum = std::array<std::byte, 16>;

/// XXH3-128 without a seed, in the canonical byte order of xxHash (the high half first,
/// big-endian).
[[nodiscard]] Checksum checksum(std::span<const std::byte> bytes) noexcept;

}  // namespace rootleaf
