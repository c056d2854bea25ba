#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rootleaf/render/hits.hpp"
#include "rootleaf/render/prepared_document.hpp"

/// Cheatsheets of one document, and what holds for every one of them.
namespace render_samples {

using rootleaf::render::Cheatsheet;
using rootleaf::render::HitPassages;
using rootleaf::render::PreparedDocument;

struct Asked {
    std::optional<std::string_view> query;
    std::optional<std::uint64_t> budget_tokens;
    std::optional<std::string_view> cite_path;
};

inline Cheatsheet rendered(const PreparedDocument& document,
                           const std::vector<std::uint32_t>& ordinals,
                           const Asked& asked = {}) {
    const std::vector<double> coverages(ordinals.size(), 1.0);
    const std::vector<HitPassages> hits = {{&document, ordinals, coverages, asked.cite_path}};
    return rootleaf::render::render_hits(hits, asked.query, asked.budget_tokens)[0];
}

inline Cheatsheet rendered(std::string_view text,
                           const std::vector<std::uint32_t>& ordinals,
                           const Asked& asked = {}) {
    return rendered(PreparedDocument(std::string(text), rootleaf::markdown::ChunkOptions()),
                    ordinals, asked);
}

}  // namespace render_samples
