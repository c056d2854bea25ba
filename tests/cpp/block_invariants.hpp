#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/block.hpp"

namespace rootleaf::markdown::testing {

[[nodiscard]] inline bool is_container(BlockKind kind) {
    return kind == BlockKind::block_quote || kind == BlockKind::list ||
           kind == BlockKind::list_item;
}

[[nodiscard]] inline bool is_blank_line(std::string_view text,
                                        const BlockTree& tree,
                                        std::size_t line) {
    const std::string_view content =
        text.substr(tree.line_starts[line], tree.line_starts[line + 1] - tree.line_starts[line]);
    return content.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// The first line starts at 0, each next one behind a line end, and the last entry is the size.
[[nodiscard]] inline std::string broken_line_starts(std::string_view text, const BlockTree& tree) {
    const std::vector<std::uint32_t>& starts = tree.line_starts;
    if (starts.empty() || starts.back() != text.size() || starts.front() != 0) {
        return "line starts do not span the text";
    }
    std::size_t line_ends = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool ends = text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n");
        if (!ends) {
            continue;
        }
        ++line_ends;
        if (line_ends >= starts.size() || starts[line_ends] != at + 1) {
            return "a line end is not followed by a line start";
        }
    }
    const bool last_is_open = !text.empty() && text.back() != '\n' && text.back() != '\r';
    return starts.size() == line_ends + (last_is_open ? 2 : 1) ? ""
                                                               : "a line start follows no line end";
}

[[nodiscard]] inline std::string broken_detail(const Block& block) {
    const unsigned detail = block.detail;
    switch (block.kind) {
        case BlockKind::heading:
            return detail >= 1 && detail <= 6 ? "" : "a heading has no level";
        case BlockKind::html:
            return detail >= 1 && detail <= 7 ? "" : "an HTML block has no start condition";
        case BlockKind::list:
        case BlockKind::fenced_code:
            return detail <= 1 ? "" : "a flag is no flag";
        default:
            return detail == 0 ? "" : "a detail where none belongs";
    }
}

/// Blocks stand in document order, parents before children; spans lie in the document and in their
/// parent's; siblings do not overlap; lists hold items only; nothing is deeper than the limit.
[[nodiscard]] inline std::string broken_nesting(const BlockTree& tree) {
    const std::size_t lines = tree.line_starts.size() - 1;
    std::vector<std::uint32_t> open;        // containers around the last block, it included
    std::vector<std::uint32_t> ends(1, 0);  // end of the last child of each, the document's first
    for (std::uint32_t index = 0; index < tree.blocks.size(); ++index) {
        const Block& block = tree.blocks[index];
        if (std::string broken = broken_detail(block); !broken.empty()) {
            return broken;
        }
        while (!open.empty() && open.back() != block.parent) {
            open.pop_back();
            ends.pop_back();
        }
        if (open.empty() && block.parent != kNone) {
            return "a parent is no open container";
        }
        if (block.start_line >= block.end_line || block.end_line > lines) {
            return "a span is empty or leaves the document";
        }
        const bool in_list = !open.empty() && tree.blocks[open.back()].kind == BlockKind::list;
        if (in_list != (block.kind == BlockKind::list_item)) {
            return "a list holds something else than items, or an item stands outside of a list";
        }
        if (!open.empty() && (block.start_line < tree.blocks[open.back()].start_line ||
                              block.end_line > tree.blocks[open.back()].end_line)) {
            return "a span leaves its parent's";
        }
        if (block.start_line < ends.back()) {
            return "siblings overlap";
        }
        ends.back() = block.end_line;
        if (is_container(block.kind)) {
            open.push_back(index);
            ends.push_back(0);
        }
        if (open.size() > kMaxContainerDepth) {
            return "containers are nested too deep";
        }
    }
    for (std::uint32_t index = 0; index < tree.blocks.size(); ++index) {
        const bool is_list = tree.blocks[index].kind == BlockKind::list;
        if (is_list &&
            (index + 1 == tree.blocks.size() || tree.blocks[index + 1].parent != index)) {
            return "a list has no item";
        }
    }
    return "";
}

/// Every line that is not blank lies in a block at the top of the document, and no block ends in a
/// blank line.
[[nodiscard]] inline std::string broken_cover(std::string_view text,
                                              const BlockTree& tree,
                                              std::uint32_t first_byte) {
    std::size_t line = 0;
    while (line + 1 < tree.line_starts.size() && tree.line_starts[line] < first_byte) {
        ++line;
    }
    const auto covers_no_text = [&](std::size_t end) {
        for (; line < end; ++line) {
            if (!is_blank_line(text, tree, line)) {
                return false;
            }
        }
        return true;
    };
    for (const Block& block : tree.blocks) {
        if (is_blank_line(text, tree, block.end_line - 1)) {
            return "a block ends in a blank line";
        }
        if (block.parent == kNone) {
            if (!covers_no_text(block.start_line)) {
                return "a line with text is in no block";
            }
            line = block.end_line;
        }
    }
    return covers_no_text(tree.line_starts.size() - 1) ? "" : "text after the last block";
}

/// What is wrong with a tree, in words; empty if nothing is.
[[nodiscard]] inline std::string broken_block_invariant(std::string_view text,
                                                        const BlockTree& tree,
                                                        std::uint32_t first_byte = 0) {
    std::string broken = broken_line_starts(text, tree);
    broken = broken.empty() ? broken_nesting(tree) : broken;
    return broken.empty() ? broken_cover(text, tree, first_byte) : broken;
}

}  // namespace rootleaf::markdown::testing
