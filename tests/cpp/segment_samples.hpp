#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rootleaf/index/segment.hpp"
#include "rootleaf/index/segment_builder.hpp"
#include "rootleaf/markdown/chunk.hpp"

/// Segments made from small documents, for tests and fuzz targets.
namespace segment_samples {

struct SampleDocument {
    std::uint64_t id;
    std::string path;
    std::string name;
    std::string text;
    std::string field_text;
    std::vector<std::pair<std::string, std::string>> metadata;
};

inline rootleaf::index::Segment build(const std::vector<SampleDocument>& documents) {
    rootleaf::index::SegmentBuilder builder;
    for (const SampleDocument& document : documents) {
        const std::vector<std::pair<std::string_view, std::string_view>> metadata(
            document.metadata.begin(), document.metadata.end());
        builder.add({document.id, document.path, document.name, document.field_text, metadata},
                    document.text, rootleaf::markdown::chunk(document.text, {}));
    }
    return builder.build();
}

inline rootleaf::StringParts copy(const rootleaf::StringList& list) {
    return {std::string(list.bytes().begin(), list.bytes().end()),
            {list.ends().begin(), list.ends().end()}};
}

inline rootleaf::lexical::PostingParts copy(const rootleaf::lexical::PostingLists& lists) {
    return {{lists.starts.begin(), lists.starts.end()},
            {lists.ordinals.begin(), lists.ordinals.end()},
            {lists.first.begin(), lists.first.end()},
            {lists.second.begin(), lists.second.end()}};
}

/// The arrays of a segment, to be changed.
inline rootleaf::index::SegmentParts parts_of(const rootleaf::index::Segment& segment) {
    const rootleaf::index::SegmentSections& own = segment.sections();
    rootleaf::index::SegmentParts parts;
    parts.document_ids.assign(own.document_ids.begin(), own.document_ids.end());
    parts.paths = copy(own.paths);
    parts.layout.first_chunkset.assign(own.layout.first_chunkset.begin(),
                                       own.layout.first_chunkset.end());
    parts.layout.document_lengths.assign(own.layout.document_lengths.begin(),
                                         own.layout.document_lengths.end());
    parts.layout.chunkset_lengths.assign(own.layout.chunkset_lengths.begin(),
                                         own.layout.chunkset_lengths.end());
    parts.dictionary = copy(own.dictionary);
    parts.by_document = copy(own.by_document);
    parts.by_chunkset = copy(own.by_chunkset);
    parts.values.keys = copy(own.values.keys());
    parts.values.values = copy(own.values.values());
    parts.values.key_of_value.assign(own.values.key_of_value().begin(),
                                     own.values.key_of_value().end());
    parts.values.starts.assign(own.values.starts().begin(), own.values.starts().end());
    parts.values.documents.assign(own.values.documents().begin(), own.values.documents().end());
    if (own.vectors) {
        parts.vectors = {own.vectors->dimension(),
                         {own.vectors->rows().begin(), own.vectors->rows().end()},
                         {own.vectors->present().begin(), own.vectors->present().end()}};
    }
    return parts;
}

/// The same segment, with a vector for each chunkset but the first.
inline rootleaf::index::Segment with_vectors(const rootleaf::index::Segment& segment,
                                             std::uint32_t dimension) {
    rootleaf::vector::MatrixBuilder builder(dimension);
    std::vector<float> unit(dimension);
    for (std::uint32_t chunkset = 0; chunkset < segment.chunkset_count(); ++chunkset) {
        if (chunkset == 0) {
            builder.add_absent();
            continue;
        }
        unit.assign(dimension, 0.0F);
        unit[chunkset % dimension] = 1.0F;
        builder.add(unit);
    }
    rootleaf::index::SegmentParts parts = parts_of(segment);
    parts.vectors = builder.build();
    return rootleaf::index::make_segment(std::move(parts));
}

/// Three documents: one without chunksets, two that share words, metadata under two keys.
inline std::vector<SampleDocument> garden() {
    return {
        {7,
         "/garden/pears.md",
         "pears",
         "# Pears\n\nPears ripen late.\n\n## Storage\n\n- cold cellar\n- dry straw\n",
         "fruit garden",
         {{"kind", "fruit"}, {"season", "autumn"}}},
        {3,
         "/garden/beans.md",
         "beans",
         "# Beans\n\nBeans climb on poles.\n\nSow them late, in warm soil.\n",
         "legume garden",
         {{"kind", "legume"}, {"season", "summer"}, {"season", "autumn"}}},
        {12, "/garden/empty.md", "empty", "", "", {}},
    };
}

/// One more document, for a second segment.
inline std::vector<SampleDocument> orchard() {
    return {{40,
             "/orchard/apples.md",
             "apples",
             "# Apples\n\nApples keep in a cold cellar, as pears do.\n",
             "fruit",
             {{"kind", "fruit"}}}};
}

}  // namespace segment_samples
