#include "rootleaf/base/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace rootleaf {

Checksum checksum(std::span<const std::byte> bytes) noexcept {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    Checksum result{};
    static_assert(sizeof canonical == sizeof result);
    std::memcpy(result.data(), &canonical, result.size());
    return result;
}

}  // namespace rootleaf
