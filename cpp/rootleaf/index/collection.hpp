#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rootleaf/index/view.hpp"

namespace rootleaf::index {

/// Documents that change while they are searched. Each write makes a view and puts it in the place
/// of the one before, in one step; who holds that one goes on with it. Writers take turns: one that
/// comes while another writes waits for it. Readers take the view and never wait for a writer.
///
/// The view answers as a single segment of the documents it holds would, bit for bit.
class Collection {
public:
    Collection() : Collection(View()) {}
    /// Goes on from a view.
    explicit Collection(View view) : view_(std::make_shared<const View>(std::move(view))) {}

    [[nodiscard]] std::shared_ptr<const View> view() const;

    /// Adds the documents of a batch; a document that is there with the same id is replaced.
    ///
    /// Throws Error(invalid_input) where an id stands twice in the batch, or its vectors have
    /// another dimension than those that stay, and Error(too_large) where a segment would become
    /// too large; the view is then as before.
    void add(Segment batch);

    /// Removes documents; ids of no document are passed over.
    /// @return how many were removed
    std::uint64_t remove(std::vector<std::uint64_t> ids);

    /// Makes all segments one, and drops what is dead.
    void merge();

private:
    using Segments = std::vector<LiveSegment>;

    [[nodiscard]] Segments without(std::span<const std::uint64_t> ascending_ids) const;
    /// Merges what the policy says, and shows the result.
    void settle(Segments segments);
    void show(Segments segments);

    std::mutex writing_;
    /// Held only to copy or swap the pointer. std::atomic<std::shared_ptr> would do the same with a
    /// spinning lock inside, where the standard library has it at all (libc++ does not), and
    /// thread sanitizer does not see through that one.
    mutable std::mutex pointing_;
    std::shared_ptr<const View> view_;
};

}  // namespace rootleaf::index
