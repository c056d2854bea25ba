#include "rootleaf/lexical/bm25.hpp"

#include <array>

#include "rootleaf/text/analyzer.hpp"

namespace rootleaf::lexical {

namespace {

struct Statistics {
    std::uint64_t chunkset_count = 0;
    double average_length = 0.0;
};

/// Lengths are summed as integers per field: exact, whatever the order of documents.
Statistics measure(const Layout& layout, std::span<const std::uint8_t> allowed) {
    Statistics statistics;
    std::array<std::uint64_t, kFieldCount> total{};
    for (std::uint32_t document = 0; document < layout.document_count(); ++document) {
        if (!allowed.empty() && allowed[document] == 0) {
            continue;
        }
        const std::uint32_t first = layout.first_chunkset[document];
        const std::uint32_t end = layout.first_chunkset[document + 1];
        const FieldLengths& of_document = layout.document_lengths[document];
        statistics.chunkset_count += end - first;
        total[0] += std::uint64_t{of_document.first} * (end - first);
        total[1] += std::uint64_t{of_document.second} * (end - first);
        for (std::uint32_t c = first; c < end; ++c) {
            total[2] += layout.chunkset_lengths[c].first;
            total[3] += layout.chunkset_lengths[c].second;
        }
    }
    if (statistics.chunkset_count > 0) {
        statistics.average_length = weighted(total[0], total[1], total[2], total[3]) /
                                    static_cast<double>(statistics.chunkset_count);
    }
    return statistics;
}

struct Match {
    std::uint32_t chunkset;
    double frequency;
};

/// The chunksets of one term, its document postings spread over the chunksets of the document.
class MatchFinder {
public:
    MatchFinder(const InvertedIndex& index, std::span<const std::uint8_t> allowed)
        : index_(index), allowed_(allowed) {}

    /// In ascending order; holds until the next call.
    std::span<const Match> find(std::uint32_t rank) {
        matches_.clear();
        own_ = index_.chunksets_of(rank);
        at_ = 0;
        document_ = 0;
        const Postings shared = index_.documents_of(rank);
        const std::span<const std::uint32_t> first_chunkset = index_.layout().first_chunkset;
        for (std::size_t i = 0; i < shared.ordinals.size(); ++i) {
            const std::uint32_t document = shared.ordinals[i];
            add_own_before(first_chunkset[document]);
            if (is_allowed(document)) {
                add_document(document, shared.first[i], shared.second[i]);
            }
        }
        add_own_before(index_.layout().chunkset_count());
        return matches_;
    }

private:
    [[nodiscard]] bool is_allowed(std::uint32_t document) const noexcept {
        return allowed_.empty() || allowed_[document] != 0;
    }

    void add_own_before(std::uint32_t end) {
        const std::span<const std::uint32_t> first_chunkset = index_.layout().first_chunkset;
        for (; at_ < own_.ordinals.size() && own_.ordinals[at_] < end; ++at_) {
            const std::uint32_t chunkset = own_.ordinals[at_];
            if (!allowed_.empty()) {
                while (first_chunkset[document_ + 1] <= chunkset) {
                    ++document_;
                }
                if (allowed_[document_] == 0) {
                    continue;
                }
            }
            matches_.push_back({chunkset, weighted(0, 0, own_.first[at_], own_.second[at_])});
        }
    }

    void add_document(std::uint32_t document, std::uint8_t name, std::uint8_t front_matter) {
        const std::span<const std::uint32_t> first_chunkset = index_.layout().first_chunkset;
        for (std::uint32_t c = first_chunkset[document]; c < first_chunkset[document + 1]; ++c) {
            std::uint8_t headings = 0;
            std::uint8_t body = 0;
            if (at_ < own_.ordinals.size() && own_.ordinals[at_] == c) {
                headings = own_.first[at_];
                body = own_.second[at_];
                ++at_;
            }
            matches_.push_back({c, weighted(name, front_matter, headings, body)});
        }
    }

    const InvertedIndex& index_;
    std::span<const std::uint8_t> allowed_;
    std::vector<Match> matches_;
    Postings own_;
    std::size_t at_ = 0;
    std::uint32_t document_ = 0;
};

/// Whether a missing term has to count against coverage where it stands.
bool is_missed(const text::Query& query,
               const text::QueryOccurrence& occurrence,
               const std::vector<std::uint64_t>& containing) {
    if (occurrence.compound) {
        return false;
    }
    for (std::uint32_t around = occurrence.enclosing; around != text::kNoTerm;) {
        const text::QueryOccurrence& compound = query.occurrences[around];
        if (containing[compound.term] > 0) {
            return false;
        }
        around = compound.enclosing;
    }
    return true;
}

}  // namespace

Scores score(const InvertedIndex& index,
             const text::Query& query,
             std::span<const std::uint8_t> allowed) {
    Scores scores;
    const Statistics statistics = measure(index.layout(), allowed);
    scores.chunkset_count = statistics.chunkset_count;
    scores.bm25.assign(index.layout().chunkset_count(), 0.0);

    const std::span<const double> lengths = index.weighted_lengths();
    std::vector<std::uint64_t> containing(query.terms.size(), 0);
    MatchFinder finder(index, allowed);
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        const std::optional<std::uint32_t> rank = index.find(query.terms[i]);
        if (!rank) {
            continue;
        }
        const std::span<const Match> matches = finder.find(*rank);
        containing[i] = matches.size();
        const double idf = inverse_frequency(statistics.chunkset_count, matches.size());
        for (const Match& match : matches) {
            scores.bm25[match.chunkset] +=
                idf *
                saturation(match.frequency, lengths[match.chunkset], statistics.average_length);
        }
    }

    std::vector<bool> missed(query.terms.size(), false);
    for (const text::QueryOccurrence& occurrence : query.occurrences) {
        if (containing[occurrence.term] == 0 && is_missed(query, occurrence, containing)) {
            missed[occurrence.term] = true;
        }
    }
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        if (containing[i] > 0 || missed[i]) {
            scores.greatest +=
                inverse_frequency(statistics.chunkset_count, containing[i]) * (kK1 + 1.0);
        }
    }
    return scores;
}

}  // namespace rootleaf::lexical
