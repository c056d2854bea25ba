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

/// Three documents: one without chunksets, two that share words, metadata under two keys.
inline std::vector<SampleDocument> garden() {
    return {
        {7,
         "/garden/pears.md",
         "pears",
         "# Pears\n\nPears ripen late.\n\n## Storage\n\n- cold cellar\n- dry straw\n",
         "fruit",
         {{"kind", "fruit"}, {"season", "autumn"}}},
        {3,
         "/garden/beans.md",
         "beans",
         "# Beans\n\nBeans climb on poles.\n\nSow them late, in warm soil.\n",
         "legume",
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
