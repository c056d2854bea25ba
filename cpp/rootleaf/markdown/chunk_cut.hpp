#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/chunk.hpp"
#include "rootleaf/markdown/chunk_border.hpp"

namespace rootleaf::markdown {

/// What a block that is too long is cut by; each falls back on word borders, then characters.
enum class CutStyle : std::uint8_t {
    prose,  ///< starts of inner blocks (quotes), sentence ends, line ends
    code,   ///< line ends after blank lines, line ends
    rows,   ///< line ends
};

/// A block that is longer than a chunk may be.
struct LongBlock {
    ByteSpan span;  ///< from the start of its first line to the end of its last, line end excluded
    CutStyle style;
    /// The lines that are shown again with each piece: [span.start, head_end) and
    /// [tail_start, span.end). A cut right behind or before them is taken only for want of another.
    std::uint32_t head_end;
    std::uint32_t tail_start;
    std::span<const std::uint32_t> inner_starts;  ///< ascending bytes where inner blocks start
};

/// Cuts long blocks into pieces of at most a number of bytes.
///
/// A cut is chosen within the second half of what a piece may hold, at the best kind of border that
/// is there, and among those of one kind by the text around it. So cuts move with the text: an edit
/// changes the pieces near it and no others.
class Cutter {
public:
    Cutter(std::string_view text, std::uint32_t max_bytes) : text_(text), max_bytes_(max_bytes) {}

    /// The pieces in order. They cover every byte that is not blank; the first has at most
    /// `first_max_bytes`. Valid until the next call. Time is linear in the block.
    [[nodiscard]] const std::vector<ByteSpan>& cut(const LongBlock& block,
                                                   std::uint32_t first_max_bytes);

private:
    /// Kinds of borders, the best first.
    enum class Rank : std::uint8_t { inner_block, sentence, line, marker_line, word, none };

    struct Candidate {
        std::uint32_t position;
        Rank rank;
    };

    /// The white space before a position.
    struct Run {
        std::uint32_t blank_start;
        std::uint32_t line_ends;
    };

    [[nodiscard]] std::uint32_t choose(const LongBlock& block,
                                       std::uint32_t start,
                                       std::uint32_t limit);
    /// Collects what lines and sentences offer in [middle, limit]; the best rank among them, or
    /// none.
    [[nodiscard]] Rank find_candidates(const LongBlock& block,
                                       std::uint32_t start,
                                       std::uint32_t middle,
                                       std::uint32_t limit);
    [[nodiscard]] bool find_words(std::uint32_t middle, std::uint32_t limit);
    /// The last line start before the middle, not behind or before marker lines; 0 if none.
    [[nodiscard]] std::uint32_t last_line_start(const LongBlock& block,
                                                std::uint32_t earliest,
                                                std::uint32_t middle) const noexcept;
    [[nodiscard]] std::uint32_t choose_character(const LongBlock& block,
                                                 std::uint32_t start,
                                                 std::uint32_t limit);
    [[nodiscard]] Rank rank_at(const LongBlock& block,
                               std::uint32_t start,
                               std::uint32_t position,
                               const Run& run) const noexcept;
    [[nodiscard]] Rank rank_at_line(const LongBlock& block,
                                    std::uint32_t start,
                                    std::uint32_t position,
                                    const Run& run) const noexcept;
    [[nodiscard]] std::uint64_t weight(const LongBlock& block,
                                       std::uint32_t position) const noexcept;
    [[nodiscard]] std::uint32_t lightest(const LongBlock& block, Rank wanted) const noexcept;

    std::string_view text_;
    std::uint32_t max_bytes_;
    Borders borders_;
    std::vector<Candidate> candidates_;
    std::vector<ByteSpan> pieces_;
};

}  // namespace rootleaf::markdown
