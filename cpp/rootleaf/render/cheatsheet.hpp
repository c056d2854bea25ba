#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/render/passages.hpp"
#include "rootleaf/render/piece.hpp"
#include "rootleaf/render/runs.hpp"

namespace rootleaf::render {

/// What stands for bytes that are left out.
inline constexpr std::string_view kOmission = "[...]";

/// A range of lines that is shown; 1-based, inclusive.
struct LineSpan {
    std::uint32_t start_line;
    std::uint32_t end_line;
};

/// A rendered hit. `omitted_tokens` is what a budget left out.
struct Cheatsheet {
    std::string text;
    std::vector<LineSpan> spans;
    std::vector<std::uint32_t> chunk_ids;  ///< ancestors included, ascending
    std::uint64_t tokens = 0;
    std::uint64_t omitted_tokens = 0;
    bool is_empty = true;  ///< no chunk is shown: the budget had no room
};

/// A cheatsheet that grows by chunksets, so that several of them can share one budget.
///
/// What is shown is an exact slice of the text. Pieces that are not adjacent are parted by a line
/// `[...]`; a piece that starts or ends inside a line has `[...]` at that place. Pieces with only
/// blank lines between them keep those blank lines and no mark, if these are not longer than a
/// chunk; a line or two of the same section that take hardly more room than the mark are shown in
/// its place, as long as a budget has room for them.
///
/// Borrows document, question and path.
class CheatsheetBuilder {
public:
    CheatsheetBuilder(const PreparedDocument& document,
                      Question& question,
                      std::optional<std::string_view> cite_path);

    [[nodiscard]] bool is_empty() const noexcept { return shown_.empty(); }

    /// The estimate for what `add_within` shows so far.
    [[nodiscard]] std::uint64_t tokens() const noexcept { return tokens_; }

    /// Shows a chunkset with its ancestors. Throws Error(invalid_input) if there is no such one.
    void add(std::uint32_t ordinal);

    /// Shows as much of a chunkset as keeps the whole cheatsheet within `max_tokens`.
    ///
    /// All of it, or else the leaves with matching words that fit, those with most of them first;
    /// with `may_cut` and none that fits, a part of the best leaf. A leaf always brings its
    /// ancestors. Throws as `add` does.
    void add_within(std::uint32_t ordinal, std::uint64_t max_tokens, bool may_cut);

    /// What is shown, and how much was wanted beyond it.
    [[nodiscard]] Cheatsheet cheatsheet();

private:
    [[nodiscard]] const markdown::Chunkset& chunkset(std::uint32_t ordinal) const;
    /// The ancestors of a chunk, the outermost first.
    [[nodiscard]] std::vector<std::uint32_t> ancestors(std::uint32_t chunk) const;
    /// The leaves of a chunkset that are worth a part of a budget, the best first.
    [[nodiscard]] std::vector<std::uint32_t> best_leaves(const markdown::Chunkset& set);
    void want(std::uint32_t chunk);
    /// Adds a wanted chunk to a copy of shown_; one that is there keeps its place, and is shown
    /// whole. Either the copy becomes shown_, or what it had more is taken back.
    void show_wanted(std::uint32_t chunk, std::vector<ShownChunk>& shown);
    void take_back(std::span<const ShownChunk> candidate);
    [[nodiscard]] bool show_if_fits(std::span<const std::uint32_t> chunks,
                                    std::uint64_t max_tokens);
    void show_cut(std::span<const std::uint32_t> above,
                  std::uint32_t leaf,
                  std::uint64_t max_tokens);
    [[nodiscard]] bool shows_all_wanted() const;
    [[nodiscard]] std::string text_of(std::span<const Run> runs) const;
    [[nodiscard]] std::uint64_t count_tokens(std::span<const ShownChunk> shown, bool bridged);
    void join(const Run* previous, const Run& run, std::string& out) const;
    [[nodiscard]] bool ends_inside_line(const Run& run) const noexcept;

    const markdown::Document& document_;
    Passages passages_;
    std::optional<std::string_view> cite_path_;
    std::deque<std::vector<Piece>> pieces_;  // of all wanted chunks, where they stay
    std::vector<std::uint32_t> wanted_at_;   // by chunk: its place in wanted_, or kNone
    std::vector<std::uint32_t> shown_at_;    // the same of shown_
    // In the order they were asked for.
    std::vector<ShownChunk> wanted_;
    std::vector<ShownChunk> shown_;
    std::uint64_t tokens_ = 0;
    // Whether short gaps are shown; a budget may have no room for them.
    bool bridged_ = true;
};

}  // namespace rootleaf::render
