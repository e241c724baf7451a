// Threads that are joined whatever happens, and as many of them as the system grants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace wari {

/// Of the threads that were asked for those worth starting. More than the processors can run only wait for
/// each other, at the end of the work too, where they would make it late.
inline int useful_threads(int asked) noexcept {
    constexpr int kAlways = 8;
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());  // 0: not known
    return processors == 0 ? asked : std::min(asked, std::max(kAlways, 2 * processors));
}

class ThreadGroup {
 public:
    /// `most` threads at most will be started. Takes the memory for them, so that start() needs none for its
    /// list.
    explicit ThreadGroup(std::size_t most) { threads_.reserve(most); }
    ~ThreadGroup() { join(); }
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;

    /// False when the system has no thread, or no memory for one, left.
    template <class... Arguments>
    bool start(Arguments&&... arguments) noexcept {
        try {
            threads_.emplace_back(std::forward<Arguments>(arguments)...);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }
    std::size_t size() const noexcept { return threads_.size(); }

    void join() noexcept {
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

 private:
    std::vector<std::thread> threads_;
};

}  // namespace wari
