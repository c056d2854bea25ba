#include "rootleaf/render/prepared_document.hpp"

#include <cstddef>
#include <utility>

#include "rootleaf/base/error.hpp"
#include "rootleaf/render/graphemes.hpp"

namespace rootleaf::render {

namespace {

using markdown::ByteSpan;
using markdown::Chunk;
using markdown::Chunkset;
using markdown::kNone;

bool is_between_characters(std::string_view text, std::uint32_t byte) {
    return byte == text.size() || (byte < text.size() && !is_continuation(text[byte]));
}

bool is_slice(std::string_view text, const ByteSpan& span) {
    return span.start <= span.end && is_between_characters(text, span.start) &&
           is_between_characters(text, span.end);
}

void require(bool holds, const char* promise) {
    if (!holds) {
        throw Error(ErrorCode::invalid_input, promise);
    }
}

void check_chunk(std::string_view text, const Chunk& chunk, std::size_t index) {
    require(is_slice(text, chunk.span) && is_slice(text, chunk.head) && is_slice(text, chunk.tail),
            "a chunk is a slice of its text, between characters");
    const bool has_head = chunk.head.start < chunk.head.end;
    const bool has_tail = chunk.tail.start < chunk.tail.end;
    require((!has_head || chunk.head.end <= chunk.span.start) &&
                (!has_tail || chunk.span.end <= chunk.tail.start),
            "the head of a chunk stands before it, the tail behind it");
    require(chunk.parent == kNone || chunk.parent < index, "a parent stands before its child");
    require(chunk.kind <= markdown::ChunkKind::front_matter, "a chunk is of a kind that is known");
}

void check_document(std::string_view text, const markdown::Document& document) {
    require(text.size() < kNone, "a text has less than 4 GiB");
    std::uint32_t end = 0;
    std::size_t index = 0;
    for (const Chunk& chunk : document.chunks) {
        check_chunk(text, chunk, index);
        require(end <= chunk.span.start, "chunks stand in order");
        end = chunk.span.end;
        ++index;
    }
    const std::size_t count = document.chunks.size();
    for (const Chunkset& chunkset : document.chunksets) {
        require(chunkset.first_chunk < count && chunkset.chunk_count > 0 &&
                    chunkset.chunk_count <= count - chunkset.first_chunk,
                "a chunkset is a run of chunks");
    }
    require(document.title_chunk == kNone || document.title_chunk < count, "a title is a chunk");
}

}  // namespace

PreparedDocument::PreparedDocument(std::string text, const markdown::ChunkOptions& options)
    : text_(std::move(text)), options_(options) {}

PreparedDocument::PreparedDocument(std::string text, markdown::Document document)
    : text_(std::move(text)), document_(std::move(document)) {
    check_document(text_, *document_);
}

const markdown::Document& PreparedDocument::document() const {
    const std::scoped_lock lock(mutex_);
    if (!document_) {
        document_ = markdown::chunk(text_, options_);
    }
    return *document_;
}

std::optional<std::string_view> PreparedDocument::title_heading() const {
    const markdown::Document& cut = document();
    if (cut.title_chunk == kNone) {
        return std::nullopt;
    }
    const ByteSpan span = cut.chunks[cut.title_chunk].span;
    return text().substr(span.start, span.end - span.start);
}

}  // namespace rootleaf::render
