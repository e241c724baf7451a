// A few threads that work through numbered jobs together, and the question whether to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

#include "thread_group.hpp"
#include "wari/task.hpp"

namespace wari::detail {

/// The calling thread takes part, so one thread means no thread is started.
class WorkerPool {
 public:
    /// With fewer threads than wanted where more are of no use, or the system has no more.
    explicit WorkerPool(int wanted) : helpers_(static_cast<std::size_t>(wanted)) {
        for (int i = 1; i < useful_threads(wanted); ++i) {
            if (!helpers_.start([this, i] { help(i); })) break;
        }
    }
    ~WorkerPool() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        helpers_.join();
    }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// From now on the calling thread asks this task while it works, where there is one; once it says stop,
    /// run() returns early.
    void watch(const Task<>* task) { task_ = task; }
    /// Asks now. True for good once the answer was yes: what run() should have done is then not done.
    bool stopped() {
        if (!stopped_.load(std::memory_order_relaxed) && wari::stopped(task_)) stopped_.store(true);
        return stopped_.load(std::memory_order_relaxed);
    }

    int threads() const noexcept { return static_cast<int>(helpers_.size()) + 1; }

    /// A job's number and the number of the thread that does it.
    using Job = std::function<void(std::uint64_t job, int worker)>;

    /// Does jobs 0 to count - 1, each once, and returns when all are done. What a job throws ends the run and
    /// is thrown from here, once no thread works any more.
    void run(std::uint64_t count, const Job& job) {
        if (helpers_.size() == 0 || count <= 1) {
            for (std::uint64_t i = 0; i < count && go_on(0); ++i) job(i, 0);
            return;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            job_ = &job;
            count_ = count;
            next_.store(0, std::memory_order_relaxed);
            busy_ = helpers_.size();
            ++round_;
        }
        wake_.notify_all();
        work(job, count, 0);
        std::unique_lock<std::mutex> lock(mutex_);
        idle_.wait(lock, [this] { return busy_ == 0; });
        if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

 private:
    void work(const Job& job, std::uint64_t count, int worker) {
        try {
            while (go_on(worker)) {
                const std::uint64_t i = next_.fetch_add(1, std::memory_order_relaxed);
                if (i >= count) return;
                job(i, worker);
            }
        } catch (...) {
            next_.store(count, std::memory_order_relaxed);  // nobody begins another job
            const std::lock_guard<std::mutex> lock(mutex_);
            thrown_ = std::current_exception();
        }
    }

    /// Only the calling thread may ask, and asking may be slow: some times a second are enough.
    bool go_on(int worker) {
        constexpr auto kAskEvery = std::chrono::milliseconds(10);
        if (worker == 0 && task_ != nullptr) {
            const auto now = std::chrono::steady_clock::now();
            if (now - asked_ >= kAskEvery) {
                asked_ = now;
                stopped();
            }
        }
        return !stopped_.load(std::memory_order_relaxed);
    }

    void help(int worker) {
        std::uint64_t seen = 0;
        while (true) {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [&] { return closing_ || round_ != seen; });
            if (closing_) return;
            seen = round_;
            const auto* job = job_;
            const std::uint64_t count = count_;
            lock.unlock();
            work(*job, count, worker);
            lock.lock();
            if (--busy_ == 0) idle_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    const Job* job_ = nullptr;
    std::uint64_t count_ = 0;
    std::atomic<std::uint64_t> next_{0};
    std::size_t busy_ = 0;
    std::uint64_t round_ = 0;
    bool closing_ = false;
    const Task<>* task_ = nullptr;
    std::atomic<bool> stopped_{false};
    std::exception_ptr thrown_;
    std::chrono::steady_clock::time_point asked_;
    ThreadGroup helpers_;  ///< last: they use all of the above
};

}  // namespace wari::detail
