#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "rootleaf/base/checksum.hpp"
#include "rootleaf/index/segment.hpp"

/// The layout of a snapshot file; docs/format.md is its specification. What changes here changes
/// there, and raises kFormatVersion unless older readers may skip it.
namespace rootleaf::index::format {

/// A byte above 127, a name, both kinds of line ends and an end-of-file mark: what transfers that
/// take the file for text would change.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'R',  'T',  'L',
                                                        '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kFormatVersion = 1;

/// Sections start at multiples of this: of a cache line, and of every element's size.
inline constexpr std::size_t kAlignment = 64;

struct Header {
    std::array<unsigned char, 8> magic;
    std::uint32_t byte_order;
    std::uint32_t version;
    Checksum checksum;  ///< of all that follows it, up to the end of the section table
    std::uint64_t file_bytes;
    std::uint32_t segment_count;
    std::uint32_t section_count;
    std::array<std::byte, 16> database_id;
    std::uint64_t generation;
    std::uint32_t max_tokens;
    std::uint32_t reserved;  ///< 0
};
static_assert(sizeof(Header) == 80 && std::is_trivially_copyable_v<Header>);

/// Where the bytes begin that the header's checksum covers.
inline constexpr std::size_t kCheckedFrom = offsetof(Header, file_bytes);

/// One row of the table that follows the header, in ascending order of (segment, kind).
struct SectionEntry {
    std::uint32_t segment;  ///< counted from 1; 0: the section belongs to the file
    std::uint32_t kind;
    std::uint64_t offset;  ///< from the start of the file
    std::uint64_t bytes;   ///< without what fills up to the next section
    Checksum checksum;
};
static_assert(sizeof(SectionEntry) == 40 && std::is_trivially_copyable_v<SectionEntry>);

/// Kinds from here on may be skipped by a reader that does not know them.
inline constexpr std::uint32_t kFirstOptionalKind = 0x80000000;

// NOLINTNEXTLINE(performance-enum-size): as wide as it is in the file
enum class Kind : std::uint32_t {
    analyzer_id = 1,
    chunker_id = 2,

    document_ids = 16,
    path_bytes = 17,
    path_ends = 18,
    first_chunksets = 19,
    document_lengths = 20,
    chunkset_lengths = 21,
    term_bytes = 22,
    term_ends = 23,
    document_posting_starts = 24,
    document_posting_ordinals = 25,
    document_posting_first = 26,
    document_posting_second = 27,
    chunkset_posting_starts = 28,
    chunkset_posting_ordinals = 29,
    chunkset_posting_first = 30,
    chunkset_posting_second = 31,
    key_bytes = 32,
    key_ends = 33,
    value_bytes = 34,
    value_ends = 35,
    value_keys = 36,
    value_starts = 37,
    value_documents = 38,
    live_documents = 39,    ///< absent where all are
    vector_dimension = 40,  ///< the last three: absent where there are no vectors
    vector_present = 41,
    vector_rows = 42,
};

/// The next multiple of kAlignment.
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t offset) noexcept {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace rootleaf::index::format
