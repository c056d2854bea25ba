#include "rootleaf/markdown/block_parser.hpp"

#include <limits>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/markdown/block_html.hpp"

namespace rootleaf::markdown {

namespace {

// The document's shape is not known; these make one allocation enough for most prose.
constexpr std::size_t kBytesPerLineGuess = 40;
constexpr std::size_t kBytesPerBlockGuess = 100;

}  // namespace

BlockParser::BlockParser(std::string_view text) : text_(text), lines_(text) {
    tree_.line_starts.reserve(text.size() / kBytesPerLineGuess + 16);
    tree_.blocks.reserve(text.size() / kBytesPerBlockGuess + 16);
}

BlockTree BlockParser::parse(std::uint32_t first_byte) {
    for (; lines_.next(); ++line_) {
        const std::uint32_t start = lines_.start();
        tree_.line_starts.push_back(start);
        if (start < first_byte) {
            continue;
        }
        end_ = lines_.end();
        byte_ = first_ = start;
        column_ = first_column_ = 0;
        if (start != end_) {
            const char first = text_[start];
            // Most lines of most documents: text that goes on. Unindented text goes on no item and
            // no quote, so in a container it is a lazy line.
            if (leaf_ == Leaf::paragraph && !may_start_block(first) && !is_blank(first)) {
                add_paragraph_line(depth_ != 0);
                continue;
            }
            if (leaf_ == Leaf::fenced_code && depth_ == 0 && first != fence_ && !is_blank(first)) {
                leaf_end_line_ = line_ + 1;
                continue;
            }
        } else if (depth_ == 0 && leaf_ == Leaf::none) {
            continue;
        }
        parse_line();
    }
    tree_.line_starts.push_back(static_cast<std::uint32_t>(text_.size()));
    finish();
    return std::move(tree_);
}

void BlockParser::parse_line() {
    break_refuted_mark_ = 0;
    find_first();
    matched_ = match_containers();
    if (matched_ == depth_ && continue_leaf()) {
        return;
    }
    if (at_blank_rest()) {
        close_unmatched();
        return;
    }
    for (;;) {
        switch (open_block()) {
            case Opened::nothing:
                add_text_line();
                return;
            case Opened::container:
                if (at_blank_rest()) {
                    return;
                }
                break;
            case Opened::leaf:
                return;
        }
    }
}

/// Opens the block that starts here, if one does.
BlockParser::Opened BlockParser::open_block() {
    const bool paragraph_is_open = leaf_ == Leaf::paragraph;
    if (indent() >= 4) {
        if (paragraph_is_open) {
            return Opened::nothing;
        }
        begin_leaf(Leaf::indented_code, BlockKind::indented_code, 0);
        return Opened::leaf;
    }
    const char first = text_[first_];
    if (!may_start_block(first)) {
        return Opened::nothing;
    }
    if (first == '>') {
        return open_block_quote() ? Opened::container : Opened::nothing;
    }
    const bool in_paragraph = paragraph_is_open && matched_ == depth_;
    if (open_leaf(first, in_paragraph)) {
        return Opened::leaf;
    }
    if (open_list_item(in_paragraph)) {
        return Opened::container;
    }
    return in_paragraph && open_table() ? Opened::leaf : Opened::nothing;
}

/// Whether the line belongs to the open leaf, or ends it, and nothing is left of it.
bool BlockParser::continue_leaf() {
    switch (leaf_) {
        case Leaf::none:
            return false;
        case Leaf::paragraph:
        case Leaf::table:
            if (at_blank_rest()) {
                close_leaf();
                return true;
            }
            return false;
        case Leaf::fenced_code:
            continue_fenced_code();
            return true;
        case Leaf::indented_code:
            if (at_blank_rest()) {
                return true;
            }
            if (indent() >= 4) {
                leaf_end_line_ = line_ + 1;
                return true;
            }
            close_leaf();
            return false;
        case Leaf::html:
            continue_html();
            return true;
    }
    return false;
}

void BlockParser::continue_fenced_code() {
    if (at_blank_rest()) {
        return;
    }
    leaf_end_line_ = line_ + 1;
    if (text_[first_] != fence_ || indent() >= 4) {
        return;
    }
    std::uint32_t at = first_;
    while (at < end_ && text_[at] == fence_) {
        ++at;
    }
    if (at - first_ >= fence_length_ && is_rest_blank_from(at)) {
        tree_.blocks[leaf_block_].detail = 1;
        close_leaf();
    }
}

void BlockParser::continue_html() {
    const std::uint8_t condition = tree_.blocks[leaf_block_].detail;
    if (at_blank_rest()) {
        if (condition >= 6) {
            close_leaf();
        }
        return;
    }
    leaf_end_line_ = line_ + 1;
    if (meets_html_end_condition(rest(), condition)) {
        close_leaf();
    }
}

void BlockParser::add_text_line() {
    if (leaf_ == Leaf::paragraph) {
        add_paragraph_line(matched_ != depth_);
    } else if (leaf_ == Leaf::table && matched_ == depth_) {
        leaf_end_line_ = line_ + 1;
    } else {
        begin_leaf(Leaf::paragraph, BlockKind::paragraph, 0);
        paragraph_line_count_ = 0;
        add_paragraph_line(false);
    }
}

void BlockParser::add_paragraph_line(bool lazy) {
    last_paragraph_line_ = {first_, end_};
    last_line_may_be_table_header_ = !lazy && indent() < 4;
    leaf_end_line_ = line_ + 1;
    if (paragraph_line_count_++ == 0) {
        may_hold_definitions_ = text_[first_] == '[';
        paragraph_lines_.clear();
        if (leaf_block_ == kNone) {
            leaf_block_ = push_block(BlockKind::paragraph, 0, line_);
        }
    }
    if (may_hold_definitions_) {
        paragraph_lines_.push_back(last_paragraph_line_);
    }
}

void BlockParser::finish() {
    close_leaf();
    pop_containers(0);
}

void BlockParser::advance_columns(std::uint32_t count) {
    while (count != 0) {
        const std::uint32_t width = text_[byte_] == '\t' ? 4 - column_ % 4 : 1;
        if (width > count) {
            column_ += count;
            return;
        }
        column_ += width;
        count -= width;
        ++byte_;
    }
}

/// Steps behind a container marker that starts at the first byte that is not blank.
void BlockParser::advance_past_marker(std::uint32_t length) {
    byte_ = first_ + length;
    column_ = first_column_ + length;
    find_first();
}

bool BlockParser::is_rest_blank_from(std::uint32_t byte) const {
    while (byte < end_ && is_blank(text_[byte])) {
        ++byte;
    }
    return byte == end_;
}

BlockTree parse_blocks(std::string_view text, std::uint32_t first_byte) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() - 1) {
        throw Error(ErrorCode::too_large, "a document has more than 4294967294 bytes");
    }
    return BlockParser(text).parse(first_byte);
}

}  // namespace rootleaf::markdown
