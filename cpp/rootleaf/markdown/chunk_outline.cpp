#include "rootleaf/markdown/chunk_outline.hpp"

#include <cstddef>
#include <utility>

namespace rootleaf::markdown {

namespace {

ChunkKind kind_of(const Block& block) noexcept {
    constexpr std::uint8_t kCommentCondition = 2;
    switch (block.kind) {
        case BlockKind::block_quote:
            return ChunkKind::quote;
        case BlockKind::list:
        case BlockKind::list_item:
            return ChunkKind::list_item;
        case BlockKind::heading:
            return ChunkKind::heading;
        case BlockKind::fenced_code:
        case BlockKind::indented_code:
            return ChunkKind::code;
        case BlockKind::html:
            return block.detail == kCommentCondition ? ChunkKind::comment : ChunkKind::html;
        case BlockKind::table:
            return ChunkKind::table;
        case BlockKind::thematic_break:
            return ChunkKind::thematic_break;
        case BlockKind::link_definition:
            return ChunkKind::link_definition;
        case BlockKind::paragraph:
            break;
    }
    return ChunkKind::paragraph;
}

class Outliner {
public:
    explicit Outliner(const std::vector<Block>& blocks)
        : blocks_(blocks), passage_of_item_(blocks.size(), kNone) {
        passages_.reserve(blocks.size() + 1);
    }

    std::vector<Passage> run() {
        const auto count = static_cast<std::uint32_t>(blocks_.size());
        for (std::uint32_t index = 0; index < count;) {
            const BlockKind kind = blocks_[index].kind;
            const std::uint32_t next =
                kind == BlockKind::block_quote ? subtree_end(index) : index + 1;
            if (kind == BlockKind::list_item) {
                add_item(index);
            } else if (kind != BlockKind::list) {
                add_leaf(index, next);
            }
            index = next;
        }
        return std::move(passages_);
    }

private:
    struct OpenHeading {
        std::uint8_t level;
        std::uint32_t passage;
    };

    [[nodiscard]] std::uint32_t subtree_end(std::uint32_t root) const noexcept {
        std::uint32_t index = root + 1;
        while (index < blocks_.size() && blocks_[index].parent != kNone &&
               blocks_[index].parent >= root) {
            ++index;
        }
        return index;
    }

    /// The passage below which a block with this parent hangs.
    [[nodiscard]] std::uint32_t passage_above(std::uint32_t block) const noexcept {
        while (block != kNone && blocks_[block].kind != BlockKind::list_item) {
            block = blocks_[block].parent;
        }
        if (block != kNone) {
            return passage_of_item_[block];
        }
        return open_headings_.empty() ? kNone : open_headings_.back().passage;
    }

    std::uint32_t add(Passage passage) {
        passages_.push_back(passage);
        return static_cast<std::uint32_t>(passages_.size() - 1);
    }

    void add_item(std::uint32_t index) {
        const Block& item = blocks_[index];
        // `- - a`: an item that starts with an item on the same line is one passage with it.
        if (index >= 2 && item.parent == index - 1 && blocks_[index - 1].parent == index - 2 &&
            blocks_[index - 2].kind == BlockKind::list_item &&
            blocks_[index - 2].start_line == item.start_line) {
            passage_of_item_[index] = passage_of_item_[index - 2];
            return;
        }
        passage_of_item_[index] =
            add({ChunkKind::list_item, ChunkKind::list_item, 0, passage_above(item.parent),
                 item.start_line, item.start_line + 1, kNone, kNone});
    }

    void add_leaf(std::uint32_t index, std::uint32_t next) {
        const Block& leaf = blocks_[index];
        const ChunkKind kind = kind_of(leaf);
        if (index > 0 && leaf.parent == index - 1 &&
            blocks_[index - 1].kind == BlockKind::list_item) {
            Passage& item = passages_[passage_of_item_[index - 1]];
            item.leaf_kind = kind;
            item.end_line = leaf.end_line;
            item.leaf_block = index;
            item.inner_end = next;
            return;
        }
        if (kind == ChunkKind::link_definition && !passages_.empty() &&
            passages_.back().kind == ChunkKind::link_definition &&
            blocks_[index - 1].parent == leaf.parent) {
            passages_.back().end_line = leaf.end_line;
            return;
        }
        const bool is_section = kind == ChunkKind::heading && leaf.parent == kNone;
        if (is_section) {
            while (!open_headings_.empty() && open_headings_.back().level >= leaf.detail) {
                open_headings_.pop_back();
            }
        }
        const std::uint32_t passage =
            add({kind, kind, is_section ? leaf.detail : std::uint8_t{0}, passage_above(leaf.parent),
                 leaf.start_line, leaf.end_line, index, next});
        if (is_section) {
            open_headings_.push_back({leaf.detail, passage});
        }
    }

    const std::vector<Block>& blocks_;
    std::vector<std::uint32_t> passage_of_item_;
    std::vector<Passage> passages_;
    std::vector<OpenHeading> open_headings_;
};

bool is_blank_line(std::string_view text, const BlockTree& tree, std::uint32_t line) noexcept {
    for (std::size_t byte = tree.line_starts[line]; byte < tree.line_starts[line + 1]; ++byte) {
        if (!is_blank(text[byte])) {
            return false;
        }
    }
    return true;
}

/// Lines that are in no leaf (a lone `>` below a quote) go to the passage that they continue.
void cover_stray_lines(std::string_view text,
                       const BlockTree& tree,
                       std::uint32_t first_line,
                       std::vector<Passage>& passages) {
    const auto line_count = static_cast<std::uint32_t>(tree.line_starts.size() - 1);
    std::uint32_t covered = first_line;
    for (std::size_t index = 0; index <= passages.size(); ++index) {
        const std::uint32_t next =
            index < passages.size() ? passages[index].start_line : line_count;
        for (std::uint32_t line = covered; line < next; ++line) {
            if (is_blank_line(text, tree, line)) {
                continue;
            }
            if (index > 0) {
                passages[index - 1].end_line = line + 1;
            } else if (!passages.empty()) {
                passages[0].start_line = line;
                break;
            } else {
                passages.push_back({ChunkKind::paragraph, ChunkKind::paragraph, 0, kNone, line,
                                    line + 1, kNone, kNone});
                ++index;
            }
        }
        if (index < passages.size()) {
            covered = passages[index].end_line;
        }
    }
}

}  // namespace

std::vector<Passage> outline(std::string_view text,
                             const BlockTree& tree,
                             std::uint32_t first_line) {
    std::vector<Passage> passages = Outliner(tree.blocks).run();
    cover_stray_lines(text, tree, first_line, passages);
    return passages;
}

std::uint32_t line_content_end(std::string_view text,
                               const BlockTree& tree,
                               std::uint32_t line) noexcept {
    std::uint32_t end = tree.line_starts[line + 1];
    const std::uint32_t start = tree.line_starts[line];
    if (end > start && text[end - 1] == '\n') {
        --end;
    }
    if (end > start && text[end - 1] == '\r') {
        --end;
    }
    return end;
}

}  // namespace rootleaf::markdown
