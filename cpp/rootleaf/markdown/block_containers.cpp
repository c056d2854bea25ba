#include <cstddef>
#include <string_view>

#include "rootleaf/markdown/block_parser.hpp"

namespace rootleaf::markdown {

namespace {

constexpr std::size_t kMaxOrderedDigits = 9;

struct ListMarker {
    char mark;  ///< bullet, or the delimiter after the number
    bool ordered;
    std::uint32_t number;  ///< 0 for a bullet
    std::uint32_t length;  ///< 0 if there is no marker
};

/// The list marker at the start of a line's rest, without the blanks behind it.
[[nodiscard]] ListMarker list_marker(std::string_view rest) {
    ListMarker marker{rest.front(), false, 0, 0};
    std::size_t at = 0;
    while (at < rest.size() && at < kMaxOrderedDigits && rest[at] >= '0' && rest[at] <= '9') {
        marker.number = marker.number * 10 + static_cast<std::uint32_t>(rest[at] - '0');
        ++at;
    }
    if (at == rest.size()) {
        return marker;
    }
    marker.ordered = at != 0;
    marker.mark = rest[at];
    const std::string_view marks = marker.ordered ? ".)" : "-*+";
    if (marks.find(marker.mark) == std::string_view::npos) {
        return marker;
    }
    ++at;
    if (at == rest.size() || is_blank(rest[at])) {
        marker.length = static_cast<std::uint32_t>(at);
    }
    return marker;
}

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
    const ListMarker marker = list_marker(rest());
    if (marker.length == 0) {
        return false;
    }
    if (in_paragraph &&
        ((marker.ordered && marker.number != 1) || is_rest_blank_from(first_ + marker.length))) {
        return false;
    }
    const bool continues_list = matched_ != 0 && stack_[matched_ - 1].kind == BlockKind::list &&
                                stack_[matched_ - 1].marker == marker.mark;
    const std::uint32_t depth = continues_list ? matched_ + 1 : depth_for_sibling() + 2;
    if (depth > kMaxContainerDepth) {
        return false;
    }
    const std::uint32_t marker_indent = indent();
    if (continues_list) {
        close_unmatched();
    } else {
        push_container(BlockKind::list, marker.ordered ? 1 : 0, marker.mark, 0);
    }
    advance_past_marker(marker.length);
    std::uint32_t padding = indent();
    if (padding == 0 || padding > 4 || at_blank_rest()) {
        // An empty first line, or indented code: one blank belongs to the marker.
        padding = 1;
    }
    push_container(BlockKind::list_item, 0, 0, marker_indent + marker.length + padding);
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
