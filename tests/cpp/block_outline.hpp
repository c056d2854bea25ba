#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "block_invariants.hpp"
#include "rootleaf/markdown/block.hpp"

namespace rootleaf::markdown::testing {

/// The blocks of a tree, one a line, indented by depth: "paragraph 2-4" spans lines 2 and 3; a
/// detail that is not 0 follows the name, as in "heading:2 0-1".
[[nodiscard]] inline std::string outline_of(const BlockTree& tree) {
    static constexpr std::array<std::string_view, 11> kNames = {
        "quote", "list", "item",  "heading", "paragraph", "fence",
        "code",  "html", "table", "break",   "definition"};
    std::string outline;
    std::vector<std::size_t> depths;
    for (const Block& block : tree.blocks) {
        depths.push_back(block.parent == kNone ? 0 : depths[block.parent] + 1);
        outline.append(2 * depths.back(), ' ');
        outline += kNames[static_cast<std::size_t>(block.kind)];
        if (block.detail != 0) {
            outline += ":" + std::to_string(block.detail);
        }
        outline +=
            " " + std::to_string(block.start_line) + "-" + std::to_string(block.end_line) + "\n";
    }
    return outline;
}

/// The outline of a text, or what is wrong with its tree.
[[nodiscard]] inline std::string outline(std::string_view text) {
    const BlockTree tree = parse_blocks(text);
    const std::string broken = broken_block_invariant(text, tree);
    return broken.empty() ? outline_of(tree) : "broken: " + broken;
}

}  // namespace rootleaf::markdown::testing
