#include "rootleaf/markdown/block_parser.hpp"

namespace rootleaf::markdown {

namespace {

constexpr std::uint32_t kMaxOrderedDigits = 9;

}  // namespace

/// The number of open containers that the line goes on, their markers stepped over.
std::uint32_t BlockParser::match_containers() {
    const auto is_childless_item = [this](const Container& container) {
        return container.block + 1 == tree_.blocks.size();
    };
    if (at_blank_rest() && quote_count_ == 0) {
        // Blank lines go on every item, except one that began with a blank line already.
        return depth_ != 0 && is_childless_item(stack_[depth_ - 1]) ? depth_ - 1 : depth_;
    }
    std::uint32_t matched = 0;
    for (; matched < depth_; ++matched) {
        const Container& container = stack_[matched];
        if (container.kind == BlockKind::list) {
            continue;
        }
        if (container.kind == BlockKind::block_quote) {
            if (at_blank_rest() || text_[first_] != '>' || indent() >= 4) {
                break;
            }
            advance_past_marker(1);
            advance_columns(indent() != 0 ? 1 : 0);
            tree_.blocks[container.block].end_line = line_ + 1;
        } else if (at_blank_rest()) {
            if (is_childless_item(container)) {
                break;
            }
        } else {
            if (indent() < container.content_indent) {
                break;
            }
            advance_columns(container.content_indent);
        }
    }
    return matched;
}

bool BlockParser::open_block_quote() {
    if (depth_for_sibling() == kMaxContainerDepth) {
        return false;
    }
    push_container(BlockKind::block_quote, 0, 0, 0);
    advance_past_marker(1);
    advance_columns(indent() != 0 ? 1 : 0);
    return true;
}

bool BlockParser::open_list_item(bool in_paragraph) {
    char marker = text_[first_];
    std::uint32_t at = first_;
    const bool ordered = marker >= '0' && marker <= '9';
    if (ordered) {
        std::uint32_t number = 0;
        while (at < end_ && at - first_ < kMaxOrderedDigits && text_[at] >= '0' &&
               text_[at] <= '9') {
            number = number * 10 + static_cast<std::uint32_t>(text_[at] - '0');
            ++at;
        }
        if (at == end_ || (text_[at] != '.' && text_[at] != ')') || (in_paragraph && number != 1)) {
            return false;
        }
        marker = text_[at];
    } else if (marker != '-' && marker != '*' && marker != '+') {
        return false;
    }
    ++at;
    if (at < end_ && !is_blank(text_[at])) {
        return false;
    }
    if (in_paragraph && is_rest_blank_from(at)) {
        return false;
    }
    const bool continues_list = matched_ != 0 && stack_[matched_ - 1].kind == BlockKind::list &&
                                stack_[matched_ - 1].marker == marker;
    const std::uint32_t depth = continues_list ? matched_ + 1 : depth_for_sibling() + 2;
    if (depth > kMaxContainerDepth) {
        return false;
    }
    const std::uint32_t marker_length = at - first_;
    const std::uint32_t marker_indent = indent();
    if (continues_list) {
        close_unmatched();
    } else {
        push_container(BlockKind::list, ordered ? 1 : 0, marker, 0);
    }
    advance_past_marker(marker_length);
    std::uint32_t padding = indent();
    if (padding == 0 || padding > 4 || at_blank_rest()) {
        // An empty first line, or indented code: one blank belongs to the marker.
        padding = 1;
    }
    push_container(BlockKind::list_item, 0, 0, marker_indent + marker_length + padding);
    advance_columns(indent() != 0 ? padding : 0);
    return true;
}

void BlockParser::push_container(BlockKind kind,
                                 std::uint8_t detail,
                                 char marker,
                                 std::uint32_t content_indent) {
    const std::uint32_t block =
        kind == BlockKind::list_item ? push_block(kind, detail, line_) : begin_block(kind, detail);
    stack_[depth_++] = {kind, marker, block, content_indent};
    matched_ = depth_;
    quote_count_ += kind == BlockKind::block_quote ? 1 : 0;
}

void BlockParser::pop_containers(std::uint32_t depth) {
    while (depth_ > depth) {
        const Container& container = stack_[--depth_];
        quote_count_ -= container.kind == BlockKind::block_quote ? 1 : 0;
        end_block(container.block, tree_.blocks[container.block].end_line);
    }
}

/// Closes what the line does not go on.
void BlockParser::close_unmatched() {
    if (matched_ != depth_) {
        close_leaf();
        pop_containers(matched_);
    }
}

/// The depth at which a block that is no item of the innermost matched list stands: it ends the
/// list.
std::uint32_t BlockParser::depth_for_sibling() const {
    return matched_ != 0 && stack_[matched_ - 1].kind == BlockKind::list ? matched_ - 1 : matched_;
}

}  // namespace rootleaf::markdown
