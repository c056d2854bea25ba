#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "rootleaf/index/segment.hpp"
#include "rootleaf/lexical/statistics.hpp"

namespace rootleaf::index {

/// Finds the documents of a segment by their ids. The table is made when it is first asked for: a
/// search without a set of ids never does. Any number of threads may ask.
class DocumentLookup {
public:
    /// @param ids  by document, distinct; borrowed
    explicit DocumentLookup(std::span<const std::uint64_t> ids) : ids_(ids) {}

    /// Calls `visit(document)` for the documents whose ids are among `wanted`.
    ///
    /// @param wanted  ascending; ids of no document are passed over
    template <typename Visit>
    void each(std::span<const std::uint64_t> wanted, Visit&& visit) const {
        const std::span<const std::uint64_t> sorted = sorted_ids();
        // A few ids are looked up, many are run through beside the table.
        const bool few = wanted.size() < sorted.size() / 16;
        std::size_t at = 0;
        for (const std::uint64_t id : wanted) {
            if (few) {
                at = lower_bound(id, at);
            } else {
                while (at < sorted.size() && sorted[at] < id) {
                    ++at;
                }
            }
            if (at == sorted.size()) {
                return;
            }
            if (sorted[at] == id) {
                visit(documents_.empty() ? static_cast<std::uint32_t>(at) : documents_[at]);
            }
        }
    }

private:
    [[nodiscard]] std::span<const std::uint64_t> sorted_ids() const;
    [[nodiscard]] std::size_t lower_bound(std::uint64_t id, std::size_t first) const noexcept;

    std::span<const std::uint64_t> ids_;
    mutable std::once_flag made_;
    mutable std::vector<std::uint64_t> sorted_ids_;  // empty where the ids ascend by themselves
    mutable std::vector<std::uint32_t> documents_;   // beside sorted_ids_
};

/// A segment, and which of its documents are alive. Immutable: to remove documents is to make
/// another that shares the segment. Copies share everything.
class LiveSegment {
public:
    /// All documents are alive.
    explicit LiveSegment(Segment segment);
    /// @param live  one byte per document, not 0 where it is alive; or empty: all are
    LiveSegment(std::shared_ptr<const Segment> segment, std::span<const std::uint8_t> live);

    /// The same segment without the documents of these ids. Costs a byte per document where one of
    /// them is alive here, and nothing else does.
    ///
    /// @param ids  ascending
    [[nodiscard]] LiveSegment without(std::span<const std::uint64_t> ids) const;

    [[nodiscard]] const Segment& segment() const noexcept { return *segment_; }
    [[nodiscard]] const std::shared_ptr<const Segment>& shared_segment() const noexcept {
        return segment_;
    }
    [[nodiscard]] const DocumentLookup& lookup() const noexcept { return *lookup_; }

    /// One byte per document, not 0 where it is alive; or empty: all are. A byte and not a bit,
    /// because the loops over postings ask for every one.
    [[nodiscard]] std::span<const std::uint8_t> live() const noexcept {
        return live_ == nullptr ? std::span<const std::uint8_t>() : *live_;
    }
    [[nodiscard]] bool is_live(std::uint32_t document) const noexcept {
        return live_ == nullptr || (*live_)[document] != 0;
    }
    /// Of the documents alive.
    [[nodiscard]] const lexical::Totals& totals() const noexcept { return totals_; }
    /// Chunksets of the documents alive that have a vector.
    [[nodiscard]] std::uint64_t vector_count() const noexcept { return vector_count_; }

private:
    [[nodiscard]] std::uint64_t count_vectors(std::uint32_t document) const noexcept;

    std::shared_ptr<const Segment> segment_;
    std::shared_ptr<const DocumentLookup> lookup_;
    std::shared_ptr<const std::vector<std::uint8_t>> live_;
    lexical::Totals totals_;
    std::uint64_t vector_count_ = 0;
};

}  // namespace rootleaf::index
