#include "rootleaf/index/merge.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rootleaf/base/error.hpp"

namespace rootleaf::index {

namespace {

constexpr std::uint32_t kDropped = 0xFFFFFFFFU;

/// Where the documents and chunksets of one segment go. Both ascend, the dropped apart, as both
/// orders are that of paths and ids.
struct Renumbering {
    std::vector<std::uint32_t> documents;
    std::vector<std::uint32_t> chunksets;
};

/// Walks several sorted lists as one. `count_of(list)` is a list's length, and `less` compares
/// cursors (list, position); `visit` is called with cursors in ascending order. Among equals the
/// earlier list comes first.
struct Cursor {
    std::size_t list;
    std::uint32_t at;
};

template <typename CountOf, typename Less, typename Visit>
void walk_together(std::size_t lists, CountOf&& count_of, Less&& less, Visit&& visit) {
    std::vector<Cursor> heap;
    const auto later = [&](const Cursor& a, const Cursor& b) {
        return less(b, a) || (!less(a, b) && b.list < a.list);
    };
    for (std::size_t list = 0; list < lists; ++list) {
        if (count_of(list) > 0) {
            heap.push_back({list, 0});
        }
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), later);
        Cursor& next = heap.back();
        visit(std::as_const(next));
        if (++next.at < count_of(next.list)) {
            std::push_heap(heap.begin(), heap.end(), later);
        } else {
            heap.pop_back();
        }
    }
}

/// Copies document ids, paths and lengths in their order; says where each went.
std::vector<Renumbering> merge_documents(std::span<const LiveSegment> segments,
                                         SegmentParts& parts) {
    std::vector<Renumbering> renumberings(segments.size());
    for (std::size_t s = 0; s < segments.size(); ++s) {
        renumberings[s].documents.assign(segments[s].segment().document_count(), kDropped);
        renumberings[s].chunksets.assign(segments[s].segment().chunkset_count(), kDropped);
    }
    const auto key = [&](const Cursor& cursor) {
        const Segment& segment = segments[cursor.list].segment();
        return std::tuple(segment.path(cursor.at), segment.document_ids()[cursor.at]);
    };
    walk_together(
        segments.size(), [&](std::size_t s) { return segments[s].segment().document_count(); },
        [&](const Cursor& a, const Cursor& b) { return key(a) < key(b); },
        [&](const Cursor& cursor) {
            if (!segments[cursor.list].is_live(cursor.at)) {
                return;
            }
            const Segment& segment = segments[cursor.list].segment();
            const lexical::Layout& layout = segment.inverted().layout();
            Renumbering& renumbering = renumberings[cursor.list];
            renumbering.documents[cursor.at] =
                static_cast<std::uint32_t>(parts.document_ids.size());
            parts.document_ids.push_back(segment.document_ids()[cursor.at]);
            parts.paths.append(segment.path(cursor.at));
            for (std::uint32_t c = layout.first_chunkset[cursor.at];
                 c < layout.first_chunkset[cursor.at + 1]; ++c) {
                renumbering.chunksets[c] =
                    static_cast<std::uint32_t>(parts.layout.chunkset_lengths.size());
                parts.layout.chunkset_lengths.push_back(layout.chunkset_lengths[c]);
            }
            parts.layout.end_document(layout.document_lengths[cursor.at]);
        });
    return renumberings;
}

/// Collects one list from parts that each ascend, and puts it in order.
class Gathering {
public:
    void begin() noexcept {
        entries_.clear();
        run_count_ = 0;
    }

    void add(std::span<const std::uint32_t> ordinals,
             std::span<const std::uint8_t> first,
             std::span<const std::uint8_t> second,
             std::span<const std::uint32_t> renumbered) {
        const std::size_t before = entries_.size();
        for (std::size_t i = 0; i < ordinals.size(); ++i) {
            const std::uint32_t ordinal = renumbered[ordinals[i]];
            if (ordinal != kDropped) {
                entries_.push_back((std::uint64_t{ordinal} << 16U) |
                                   (std::uint64_t{first[i]} << 8U) | second[i]);
            }
        }
        run_count_ += entries_.size() > before ? 1U : 0U;
    }

    /// Appends the list to `postings`; says whether there was anything.
    bool end(lexical::PostingParts& postings) {
        sort();
        if (postings.ordinals.size() + entries_.size() >= 0xFFFFFFFFU) {
            throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 postings");
        }
        for (const std::uint64_t entry : entries_) {
            postings.ordinals.push_back(static_cast<std::uint32_t>(entry >> 16U));
            postings.first.push_back(static_cast<std::uint8_t>(entry >> 8U));
            postings.second.push_back(static_cast<std::uint8_t>(entry));
        }
        return !entries_.empty();
    }

private:
    void sort() {
        if (run_count_ > 1) {
            std::sort(entries_.begin(), entries_.end());
        }
    }

    std::vector<std::uint64_t> entries_;  // ordinal, first and second, in one number that sorts
    std::size_t run_count_ = 0;
};

void close_list(lexical::PostingParts& postings) {
    postings.starts.push_back(static_cast<std::uint32_t>(postings.ordinals.size()));
}

/// Copies the postings of what is kept, term by term; terms that nothing keeps are dropped.
void merge_postings(std::span<const LiveSegment> segments,
                    std::span<const Renumbering> renumberings,
                    SegmentParts& parts) {
    Gathering of_documents;
    Gathering of_chunksets;
    std::string_view term;
    bool open = false;
    parts.by_document.starts.push_back(0);
    parts.by_chunkset.starts.push_back(0);
    const auto close = [&] {
        if (!open) {
            return;
        }
        const bool in_documents = of_documents.end(parts.by_document);
        const bool in_chunksets = of_chunksets.end(parts.by_chunkset);
        if (in_documents || in_chunksets) {
            parts.dictionary.append(term);
            close_list(parts.by_document);
            close_list(parts.by_chunkset);
        }
    };
    const auto term_at = [&](const Cursor& cursor) {
        return segments[cursor.list].segment().inverted().term(cursor.at);
    };
    walk_together(
        segments.size(),
        [&](std::size_t s) { return segments[s].segment().inverted().term_count(); },
        [&](const Cursor& a, const Cursor& b) { return term_at(a) < term_at(b); },
        [&](const Cursor& cursor) {
            if (!open || term_at(cursor) != term) {
                close();
                term = term_at(cursor);
                open = true;
                of_documents.begin();
                of_chunksets.begin();
            }
            const lexical::InvertedIndex& inverted = segments[cursor.list].segment().inverted();
            const lexical::Postings documents = inverted.documents_of(cursor.at);
            of_documents.add(documents.ordinals, documents.first, documents.second,
                             renumberings[cursor.list].documents);
            const lexical::Postings chunksets = inverted.chunksets_of(cursor.at);
            of_chunksets.add(chunksets.ordinals, chunksets.first, chunksets.second,
                             renumberings[cursor.list].chunksets);
        });
    close();
}

void merge_values(std::span<const LiveSegment> segments,
                  std::span<const Renumbering> renumberings,
                  SegmentParts& parts) {
    filter::ValueDocuments pending{};
    std::vector<std::uint32_t> documents;
    const auto close = [&] {
        if (!documents.empty()) {
            std::sort(documents.begin(), documents.end());
            pending.documents = documents;
            parts.values.append(pending);
            documents.clear();
        }
    };
    const auto key = [&](const Cursor& cursor) {
        const filter::ValueDocuments value = segments[cursor.list].segment().values()[cursor.at];
        return std::tuple(value.key, value.value);
    };
    walk_together(
        segments.size(), [&](std::size_t s) { return segments[s].segment().values().size(); },
        [&](const Cursor& a, const Cursor& b) { return key(a) < key(b); },
        [&](const Cursor& cursor) {
            const filter::ValueDocuments value =
                segments[cursor.list].segment().values()[cursor.at];
            if (value.key != pending.key || value.value != pending.value) {
                close();
                pending = value;
            }
            for (const std::uint32_t document : value.documents) {
                if (renumberings[cursor.list].documents[document] != kDropped) {
                    documents.push_back(renumberings[cursor.list].documents[document]);
                }
            }
        });
    close();
}

/// Copies the rows of the chunksets that are kept; nothing where none of them has one.
void merge_vectors(std::span<const LiveSegment> segments,
                   std::span<const Renumbering> renumberings,
                   SegmentParts& parts) {
    const auto has_vectors = [](const LiveSegment& segment) { return segment.vector_count() > 0; };
    const auto with_vectors = std::ranges::find_if(segments, has_vectors);
    if (with_vectors == segments.end()) {
        return;
    }
    struct Source {
        const vector::Matrix* vectors = nullptr;
        std::uint32_t row = 0;
    };
    std::vector<Source> sources(parts.layout.chunkset_lengths.size());
    for (std::size_t s = 0; s < segments.size(); ++s) {
        const vector::Matrix* const vectors = segments[s].segment().vectors();
        for (std::uint32_t c = 0; c < renumberings[s].chunksets.size(); ++c) {
            if (vectors != nullptr && vectors->has(c) && renumberings[s].chunksets[c] != kDropped) {
                sources[renumberings[s].chunksets[c]] = {vectors, c};
            }
        }
    }
    vector::MatrixBuilder builder(with_vectors->segment().vectors()->dimension());
    for (const Source& source : sources) {
        if (source.vectors != nullptr) {
            builder.append(*source.vectors, source.row);
        } else {
            builder.add_absent();
        }
    }
    parts.vectors = builder.build();
}

}  // namespace

Segment merge_segments(std::span<const LiveSegment> segments) {
    std::uint64_t chunkset_count = 0;
    for (const LiveSegment& segment : segments) {
        chunkset_count += segment.totals().chunkset_count;
    }
    if (chunkset_count >= kDropped) {
        throw Error(ErrorCode::too_large, "one segment would hold more than 2^32 - 1 chunksets");
    }
    SegmentParts parts;
    const std::vector<Renumbering> renumberings = merge_documents(segments, parts);
    merge_postings(segments, renumberings, parts);
    merge_values(segments, renumberings, parts);
    merge_vectors(segments, renumberings, parts);
    return make_segment(std::move(parts));
}

std::uint64_t merge_size(const LiveSegment& segment) noexcept {
    return segment.totals().document_count + segment.totals().chunkset_count;
}

std::size_t first_to_merge(std::span<const std::uint64_t> sizes) noexcept {
    std::size_t first = sizes.size();
    std::uint64_t behind = 0;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (behind > 0 && sizes[i] <= behind) {
            first = i;
        }
        behind += sizes[i];
    }
    return first;
}

bool is_mostly_dead(const LiveSegment& segment) noexcept {
    const std::uint64_t total =
        std::uint64_t{segment.segment().document_count()} + segment.segment().chunkset_count();
    return total - merge_size(segment) > merge_size(segment);
}

}  // namespace rootleaf::index
