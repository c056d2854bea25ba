#include "rootleaf/markdown/chunk.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/markdown/chunk_cut.hpp"
#include "rootleaf/markdown/chunk_outline.hpp"
#include "rootleaf/markdown/chunkset.hpp"

namespace rootleaf::markdown {

namespace {

constexpr std::uint32_t kMinTokens = 16;
constexpr std::uint32_t kMaxTokens = 65536;

/// Part of the limit that the first piece of an item or heading may have: it is shown above every
/// other piece.
constexpr std::uint32_t kFirstPieceDivisor = 4;

CutStyle cut_style(ChunkKind kind) noexcept {
    switch (kind) {
        case ChunkKind::code:
            return CutStyle::code;
        case ChunkKind::table:
        case ChunkKind::link_definition:
        case ChunkKind::front_matter:
            return CutStyle::rows;
        default:
            return CutStyle::prose;
    }
}

/// Turns passages into chunks; cuts those that are too long.
class Emitter {
public:
    Emitter(std::string_view text, const BlockTree& tree, std::uint32_t max_tokens)
        : text_(text),
          tree_(tree),
          max_bytes_(max_tokens * kBytesPerToken),
          cutter_(text, max_bytes_) {}

    std::vector<Chunk> run(const std::vector<Passage>& passages) {
        chunks_.reserve(passages.size() + text_.size() / max_bytes_);
        chunk_of_passage_.reserve(passages.size());
        for (const Passage& passage : passages) {
            const ByteSpan span = span_of(passage.start_line, passage.end_line);
            const std::uint32_t parent =
                passage.parent == kNone ? kNone : chunk_of_passage_[passage.parent];
            chunk_of_passage_.push_back(static_cast<std::uint32_t>(chunks_.size()));
            if (span.end - span.start <= max_bytes_) {
                add(passage.kind, passage.level, parent, span, passage.start_line,
                    passage.end_line);
            } else {
                add_pieces(passage, span, parent);
            }
        }
        return std::move(chunks_);
    }

private:
    [[nodiscard]] ByteSpan span_of(std::uint32_t start_line,
                                   std::uint32_t end_line) const noexcept {
        return {tree_.line_starts[start_line], line_content_end(text_, tree_, end_line - 1)};
    }

    Chunk& add(ChunkKind kind,
               std::uint8_t level,
               std::uint32_t parent,
               ByteSpan span,
               std::uint32_t start_line,
               std::uint32_t end_line) {
        const std::uint32_t depth = parent == kNone ? 0 : chunks_[parent].depth + 1;
        chunks_.push_back({kind, level, depth, parent, span, start_line, end_line, {0, 0}, {0, 0}});
        return chunks_.back();
    }

    void add_pieces(const Passage& passage, ByteSpan span, std::uint32_t parent) {
        const ByteSpan head = head_of(passage);
        const ByteSpan tail = tail_of(passage);
        inner_starts_.clear();
        if (passage.leaf_kind == ChunkKind::quote) {
            for (std::uint32_t inner = passage.leaf_block + 1; inner < passage.inner_end; ++inner) {
                inner_starts_.push_back(tree_.line_starts[tree_.blocks[inner].start_line]);
            }
        }
        const LongBlock block{
            span, cut_style(passage.leaf_kind),
            head.start == head.end ? span.start : next_line_start(passage.leaf_block, head),
            tail.start == tail.end ? span.end : tail.start, inner_starts_};
        const std::uint32_t first_max_bytes =
            passage.holds_pieces() ? max_bytes_ / kFirstPieceDivisor : max_bytes_;
        const auto first_chunk = static_cast<std::uint32_t>(chunks_.size());
        std::uint32_t line = passage.start_line;
        for (const ByteSpan piece : cutter_.cut(block, first_max_bytes)) {
            const bool is_first = chunks_.size() == first_chunk;
            while (tree_.line_starts[line + 1] <= piece.start) {
                ++line;
            }
            const std::uint32_t start_line = line;
            while (tree_.line_starts[line + 1] < piece.end) {
                ++line;
            }
            Chunk& chunk = add(is_first ? passage.kind : passage.leaf_kind,
                               is_first ? passage.level : std::uint8_t{0},
                               is_first || !passage.holds_pieces() ? parent : first_chunk, piece,
                               start_line, line + 1);
            if (head.start != head.end && piece.start >= block.head_end) {
                chunk.head = head;
            }
            if (tail.start != tail.end && piece.end <= tail.start) {
                chunk.tail = tail;
            }
        }
    }

    [[nodiscard]] std::uint32_t next_line_start(std::uint32_t leaf, ByteSpan head) const noexcept {
        std::uint32_t line = tree_.blocks[leaf].start_line;
        while (tree_.line_starts[line] < head.end) {
            ++line;
        }
        return tree_.line_starts[line];
    }

    /// What is shown before a later piece: header and delimiter rows, opening fence, `<!--` line.
    [[nodiscard]] ByteSpan head_of(const Passage& passage) const noexcept {
        if (passage.leaf_block == kNone) {
            return {0, 0};
        }
        const Block& leaf = tree_.blocks[passage.leaf_block];
        std::uint32_t lines = 0;
        if (leaf.kind == BlockKind::table) {
            lines = 2;
        } else if (leaf.kind == BlockKind::fenced_code || passage.leaf_kind == ChunkKind::comment) {
            lines = 1;
        }
        if (lines == 0 || leaf.end_line - leaf.start_line <= lines) {
            return {0, 0};
        }
        return bounded(span_of(leaf.start_line, leaf.start_line + lines));
    }

    /// What is shown after an earlier piece: closing fence, `-->` line.
    [[nodiscard]] ByteSpan tail_of(const Passage& passage) const noexcept {
        if (passage.leaf_block == kNone) {
            return {0, 0};
        }
        const Block& leaf = tree_.blocks[passage.leaf_block];
        if (leaf.end_line - leaf.start_line < 2) {
            return {0, 0};
        }
        const ByteSpan last = span_of(leaf.end_line - 1, leaf.end_line);
        const bool is_fence = leaf.kind == BlockKind::fenced_code && leaf.detail == 1;
        const bool is_comment_end =
            passage.leaf_kind == ChunkKind::comment &&
            text_.substr(last.start, last.end - last.start).find("-->") != std::string_view::npos;
        return is_fence || is_comment_end ? bounded(last) : ByteSpan{0, 0};
    }

    /// Lines that are repeated with every piece must be short, or all pieces together would not be.
    [[nodiscard]] ByteSpan bounded(ByteSpan span) const noexcept {
        return span.end - span.start <= max_bytes_ ? span : ByteSpan{0, 0};
    }

    std::string_view text_;
    const BlockTree& tree_;
    std::uint32_t max_bytes_;
    Cutter cutter_;
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> chunk_of_passage_;
    std::vector<std::uint32_t> inner_starts_;
};

std::uint32_t find_title(const std::vector<Chunk>& chunks) noexcept {
    std::uint32_t first = kNone;
    for (std::size_t index = 0; index < chunks.size(); ++index) {
        if (chunks[index].level == 1) {
            return static_cast<std::uint32_t>(index);
        }
        if (chunks[index].level != 0 && first == kNone) {
            first = static_cast<std::uint32_t>(index);
        }
    }
    return first;
}

bool holds_closed(FrontMatterSpan front_matter, const ChunkOptions& options) noexcept {
    return options.front_matter && front_matter.state == FrontMatterState::closed;
}

}  // namespace

Document chunk(std::string_view text,
               const BlockTree& tree,
               FrontMatterSpan front_matter,
               const ChunkOptions& options) {
    if (options.max_tokens < kMinTokens || options.max_tokens > kMaxTokens) {
        throw Error(ErrorCode::invalid_input,
                    "max_tokens must be 16 to 65536, not " + std::to_string(options.max_tokens));
    }
    std::uint32_t first_line = 0;
    if (holds_closed(front_matter, options)) {
        const auto line =
            std::lower_bound(tree.line_starts.begin(), tree.line_starts.end(), front_matter.end);
        first_line = static_cast<std::uint32_t>(line - tree.line_starts.begin());
    }
    std::vector<Passage> passages = outline(text, tree, first_line);
    if (first_line > 0 && !options.front_matter_parsed) {
        for (Passage& passage : passages) {
            passage.parent += passage.parent == kNone ? 0 : 1;
        }
        passages.insert(passages.begin(), {ChunkKind::front_matter, ChunkKind::front_matter, 0,
                                           kNone, 0, first_line, kNone, kNone});
    }
    Document document;
    document.chunks = Emitter(text, tree, options.max_tokens).run(passages);
    document.chunksets = pack_chunksets(text, document.chunks, options.max_tokens);
    document.title_chunk = find_title(document.chunks);
    return document;
}

Document chunk(std::string_view text, const ChunkOptions& options) {
    FrontMatterSpan front_matter{FrontMatterState::absent, 0, 0, 0};
    if (options.front_matter) {
        front_matter = find_front_matter(text);
    }
    const std::uint32_t first_byte = holds_closed(front_matter, options) ? front_matter.end : 0;
    return chunk(text, parse_blocks(text, first_byte), front_matter, options);
}

}  // namespace rootleaf::markdown
