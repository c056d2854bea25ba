#include "rootleaf/lexical/inverted_index.hpp"

#include <algorithm>

#include "rootleaf/lexical/fields.hpp"

namespace rootleaf::lexical {

namespace {

/// The first eight bytes as a number that sorts as they do: most comparisons end here, without a
/// look into the arena.
std::uint64_t leading_bytes(std::string_view text) noexcept {
    std::uint64_t leading = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        leading = (leading << 8U) | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    }
    return leading;
}

}  // namespace

SortedTerms sort_terms(const TermTable& terms) {
    struct Key {
        std::uint64_t leading;
        std::uint32_t id;
    };
    std::vector<Key> keys;
    keys.reserve(terms.size());
    std::size_t total_bytes = 0;
    for (std::uint32_t id = 0; id < terms.size(); ++id) {
        keys.push_back({leading_bytes(terms.text(id)), id});
        total_bytes += terms.text(id).size();
    }
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        return a.leading != b.leading ? a.leading < b.leading : terms.text(a.id) < terms.text(b.id);
    });
    SortedTerms sorted;
    sorted.ranks.resize(terms.size());
    sorted.dictionary.bytes.reserve(total_bytes);
    sorted.dictionary.ends.reserve(terms.size());
    for (const Key& key : keys) {
        sorted.ranks[key.id] = static_cast<std::uint32_t>(sorted.dictionary.ends.size());
        sorted.dictionary.append(terms.text(key.id));
    }
    return sorted;
}

std::vector<double> weigh_lengths(const Layout& layout) {
    std::vector<double> weighted_lengths(layout.chunkset_count());
    for (std::uint32_t document = 0; document < layout.document_count(); ++document) {
        const FieldLengths& of_document = layout.document_lengths[document];
        for (std::uint32_t c = layout.first_chunkset[document];
             c < layout.first_chunkset[document + 1]; ++c) {
            const FieldLengths& own = layout.chunkset_lengths[c];
            weighted_lengths[c] =
                weighted(of_document.first, of_document.second, own.first, own.second);
        }
    }
    return weighted_lengths;
}

std::optional<std::uint32_t> InvertedIndex::find(std::string_view wanted) const noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = term_count();
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (term(middle) < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < term_count() && term(low) == wanted) {
        return low;
    }
    return std::nullopt;
}

}  // namespace rootleaf::lexical
