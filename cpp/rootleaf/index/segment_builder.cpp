#include "rootleaf/index/segment_builder.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "rootleaf/base/error.hpp"
#include "rootleaf/lexical/fields.hpp"

namespace rootleaf::index {

namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

std::string_view slice(std::string_view text, markdown::ByteSpan span) {
    if (span.start > span.end || span.end > text.size()) {
        throw Error(ErrorCode::internal, "a chunk lies outside its text");
    }
    return text.substr(span.start, span.end - span.start);
}

}  // namespace

void SegmentBuilder::add(const DocumentFields& fields,
                         std::string_view text,
                         const markdown::Document& document,
                         const DocumentVectors& vectors) {
    std::optional<vector::MatrixParts> matrix;
    try {
        matrix = read_vectors(vectors, document.chunksets.size());
    } catch (const Error& error) {
        throw Error(error.code(), std::string(fields.path) + ": " + error.what());
    }
    if (chunksets_.size() + document.chunksets.size() >= 0xFFFFFFFFU) {
        throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 chunksets");
    }
    DocumentEntry entry{fields.id, std::string(fields.path), {}, 0, 0, 0, 0, {0, 0}};
    entry.metadata.reserve(fields.metadata.size());
    for (const auto& [key, value] : fields.metadata) {
        entry.metadata.emplace_back(key, value);
    }

    first_ids_.clear();
    second_ids_.clear();
    entry.lengths = {reader_.read(fields.name, first_ids_),
                     reader_.read(fields.field_text, second_ids_)};
    entry.first_row = rows_.size();
    count(first_ids_, second_ids_);
    entry.end_row = rows_.size();

    entry.first_chunkset = static_cast<std::uint32_t>(chunksets_.size());
    entry.chunkset_count = static_cast<std::uint32_t>(document.chunksets.size());
    std::uint32_t path_parent = markdown::kNone;
    path_ids_.clear();
    path_words_ = 0;
    for (const markdown::Chunkset& chunkset : document.chunksets) {
        const std::uint32_t parent = document.chunks.at(chunkset.first_chunk).parent;
        if (parent != path_parent) {
            read_path(text, document, parent);
            path_parent = parent;
        }
        second_ids_.clear();
        const std::uint32_t body_words = read_leaves(text, document, chunkset);
        const std::size_t first_row = rows_.size();
        count(path_ids_, second_ids_);
        chunksets_.push_back({first_row, rows_.size(), {path_words_, body_words}});
    }
    documents_.push_back(std::move(entry));
    if (matrix) {
        keep_vectors(*matrix);
    }
}

/// The rows of one document, checked; nothing where it has none.
std::optional<vector::MatrixParts> SegmentBuilder::read_vectors(const DocumentVectors& vectors,
                                                                std::size_t chunkset_count) const {
    const auto present_count = static_cast<std::size_t>(
        std::ranges::count_if(vectors.present, [](std::uint8_t present) { return present != 0; }));
    if (vectors.dimension == 0 || present_count == 0) {
        return std::nullopt;
    }
    if (vectors.present.size() != chunkset_count ||
        vectors.floats.size() != present_count * vectors.dimension) {
        throw Error(ErrorCode::invalid_input,
                    "there must be a vector, or none, for each of the document's " +
                        std::to_string(chunkset_count) + " chunksets, not " +
                        std::to_string(vectors.present.size()));
    }
    if (vectors_ && vectors_->dimension() != vectors.dimension) {
        throw Error(ErrorCode::invalid_input, "vectors have " + std::to_string(vectors.dimension) +
                                                  " elements, and those before them " +
                                                  std::to_string(vectors_->dimension()));
    }
    vector::MatrixBuilder builder(vectors.dimension);
    std::size_t next = 0;
    for (const std::uint8_t present : vectors.present) {
        if (present != 0) {
            builder.add(vectors.floats.subspan(next, vectors.dimension));
            next += vectors.dimension;
        } else {
            builder.add_absent();
        }
    }
    return builder.build();
}

/// Appends the rows of the document that was added last, after absent ones for those before it.
void SegmentBuilder::keep_vectors(const vector::MatrixParts& vectors) {
    if (!vectors_) {
        vectors_.emplace(vectors.dimension);
    }
    while (vectors_->row_count() < documents_.back().first_chunkset) {
        vectors_->add_absent();
    }
    const vector::Matrix matrix = vectors.matrix();
    for (std::uint32_t row = 0; row < matrix.row_count(); ++row) {
        vectors_->append(matrix, row);
    }
}

/// Reads the heading path that ends with `parent`, from the inside outward.
void SegmentBuilder::read_path(std::string_view text,
                               const markdown::Document& document,
                               std::uint32_t parent) {
    path_ids_.clear();
    path_words_ = 0;
    while (parent != markdown::kNone) {
        const markdown::Chunk& ancestor = document.chunks.at(parent);
        const std::size_t before = path_ids_.size();
        const std::uint32_t words = reader_.read(slice(text, ancestor.span), path_ids_);
        if (path_words_ + words > lexical::kMaxPathWords) {
            path_ids_.resize(before);
            return;
        }
        path_words_ += words;
        parent = ancestor.parent;
    }
}

std::uint32_t SegmentBuilder::read_leaves(std::string_view text,
                                          const markdown::Document& document,
                                          const markdown::Chunkset& chunkset) {
    std::uint32_t words = 0;
    for (std::uint32_t i = 0; i < chunkset.chunk_count; ++i) {
        const markdown::Chunk& leaf = document.chunks.at(chunkset.first_chunk + i);
        if (leaf.kind == markdown::ChunkKind::table && leaf.head.start < leaf.head.end) {
            words += reader_.read(slice(text, leaf.head), second_ids_);
        }
        words += reader_.read(slice(text, leaf.span), second_ids_);
    }
    return words;
}

/// Appends one row per distinct term.
void SegmentBuilder::count(const Ids& first, const Ids& second) {
    const std::size_t first_row = rows_.size();
    row_of_term_.resize(reader_.terms().size(), kNoRow);
    const auto row = [&](std::uint32_t term) -> lexical::Frequency& {
        std::size_t& at = row_of_term_[term];
        if (at == kNoRow || at < first_row) {
            at = rows_.size();
            rows_.push_back({term, 0, 0});
        }
        return rows_[at];
    };
    const auto raise = [](std::uint8_t& frequency) {
        frequency =
            static_cast<std::uint8_t>(frequency + (frequency < lexical::kMaxFrequency ? 1 : 0));
    };
    for (const std::uint32_t term : first) {
        raise(row(term).first);
    }
    for (const std::uint32_t term : second) {
        raise(row(term).second);
    }
}

Segment SegmentBuilder::build() {
    std::vector<std::uint32_t> order(documents_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const DocumentEntry& one = documents_[a];
        const DocumentEntry& other = documents_[b];
        return one.path != other.path ? one.path < other.path : one.id < other.id;
    });

    SegmentParts parts;
    filter::ValueCollector values;
    std::vector<std::uint32_t> chunkset_order;
    chunkset_order.reserve(chunksets_.size());
    for (std::uint32_t document = 0; document < order.size(); ++document) {
        const DocumentEntry& entry = documents_[order[document]];
        parts.document_ids.push_back(entry.id);
        parts.paths.append(entry.path);
        for (std::uint32_t c = entry.first_chunkset;
             c < entry.first_chunkset + entry.chunkset_count; ++c) {
            chunkset_order.push_back(c);
            parts.layout.chunkset_lengths.push_back(chunksets_[c].lengths);
        }
        parts.layout.end_document(entry.lengths);
        for (const auto& [key, value] : entry.metadata) {
            values.add(key, value, document);
        }
    }
    parts.values = values.take();

    const std::span<const lexical::Frequency> rows(rows_);
    const auto rows_of = [&](const auto& entry) {
        return rows.subspan(entry.first_row, entry.end_row - entry.first_row);
    };
    lexical::SortedTerms sorted = lexical::sort_terms(reader_.terms());
    parts.dictionary = std::move(sorted.dictionary);
    parts.by_document = lexical::invert(
        static_cast<std::uint32_t>(order.size()), sorted.ranks,
        [&](std::uint32_t document) { return rows_of(documents_[order[document]]); });
    parts.by_chunkset = lexical::invert(
        static_cast<std::uint32_t>(chunkset_order.size()), sorted.ranks,
        [&](std::uint32_t chunkset) { return rows_of(chunksets_[chunkset_order[chunkset]]); });
    if (vectors_) {
        const vector::MatrixParts as_added = vectors_->build();
        vector::MatrixBuilder in_order(as_added.dimension);
        for (const std::uint32_t chunkset : chunkset_order) {
            if (chunkset < as_added.present.size()) {
                in_order.append(as_added.matrix(), chunkset);
            } else {
                in_order.add_absent();
            }
        }
        parts.vectors = in_order.build();
    }
    *this = SegmentBuilder();
    return make_segment(std::move(parts));
}

}  // namespace rootleaf::index
