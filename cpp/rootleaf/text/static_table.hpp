#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/base/checksum.hpp"
#include "rootleaf/text/wordpiece.hpp"

namespace rootleaf::text {

/// An embedder that is one vector for each token of a vocabulary: a text's vector is the sum of its
/// tokens' vectors, which carry their weights, scaled to a length of 1.
///
/// A text gives the same bits on every CPU: each element is added up by itself, in the order of the
/// tokens, with every product rounded before it is added; there is no order for an instruction set
/// to choose. Immutable, and used by any number of threads at once.
///
/// Source: Tulkens and van Dongen, "Model2Vec", 2024; the weights: Arora et al., "A simple but
/// tough-to-beat baseline for sentence embeddings", 2017.
class StaticTable {
public:
    /// Maps a file. What it is searched by (some 500 KB) is verified; rows are read when a token
    /// needs them, and any bytes are legal there.
    /// Throws Error(file_unreadable), or Error(table_invalid) for no such file or a damaged one.
    [[nodiscard]] static std::shared_ptr<const StaticTable> open(const std::string& path);

    /// As above, over bytes that begin at a multiple of 8 and live as long as `owner`.
    StaticTable(std::span<const std::byte> file, std::shared_ptr<const void> owner);

    /// Verifies the rows too. Throws Error(table_invalid).
    void verify() const;

    /// Tells two tables apart: two with one identity hold the same bytes.
    [[nodiscard]] const Checksum& identity() const noexcept { return identity_; }
    [[nodiscard]] std::uint32_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] const WordPiece& wordpiece() const noexcept { return wordpiece_; }

    /// Appends the unit vector of a text. Unknown tokens add nothing; a text of nothing else, or of
    /// no token at all, has the vector of the unknown token, so that none is zero.
    void embed(std::string_view text, std::vector<float>& vectors) const;

private:
    struct Sections;
    StaticTable(const Sections& sections, std::shared_ptr<const void> owner);

    /// The weighted sum of the rows of tokens, element by element in the order of the tokens.
    void add_rows(std::span<const std::uint32_t> ids, std::span<float> sums) const noexcept;

    std::shared_ptr<const void> owner_;
    WordPiece wordpiece_;
    std::uint32_t dimension_;
    Checksum identity_;
    Checksum rows_checksum_;
    std::span<const float> scales_;
    std::span<const std::int8_t> rows_;
};

}  // namespace rootleaf::text
