#include "rootleaf/lexical/term_matches.hpp"

#include "rootleaf/lexical/fields.hpp"

namespace rootleaf::lexical {

std::span<const Match> MatchFinder::find(std::uint32_t rank) {
    matches_.clear();
    own_ = index_->chunksets_of(rank);
    at_ = 0;
    document_ = 0;
    const Postings shared = index_->documents_of(rank);
    for (std::size_t i = 0; i < shared.ordinals.size(); ++i) {
        const std::uint32_t document = shared.ordinals[i];
        add_own_before(first_chunkset_[document]);
        if (is_allowed(document)) {
            add_document(document, shared.first[i], shared.second[i]);
        }
    }
    add_own_before(index_->layout().chunkset_count());
    return matches_;
}

void MatchFinder::add_own_before(std::uint32_t end) {
    for (; at_ < own_.ordinals.size() && own_.ordinals[at_] < end; ++at_) {
        const std::uint32_t chunkset = own_.ordinals[at_];
        if (!allowed_.empty()) {
            while (first_chunkset_[document_ + 1] <= chunkset) {
                ++document_;
            }
            if (allowed_[document_] == 0) {
                continue;
            }
        }
        matches_.push_back({chunkset, weighted(0, 0, own_.first[at_], own_.second[at_])});
    }
}

void MatchFinder::add_document(std::uint32_t document,
                               std::uint8_t name,
                               std::uint8_t front_matter) {
    for (std::uint32_t c = first_chunkset_[document]; c < first_chunkset_[document + 1]; ++c) {
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

}  // namespace rootleaf::lexical
