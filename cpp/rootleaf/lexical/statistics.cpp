#include "rootleaf/lexical/statistics.hpp"

namespace rootleaf::lexical {

namespace {

void add(const Layout& layout, std::uint32_t document, Totals& totals) noexcept {
    const std::uint32_t first = layout.first_chunkset[document];
    const std::uint32_t end = layout.first_chunkset[document + 1];
    const FieldLengths& of_document = layout.document_lengths[document];
    std::uint64_t headings = 0;
    std::uint64_t body = 0;
    for (std::uint32_t c = first; c < end; ++c) {
        headings += layout.chunkset_lengths[c].first;
        body += layout.chunkset_lengths[c].second;
    }
    ++totals.document_count;
    totals.chunkset_count += end - first;
    totals.words[0] += std::uint64_t{of_document.first} * (end - first);
    totals.words[1] += std::uint64_t{of_document.second} * (end - first);
    totals.words[2] += headings;
    totals.words[3] += body;
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) noexcept {
    document_count += other.document_count;
    chunkset_count += other.chunkset_count;
    for (std::size_t field = 0; field < kFieldCount; ++field) {
        words[field] += other.words[field];
    }
    return *this;
}

Totals& Totals::operator-=(const Totals& other) noexcept {
    document_count -= other.document_count;
    chunkset_count -= other.chunkset_count;
    for (std::size_t field = 0; field < kFieldCount; ++field) {
        words[field] -= other.words[field];
    }
    return *this;
}

double Totals::average_length() const noexcept {
    if (chunkset_count == 0) {
        return 0.0;
    }
    return weighted(words[0], words[1], words[2], words[3]) / static_cast<double>(chunkset_count);
}

Totals totals_of(const Layout& layout, std::uint32_t document) noexcept {
    Totals totals;
    add(layout, document, totals);
    return totals;
}

Totals totals_of(const Layout& layout, std::span<const std::uint8_t> chosen) noexcept {
    Totals totals;
    for (std::uint32_t document = 0; document < layout.document_count(); ++document) {
        if (chosen.empty() || chosen[document] != 0) {
            add(layout, document, totals);
        }
    }
    return totals;
}

}  // namespace rootleaf::lexical
