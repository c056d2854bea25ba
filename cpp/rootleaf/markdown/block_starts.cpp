#include <algorithm>

#include "rootleaf/markdown/block_html.hpp"
#include "rootleaf/markdown/block_parser.hpp"
#include "rootleaf/markdown/block_table.hpp"

namespace rootleaf::markdown {

namespace {

constexpr std::uint32_t kMinFenceLength = 3;
constexpr std::uint32_t kMinBreakMarks = 3;
constexpr std::uint32_t kMaxHeadingLevel = 6;

}  // namespace

/// Opens the leaf, lists and tables apart, that the line starts; false if it starts none.
bool BlockParser::open_leaf(char first, bool in_paragraph) {
    switch (first) {
        case '#':
            return open_atx_heading();
        case '`':
        case '~':
            return open_fenced_code(first);
        case '<':
            return open_html();
        case '=':
            return in_paragraph && close_setext_heading(first);
        case '-':
            return (in_paragraph && close_setext_heading(first)) || open_thematic_break(first);
        case '*':
        case '_':
            return open_thematic_break(first);
        default:
            return false;
    }
}

bool BlockParser::open_atx_heading() {
    std::uint32_t at = first_;
    while (at < end_ && text_[at] == '#') {
        ++at;
    }
    const std::uint32_t level = at - first_;
    if (level > kMaxHeadingLevel || (at < end_ && !is_blank(text_[at]))) {
        return false;
    }
    add_line_block(BlockKind::heading, static_cast<std::uint8_t>(level));
    return true;
}

bool BlockParser::open_fenced_code(char fence) {
    std::uint32_t at = first_;
    while (at < end_ && text_[at] == fence) {
        ++at;
    }
    if (at - first_ < kMinFenceLength ||
        (fence == '`' && text_.substr(at, end_ - at).find('`') != std::string_view::npos)) {
        return false;
    }
    begin_leaf(Leaf::fenced_code, BlockKind::fenced_code, 0);
    fence_ = fence;
    fence_length_ = at - first_;
    return true;
}

bool BlockParser::open_html() {
    const std::uint8_t condition = html_start_condition(rest());
    if (condition == 0 || (condition == 7 && leaf_ == Leaf::paragraph)) {
        return false;
    }
    begin_leaf(Leaf::html, BlockKind::html, condition);
    continue_html();
    return true;
}

bool BlockParser::close_setext_heading(char underline) {
    std::uint32_t at = first_;
    while (at < end_ && text_[at] == underline) {
        ++at;
    }
    if (!is_rest_blank_from(at)) {
        return false;
    }
    if (may_hold_definitions_) {
        take_link_definitions();
    }
    if (paragraph_line_count_ == 0) {
        return false;
    }
    Block& block = tree_.blocks[leaf_block_];
    block.kind = BlockKind::heading;
    block.detail = underline == '=' ? 1 : 2;
    leaf_end_line_ = line_ + 1;
    may_hold_definitions_ = false;
    close_leaf();
    return true;
}

bool BlockParser::open_thematic_break(char mark) {
    if (break_refuted_mark_ == mark && first_ <= break_refuted_at_) {
        return false;
    }
    std::uint32_t marks = 0;
    for (std::uint32_t at = first_; at < end_; ++at) {
        if (text_[at] == mark) {
            ++marks;
        } else if (!is_blank(text_[at])) {
            break_refuted_at_ = at;
            break_refuted_mark_ = mark;
            return false;
        }
    }
    if (marks < kMinBreakMarks) {
        return false;
    }
    add_line_block(BlockKind::thematic_break, 0);
    return true;
}

/// Makes the last line of the open paragraph a table's header row, if this one is its delimiter
/// row.
bool BlockParser::open_table() {
    if (paragraph_line_count_ == 0 || !last_line_may_be_table_header_) {
        return false;
    }
    const std::uint32_t cells = delimiter_row_cells(rest());
    const ParagraphLine header = last_paragraph_line_;
    if (cells == 0 ||
        cells != header_row_cells(text_.substr(header.start, header.end - header.start))) {
        return false;
    }
    if (paragraph_line_count_ == 1) {
        tree_.blocks[leaf_block_].kind = BlockKind::table;
        may_hold_definitions_ = false;
        leaf_ = Leaf::table;
    } else {
        --leaf_end_line_;
        --paragraph_line_count_;
        if (may_hold_definitions_) {
            paragraph_lines_.pop_back();
        }
        begin_leaf(Leaf::table, BlockKind::table, 0);
        --tree_.blocks[leaf_block_].start_line;
    }
    leaf_end_line_ = line_ + 1;
    return true;
}

/// Closes what the line does not go on and what the block cannot stand in, and adds the block.
std::uint32_t BlockParser::begin_block(BlockKind kind, std::uint8_t detail) {
    close_leaf();
    pop_containers(depth_for_sibling());
    return push_block(kind, detail, line_);
}

void BlockParser::begin_leaf(Leaf leaf, BlockKind kind, std::uint8_t detail) {
    leaf_block_ = begin_block(kind, detail);
    leaf_ = leaf;
    leaf_end_line_ = line_ + 1;
}

/// Adds a block of one line.
void BlockParser::add_line_block(BlockKind kind, std::uint8_t detail) {
    end_block(begin_block(kind, detail), line_ + 1);
}

void BlockParser::close_leaf() {
    if (leaf_ == Leaf::paragraph) {
        if (may_hold_definitions_) {
            take_link_definitions();
        }
        may_hold_definitions_ = false;
        if (paragraph_line_count_ == 0) {
            leaf_ = Leaf::none;
            return;
        }
    }
    if (leaf_ != Leaf::none) {
        end_block(leaf_block_, leaf_end_line_);
        leaf_ = Leaf::none;
    }
}

/// Takes the link reference definitions off the start of the open paragraph. Its block is the last
/// one of the tree; it loses it if no line is left.
void BlockParser::take_link_definitions() {
    may_hold_definitions_ = false;
    const auto count = static_cast<std::uint32_t>(paragraph_lines_.size());
    std::uint32_t taken = 0;
    const Block paragraph = tree_.blocks.back();
    while (taken < count && text_[paragraph_lines_[taken].start] == '[') {
        const std::uint32_t lines =
            link_definition_lines(text_, std::span(paragraph_lines_).subspan(taken));
        if (lines == 0) {
            break;
        }
        if (taken == 0) {
            tree_.blocks.pop_back();
        }
        const std::uint32_t block =
            push_block(BlockKind::link_definition, 0, paragraph.start_line + taken);
        taken += lines;
        end_block(block, paragraph.start_line + taken);
    }
    if (taken == 0) {
        return;
    }
    paragraph_line_count_ -= taken;
    leaf_block_ = kNone;
    if (paragraph_line_count_ != 0) {
        leaf_block_ = push_block(BlockKind::paragraph, 0, paragraph.start_line + taken);
    }
}

std::uint32_t BlockParser::push_block(BlockKind kind,
                                      std::uint8_t detail,
                                      std::uint32_t start_line) {
    const std::uint32_t parent = depth_ == 0 ? kNone : stack_[depth_ - 1].block;
    tree_.blocks.push_back({kind, detail, parent, start_line, start_line + 1});
    return static_cast<std::uint32_t>(tree_.blocks.size() - 1);
}

void BlockParser::end_block(std::uint32_t block, std::uint32_t end_line) {
    Block& ended = tree_.blocks[block];
    ended.end_line = end_line;
    if (ended.parent != kNone) {
        Block& parent = tree_.blocks[ended.parent];
        parent.end_line = std::max(parent.end_line, end_line);
    }
}

}  // namespace rootleaf::markdown
