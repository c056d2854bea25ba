#include "rootleaf/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace rootleaf {

namespace {

/// What the threads of one call share.
class Share {
public:
    Share(std::size_t count, const std::function<void(std::size_t)>& work)
        : count_(count), work_(work) {}

    /// Takes one index after another until none is left, or something was thrown.
    void take() noexcept {
        for (;;) {
            const std::size_t index = next_.fetch_add(1, std::memory_order_relaxed);
            if (index >= count_) {
                return;
            }
            try {
                work_(index);
            } catch (...) {
                keep(std::current_exception());
            }
        }
    }

    void rethrow() const {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }

private:
    void keep(std::exception_ptr thrown) noexcept {
        next_.store(count_, std::memory_order_relaxed);
        const std::scoped_lock lock(keeping_);
        if (!thrown_) {
            thrown_ = std::move(thrown);
        }
    }

    std::size_t count_;
    const std::function<void(std::size_t)>& work_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex keeping_;
    std::exception_ptr thrown_;
};

/// Says whether the system gave one more thread.
bool start_one(std::vector<std::thread>& threads, Share& share) {
    try {
        threads.emplace_back([&share] { share.take(); });
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

}  // namespace

void for_each_index(std::size_t count,
                    std::uint32_t thread_count,
                    const std::function<void(std::size_t)>& work) {
    Share share(count, work);
    std::vector<std::thread> others;
    const std::size_t wanted = std::min<std::size_t>(count, thread_count);
    others.reserve(wanted);
    bool are_more_to_be_had = true;
    while (are_more_to_be_had && others.size() + 1 < wanted) {
        are_more_to_be_had = start_one(others, share);
    }
    share.take();
    for (std::thread& other : others) {
        other.join();
    }
    share.rethrow();
}

}  // namespace rootleaf
