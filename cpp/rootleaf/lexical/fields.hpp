#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rootleaf::lexical {

/// Where in a document a word stands. Name and front matter belong to a document and count for each
/// of its chunksets; heading path and body belong to a chunkset.
enum class Field : std::uint8_t {
    name,          ///< the file's name without suffix
    front_matter,  ///< the values of parsed front matter
    headings,      ///< the ancestors of the chunkset: headings and parent items
    body,          ///< its leaves, and the header of a table that it continues
};

inline constexpr std::size_t kFieldCount = 4;

/// How much a word of each field counts, in frequency and in length alike; in the order of Field.
/// Headings and the two numbers below were chosen with bench/quality; its questions tell
/// nothing of names and front matter, which were chosen with bench/known_items.py.
/// Source: Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM
/// 2004.
inline constexpr std::array<double, kFieldCount> kFieldWeights = {3.0, 3.0, 2.5, 1.0};

/// How soon more of the same word stops counting.
inline constexpr double kK1 = 1.4;

/// How far a long chunkset is held to have more of every word: 0 not at all, 1 in proportion.
inline constexpr double kB = 0.3;

/// A frequency in one field counts up to this, so that it takes one byte; at kK1 the term weight of
/// a plain field is then at 99.4 % of its limit.
inline constexpr std::uint8_t kMaxFrequency = 255;

/// Walking outward from a chunkset, ancestors belong to its heading path as long as the words of
/// the path stay within this: so that deep nesting of long items stays linear in the text.
inline constexpr std::uint32_t kMaxPathWords = 256;

/// Σ over fields of weight × value, in the order of Field: one order, so that sums are the same
/// bits.
[[nodiscard]] constexpr double weighted(std::uint64_t name,
                                        std::uint64_t front_matter,
                                        std::uint64_t headings,
                                        std::uint64_t body) noexcept {
    return kFieldWeights[0] * static_cast<double>(name) +
           kFieldWeights[1] * static_cast<double>(front_matter) +
           kFieldWeights[2] * static_cast<double>(headings) +
           kFieldWeights[3] * static_cast<double>(body);
}

}  // namespace rootleaf::lexical
