#pragma once

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/markdown/chunk.hpp"

namespace rootleaf::markdown::testing {

/// Checks what must hold of the chunks of any bytes; the slow, obvious way.
class ChunkInvariants {
public:
    ChunkInvariants(std::string_view text, const Document& document, std::uint32_t max_tokens)
        : text_(text), document_(document), max_bytes_(max_tokens * kBytesPerToken) {}

    /// The first broken promise, or "" if all hold. Chunks start at `first_byte` or behind it.
    [[nodiscard]] std::string broken(std::uint32_t first_byte) {
        check_cover(first_byte);
        check_tree();
        check_chunksets();
        check_surroundings();
        check_cuts();
        return broken_;
    }

private:
    void require(bool holds, const char* promise) {
        if (!holds && broken_.empty()) {
            broken_ = promise;
        }
    }

    static bool is_blank(char byte) {
        return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
    }

    bool is_blank_between(std::uint32_t start, std::uint32_t end) const {
        return std::all_of(text_.begin() + start, text_.begin() + end, is_blank);
    }

    void check_cover(std::uint32_t first_byte) {
        std::uint32_t covered = first_byte;
        for (const Chunk& chunk : document_.chunks) {
            require(covered <= chunk.span.start && chunk.span.start < chunk.span.end &&
                        chunk.span.end <= text_.size(),
                    "spans are ordered, not empty and inside the text");
            if (!broken_.empty()) {
                return;
            }
            require(is_blank_between(covered, chunk.span.start), "every byte is in a chunk");
            require(chunk.span.end - chunk.span.start <= max_bytes_, "chunks are bounded");
            require(chunk.start_line < chunk.end_line, "chunks have lines");
            covered = chunk.span.end;
        }
        require(is_blank_between(covered, static_cast<std::uint32_t>(text_.size())),
                "every byte is in a chunk");
    }

    void check_tree() {
        constexpr std::uint32_t kMostAncestors = kMaxContainerDepth + 6;
        const auto& chunks = document_.chunks;
        std::vector<std::uint32_t> path;
        for (std::uint32_t index = 0; index < chunks.size(); ++index) {
            const Chunk& chunk = chunks[index];
            while (!path.empty() && path.back() != chunk.parent) {
                path.pop_back();
            }
            require(path.empty() == (chunk.parent == kNone), "parents are ancestors or siblings");
            require(chunk.depth == path.size() && chunk.depth <= kMostAncestors,
                    "depth is the number of ancestors, and bounded");
            if (chunk.level != 0 && chunk.parent != kNone) {
                require(chunk.kind == ChunkKind::heading && chunks[chunk.parent].level != 0 &&
                            chunks[chunk.parent].level < chunk.level,
                        "a section lies in one of lower level");
            }
            path.push_back(index);
        }
        const std::uint32_t title = document_.title_chunk;
        require(title == kNone || (title < chunks.size() && chunks[title].level != 0),
                "the title is a heading");
    }

    void check_chunksets() {
        const auto& chunks = document_.chunks;
        std::vector<bool> is_leaf(chunks.size(), true);
        for (const Chunk& chunk : chunks) {
            if (chunk.parent != kNone) {
                is_leaf[chunk.parent] = false;
            }
        }
        std::uint32_t next = 0;
        for (const Chunkset& chunkset : document_.chunksets) {
            while (next < chunks.size() && !is_leaf[next]) {
                ++next;
            }
            require(next == chunkset.first_chunk, "every leaf is in one chunkset, in order");
            require(chunkset.chunk_count > 0, "a chunkset has a leaf");
            std::uint64_t bytes = chunkset.chunk_count - 1;
            for (; next < chunkset.first_chunk + chunkset.chunk_count && broken_.empty(); ++next) {
                require(next < chunks.size() && is_leaf[next] &&
                            chunks[next].parent == chunks[chunkset.first_chunk].parent,
                        "the leaves of a chunkset are siblings");
                require(chunkset.chunk_count == 1 || chunks[next].level == 0,
                        "an empty section stands alone");
                bytes += chunks[next].span.end - chunks[next].span.start;
            }
            require(bytes <= max_bytes_, "chunksets are bounded");
        }
        while (next < chunks.size() && !is_leaf[next]) {
            ++next;
        }
        require(next == chunks.size(), "every leaf is in a chunkset");
    }

    void check_surroundings() {
        for (const Chunk& chunk : document_.chunks) {
            require(chunk.head.start == chunk.head.end || chunk.head.end < chunk.span.start,
                    "a head stands before its piece");
            require(chunk.tail.start == chunk.tail.end || chunk.tail.start > chunk.span.end,
                    "a tail stands behind its piece");
            require(chunk.head.end - chunk.head.start <= max_bytes_ &&
                        chunk.tail.end - chunk.tail.start <= max_bytes_,
                    "heads and tails are bounded");
        }
    }

    bool starts_line(std::uint32_t position) const {
        return position == 0 || text_[position - 1] == '\n' ||
               (text_[position - 1] == '\r' && text_[position] != '\n');
    }

    void check_cuts() {
        for (const Chunk& chunk : document_.chunks) {
            if (!starts_line(chunk.span.start)) {
                require(is_border(chunk.span.start), "no piece starts inside a character");
            }
            if (chunk.span.end < text_.size() && text_[chunk.span.end] != '\n' &&
                text_[chunk.span.end] != '\r') {
                require(is_border(chunk.span.end), "no piece ends inside a character");
            }
        }
    }

    /// Clusters are counted from the start of the line; a line with a cluster longer than a chunk
    /// is not judged.
    bool is_border(std::uint32_t position) const {
        std::uint32_t here = position;
        while (!starts_line(here)) {
            --here;
        }
        std::uint32_t cluster = here;
        utf8proc_int32_t before = 0;
        utf8proc_int32_t state = 0;
        bool is_first = true;
        while (here < text_.size()) {
            utf8proc_int32_t code_point = 0;
            const utf8proc_ssize_t size = utf8proc_iterate(
                reinterpret_cast<const utf8proc_uint8_t*>(text_.data()) + here,
                static_cast<utf8proc_ssize_t>(std::min<std::size_t>(4, text_.size() - here)),
                &code_point);
            if (size <= 0) {
                // Bytes that are no text have no clusters.
                return true;
            }
            if (!is_first && utf8proc_grapheme_break_stateful(before, code_point, &state)) {
                cluster = here;
            }
            if (here + static_cast<std::uint32_t>(size) - cluster > max_bytes_) {
                return true;
            }
            if (here >= position) {
                return here == position && cluster == here;
            }
            before = code_point;
            is_first = false;
            here += static_cast<std::uint32_t>(size);
        }
        return true;
    }

    std::string_view text_;
    const Document& document_;
    std::uint32_t max_bytes_;
    std::string broken_;
};

}  // namespace rootleaf::markdown::testing
