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

std::vector<std::uint32_t> InvertedIndex::sort_terms(const TermTable& terms) {
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
    std::vector<std::uint32_t> ranks(terms.size());
    term_bytes_.reserve(total_bytes);
    term_ends_.reserve(terms.size());
    for (const Key& key : keys) {
        ranks[key.id] = static_cast<std::uint32_t>(term_ends_.size());
        term_bytes_.append(terms.text(key.id));
        term_ends_.push_back(static_cast<std::uint32_t>(term_bytes_.size()));
    }
    return ranks;
}

void InvertedIndex::weigh_lengths() {
    weighted_lengths_.resize(layout_.chunkset_count());
    for (std::uint32_t document = 0; document < layout_.document_count(); ++document) {
        const FieldLengths& of_document = layout_.document_lengths[document];
        for (std::uint32_t c = layout_.first_chunkset[document];
             c < layout_.first_chunkset[document + 1]; ++c) {
            const FieldLengths& own = layout_.chunkset_lengths[c];
            weighted_lengths_[c] =
                weighted(of_document.first, of_document.second, own.first, own.second);
        }
    }
}

std::string_view InvertedIndex::term(std::uint32_t rank) const noexcept {
    const std::uint32_t start = rank == 0 ? 0 : term_ends_[rank - 1];
    return {term_bytes_.data() + start, term_ends_[rank] - start};
}

std::optional<std::uint32_t> InvertedIndex::find(std::string_view wanted) const noexcept {
    std::uint32_t low = 0;
    auto high = static_cast<std::uint32_t>(term_ends_.size());
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (term(middle) < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < term_ends_.size() && term(low) == wanted) {
        return low;
    }
    return std::nullopt;
}

}  // namespace rootleaf::lexical
