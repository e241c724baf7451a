// How long to think about a move.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "parameters.hpp"
#include "wari/limits.hpp"

namespace wari {

/// Seconds after which no new iteration is begun, and after which the search ends.
struct TimeBudget {
    double soft = std::numeric_limits<double>::infinity();
    double hard = std::numeric_limits<double>::infinity();
};

inline TimeBudget budget_for(const Limits& limits) {
    using namespace parameters;
    TimeBudget budget;
    if (limits.seconds.has_value()) {
        budget.hard = std::max(*limits.seconds - kAnswerReserve, *limits.seconds * 0.9);
    }
    if (limits.clock.has_value()) {
        const Clock& clock = *limits.clock;
        const double usable = std::max(clock.remaining - kClockReserve, clock.remaining * 0.1);
        const double moves =
            clock.moves_to_go > 0 ? std::min<double>(clock.moves_to_go, kMovesAhead) : kMovesAhead;
        const double share = usable / moves + clock.increment * kIncrementShare;
        const double most = clock.moves_to_go == 1 ? usable : usable * kMostOfClock;
        budget.hard = std::min({budget.hard, share * kHardShares, most});
        budget.soft = std::min(budget.hard, share * kSoftShares);
    }
    return budget;
}

/// Time since the search began, or since the ponder hit. Read by the search, hit from any thread.
class Stopwatch {
 public:
    explicit Stopwatch(const TimeBudget& budget, bool pondering)
        : start_(now()), budget_(budget), running_from_(pondering ? kNever : start_) {}

    double elapsed() const noexcept { return seconds(now() - start_); }
    void ponder_hit() noexcept { running_from_.store(now(), std::memory_order_relaxed); }
    bool pondering() const noexcept { return running_from_.load(std::memory_order_relaxed) == kNever; }
    bool hard_over() const noexcept { return counted() >= budget_.hard; }
    /// Seconds after which no new iteration begins.
    double planned() const noexcept { return std::min(budget_.soft, budget_.hard); }
    /// Seconds left of this part of all the time there is.
    double left(double share) const noexcept { return budget_.hard * share - counted(); }
    bool soft_over() const noexcept { return counted() >= budget_.soft; }

 private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    static std::int64_t now() noexcept {
        return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    }
    static double seconds(std::int64_t nanoseconds) noexcept {
        return static_cast<double>(nanoseconds) * 1e-9;
    }
    double counted() const noexcept {
        const std::int64_t from = running_from_.load(std::memory_order_relaxed);
        return from == kNever ? 0 : seconds(now() - from);
    }

    std::int64_t start_;
    TimeBudget budget_;
    std::atomic<std::int64_t> running_from_;
};

}  // namespace wari
