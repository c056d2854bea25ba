#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rootleaf/base/checksum.hpp"

/// The layout of a file of token vectors and their vocabulary. All numbers are little-endian; what
/// changes here changes in tools/distil/table_file.py, which writes it, and raises kFormatVersion.
namespace rootleaf::text::format {

/// As that of a snapshot: bytes that transfers which take the file for text would change.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'R',  'T',  'T',
                                                        '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kAlignment = 64;

/// A row has whole blocks of this many numbers, so that loops over it have no rest.
inline constexpr std::uint32_t kBlock = 16;
inline constexpr std::uint32_t kMaxDimension = 4096;

struct Header {
    std::array<unsigned char, 8> magic;
    std::uint32_t byte_order;
    std::uint32_t version;
    Checksum checksum;  ///< of all that follows it, up to the end of the section table; through the
                        ///< checksums of the sections it stands for the whole file
    std::uint64_t file_bytes;
    std::uint32_t section_count;
    std::uint32_t dimension;
    std::uint32_t token_count;
    std::uint32_t unknown_id;
    std::array<std::byte, 8> reserved;  ///< 0
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);

inline constexpr std::size_t kCheckedFrom = offsetof(Header, file_bytes);

/// One row of the table that follows the header, for each Kind in this order.
struct SectionEntry {
    std::uint64_t offset;  ///< from the start of the file, a multiple of kAlignment
    std::uint64_t bytes;
    Checksum checksum;
};
static_assert(sizeof(SectionEntry) == 32 && std::is_trivially_copyable_v<SectionEntry>);

enum class Kind : std::uint8_t {
    token_bytes,
    token_ends,    ///< uint32
    token_slots,   ///< uint16
    block_of,      ///< uint16
    entries,       ///< uint16
    mapping_ends,  ///< uint32
    units,         ///< uint32
    scales,        ///< float32, one for each token: its weight, and the scale of its row
    rows,          ///< int8, `dimension` for each token; the one section not verified on opening
};
inline constexpr std::size_t kSectionCount = 9;

}  // namespace rootleaf::text::format
