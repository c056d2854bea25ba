#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/block.hpp"
#include "rootleaf/markdown/block_definition.hpp"
#include "rootleaf/markdown/line_scanner.hpp"

namespace rootleaf::markdown {

/// The state of one parse: a stack of open containers and at most one open leaf. Each line is
/// matched against the open containers, then against what can start a block, and what is left of it
/// is text of the open leaf.
/// Source: CommonMark 0.31.2, appendix "A parsing strategy".
class BlockParser {
public:
    explicit BlockParser(std::string_view text);

    [[nodiscard]] BlockTree parse(std::uint32_t first_byte);

private:
    enum class Leaf : std::uint8_t { none, paragraph, fenced_code, indented_code, html, table };

    enum class Opened : std::uint8_t { nothing, container, leaf };

    struct Container {
        BlockKind kind;
        char marker;                   ///< lists: bullet, or the delimiter after the number
        std::uint32_t block;           ///< index in the tree
        std::uint32_t content_indent;  ///< items: columns that a line of theirs starts with
    };

    // block_parser.cpp: the lines
    void parse_line();
    [[nodiscard]] Opened open_block();
    [[nodiscard]] bool continue_leaf();
    void continue_fenced_code();
    void continue_html();
    void add_text_line();
    void add_paragraph_line(bool lazy);
    void finish();

    // block_containers.cpp: quotes, lists and items
    [[nodiscard]] std::uint32_t match_containers();
    [[nodiscard]] bool open_block_quote();
    [[nodiscard]] bool open_list_item(bool in_paragraph);
    void push_container(BlockKind kind,
                        std::uint8_t detail,
                        char marker,
                        std::uint32_t content_indent);
    void pop_containers(std::uint32_t depth);
    void close_unmatched();
    [[nodiscard]] std::uint32_t depth_for_sibling() const;

    // block_starts.cpp: leaves
    [[nodiscard]] bool open_leaf(char first, bool in_paragraph);
    [[nodiscard]] bool open_atx_heading();
    [[nodiscard]] bool open_fenced_code(char fence);
    [[nodiscard]] bool open_html();
    [[nodiscard]] bool close_setext_heading(char underline);
    [[nodiscard]] bool open_thematic_break(char mark);
    [[nodiscard]] bool open_table();
    std::uint32_t begin_block(BlockKind kind, std::uint8_t detail);
    void begin_leaf(Leaf leaf, BlockKind kind, std::uint8_t detail);
    void add_line_block(BlockKind kind, std::uint8_t detail);
    void close_leaf();
    void take_link_definitions();
    std::uint32_t push_block(BlockKind kind, std::uint8_t detail, std::uint32_t start_line);
    void end_block(std::uint32_t block, std::uint32_t end_line);

    /// Finds the first byte from here that is not a blank, once for each stretch of blanks.
    void find_first() {
        std::uint32_t at = byte_;
        std::uint32_t column = column_;
        while (at < end_ && is_blank(text_[at])) {
            column += text_[at] == '\t' ? 4 - column % 4 : 1;
            ++at;
        }
        first_ = at;
        first_column_ = column;
    }
    [[nodiscard]] bool at_blank_rest() const { return first_ == end_; }
    [[nodiscard]] std::uint32_t indent() const { return first_column_ - column_; }
    void advance_columns(std::uint32_t count);
    void advance_past_marker(std::uint32_t length);
    [[nodiscard]] std::string_view rest() const { return text_.substr(first_, end_ - first_); }
    [[nodiscard]] bool is_rest_blank_from(std::uint32_t byte) const;

    std::string_view text_;
    LineScanner lines_;
    BlockTree tree_;

    // The line, and how far into it we are. Inside of a tab, byte_ stands on the tab and column_ is
    // already past its first columns.
    std::uint32_t line_ = 0;
    std::uint32_t byte_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t column_ = 0;
    std::uint32_t first_ = 0;
    std::uint32_t first_column_ = 0;
    // Where the last search for a thematic break on this line met a byte that is none: it need not
    // be made again from every marker of "- - - - x".
    std::uint32_t break_refuted_at_ = 0;
    char break_refuted_mark_ = 0;

    std::array<Container, kMaxContainerDepth> stack_{};
    std::uint32_t depth_ = 0;
    std::uint32_t matched_ = 0;      ///< containers that the line goes on
    std::uint32_t quote_count_ = 0;  ///< open containers that are quotes

    Leaf leaf_ = Leaf::none;
    std::uint32_t leaf_block_ = 0;
    std::uint32_t leaf_end_line_ = 0;  ///< one past the last line that is not blank
    char fence_ = 0;
    std::uint32_t fence_length_ = 0;

    // The open paragraph. It has no block while it has no line: after an underline below nothing
    // but link reference definitions.
    std::uint32_t paragraph_line_count_ = 0;
    ParagraphLine last_paragraph_line_{};
    bool last_line_may_be_table_header_ = false;
    bool may_hold_definitions_ = false;           ///< it starts with "["
    std::vector<ParagraphLine> paragraph_lines_;  ///< kept only if it may hold definitions
};

}  // namespace rootleaf::markdown
