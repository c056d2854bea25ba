// Any bytes are a document. The invariants of its blocks are asserted, and two laws: line ends of
// another kind change nothing, and a document put into a quote keeps its structure there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../cpp/block_invariants.hpp"
#include "../cpp/block_outline.hpp"
#include "rootleaf/markdown/block.hpp"

namespace {

using namespace rootleaf::markdown;

void require(bool holds, std::string_view promise) {
    if (!holds) {
        std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(promise.size()), promise.data());
        std::abort();
    }
}

[[nodiscard]] std::string with_line_ends(std::string_view text, std::string_view line_end) {
    std::string changed;
    for (const char byte : text) {
        if (byte == '\n') {
            changed += line_end;
        } else {
            changed += byte;
        }
    }
    return changed;
}

[[nodiscard]] std::string in_quote(std::string_view text) {
    std::string quoted;
    bool at_line_start = true;
    for (const char byte : text) {
        quoted += at_line_start ? "> " : "";
        quoted += byte;
        at_line_start = byte == '\n';
    }
    return quoted;
}

[[nodiscard]] std::size_t depth_of(const BlockTree& tree) {
    std::size_t deepest = 0;
    for (const Block& block : tree.blocks) {
        std::size_t depth = 1;
        for (std::uint32_t parent = block.parent; parent != kNone;
             parent = tree.blocks[parent].parent) {
            ++depth;
        }
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

void check_front_matter(std::string_view text) {
    const FrontMatterSpan span = find_front_matter(text);
    if (span.state != FrontMatterState::closed) {
        require(span.end == 0 && span.content_end == 0, "only closed front matter has an end");
        return;
    }
    require(span.content_start <= span.content_end && span.content_end < span.end &&
                span.end <= text.size(),
            "front matter lies in the text");
    const std::string broken =
        testing::broken_block_invariant(text, parse_blocks(text, span.end), span.end);
    require(broken.empty(), broken);
}

void check_blocks(std::string_view text) {
    const BlockTree tree = parse_blocks(text);
    const std::string broken = testing::broken_block_invariant(text, tree);
    require(broken.empty(), broken);
    if (text.find('\r') != std::string_view::npos) {
        return;
    }
    const std::string outline = testing::outline_of(tree);
    require(testing::outline_of(parse_blocks(with_line_ends(text, "\r\n"))) == outline &&
                testing::outline_of(parse_blocks(with_line_ends(text, "\r"))) == outline,
            "the kind of line end changes nothing");
    // A tab reaches to another column behind the mark; at the limit of depth something gives way.
    if (text.find('\t') == std::string_view::npos && depth_of(tree) + 3 < kMaxContainerDepth &&
        !tree.blocks.empty()) {
        BlockTree quoted = parse_blocks(in_quote(text));
        quoted.blocks.erase(quoted.blocks.begin());
        for (Block& block : quoted.blocks) {
            block.parent = block.parent == 0 ? kNone : block.parent - 1;
        }
        // A quote's last line may hold its mark alone; inside of another quote so do blank lines.
        require(testing::outline_of(quoted) == outline,
                "a document in a quote keeps its structure");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    check_front_matter(text);
    check_blocks(text);
    return 0;
}
