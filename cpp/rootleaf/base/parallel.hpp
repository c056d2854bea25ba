#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace rootleaf {

/// Calls `work(index)` for every index below `count`, spread over at most `thread_count` threads,
/// of which the caller's is one. Returns when all have ended.
///
/// The threads live for the call: one costs some 20 microseconds, and a pool that stayed would be
/// gone in the child of a fork. Where the system gives no more threads, fewer do the work.
///
/// What `work` throws first ends the whole: no index is begun after it, and it is thrown again
/// here.
void for_each_index(std::size_t count,
                    std::uint32_t thread_count,
                    const std::function<void(std::size_t)>& work);

}  // namespace rootleaf
