// analyse_many: each position by itself, spread over the engine's threads. A position's answer must not
// depend on the others, on their order or on the number of threads, so each thread searches alone, on a small
// table that is cleared every time.
#include <algorithm>
#include <condition_variable>
#include <new>

#include "engine_state.hpp"
#include "thread_group.hpp"
#include "transposition.hpp"

namespace wari {
namespace {

// A table that fits the work: clearing it should not cost more than the search. Each thread has one of this
// size, however many there are, or their number would show in the answers.
std::size_t table_mebibytes(const Limits& limits, int hash_mebibytes) {
    constexpr int kMostForOne = 64;
    const int allowed = std::min(hash_mebibytes, kMostForOne);
    constexpr std::uint64_t kNodesPerMebibyte = 200'000;
    constexpr double kNodesPerSecond = 10e6;
    constexpr std::size_t kForDepth = 16;
    std::uint64_t wanted = kForDepth;
    if (limits.nodes.has_value()) {
        wanted = *limits.nodes / kNodesPerMebibyte;
    } else if (limits.seconds.has_value()) {
        wanted =
            static_cast<std::uint64_t>(std::min(*limits.seconds, 1e4) * kNodesPerSecond) / kNodesPerMebibyte;
    }
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(wanted, 1, static_cast<std::uint64_t>(allowed)));
}

/// The tables of one thread. A table for boards of many seeds has a least size; others must not get it, too,
/// or a position's answer would depend on what else is in the batch.
class ThreadTables {
 public:
    ThreadTables(std::size_t mebibytes, int most_seeds)
        : any_(std::make_unique<TranspositionTable>(mebibytes)) {
        if (most_seeds > kNarrowSeeds && mebibytes < TranspositionTable::kWideLeastMebibytes) {
            wide_ = std::make_unique<TranspositionTable>(TranspositionTable::kWideLeastMebibytes);
        }
    }

    bool usable() const { return any_->usable() && (!wide_ || wide_->usable()); }

    /// An empty one.
    TableView ready(int seeds) {
        TranspositionTable& table = wide_ && seeds > kNarrowSeeds ? *wide_ : *any_;
        table.begin_search(seeds);
        table.clear();
        return table.view();
    }

 private:
    std::unique_ptr<TranspositionTable> any_;
    std::unique_ptr<TranspositionTable> wide_;
};

/// What goes with a position's rules.
struct Support {
    TablebasePtr tablebase;
    const EvaluationWeights* weights = nullptr;
};

class Batch {
 public:
    Batch(const BatchRequest& request, const SearchTools& tools, std::span<const Support> support)
        : request_(request), tools_(tools), support_(support), results_(request.positions.size()) {}

    /// One thread's part. `tables` are its own.
    void work(ThreadTables& tables) {
        try {
            work_through(tables);
        } catch (const std::bad_alloc&) {
            no_memory_.store(true);
            stop();
        }
        const std::lock_guard lock(mutex_);
        ++finished_threads_;
        changed_.notify_one();
    }

    /// The calling thread: reports progress until all threads are through.
    void watch(std::size_t threads) {
        constexpr auto kPause = std::chrono::milliseconds(10);
        std::unique_lock lock(mutex_);
        std::size_t reported = 0;
        while (finished_threads_ < threads) {
            changed_.wait_for(lock, kPause);
            if (stop_.load()) continue;
            const std::size_t done = done_;
            lock.unlock();
            if (!request_.task.report(done)) stop();
            lock.lock();
            reported = done;
        }
        if (!stop_.load() && reported != done_) request_.task.report(done_);
    }

    void stop() {
        stop_.store(true);
        const std::lock_guard lock(controls_mutex_);
        for (SearchControl* control : controls_) control->stop.store(true);
    }

    bool stopped() const { return stop_.load(); }
    bool ran_out_of_memory() const { return no_memory_.load(); }
    std::vector<Analysis> take() { return std::move(results_); }

 private:
    /// While one lives, stop() reaches the search.
    class Listed {
     public:
        Listed(Batch& batch, SearchControl& control) : batch_(batch), control_(control) {
            const std::lock_guard lock(batch_.controls_mutex_);
            batch_.controls_.push_back(&control_);
            if (batch_.stop_.load()) control_.stop.store(true);
        }
        ~Listed() {
            const std::lock_guard lock(batch_.controls_mutex_);
            std::erase(batch_.controls_, &control_);
        }
        Listed(const Listed&) = delete;
        Listed& operator=(const Listed&) = delete;

     private:
        Batch& batch_;
        SearchControl& control_;
    };

    void work_through(ThreadTables& tables) {
        while (!stop_.load(std::memory_order_relaxed)) {
            const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
            if (i >= results_.size()) break;
            results_[i] = one(i, tables);
            const std::lock_guard lock(mutex_);
            ++done_;
            changed_.notify_one();
        }
    }

    Analysis one(std::size_t i, ThreadTables& tables) {
        SearchRequest request;
        request.root.position = request_.positions[i];
        Analysis over;
        over.ending = request.root.position.ending();
        over.finished = over.ending.has_value();
        if (over.finished) return over;
        request.limits = request_.limits;
        request.multipv = request_.multipv;
        SearchTools tools = tools_;
        tools.table = tables.ready(board_seeds(request.root.position.board()));
        tools.tablebase = support_[i].tablebase;
        tools.weights = support_[i].weights;
        SearchControl control;
        const Stopwatch stopwatch(budget_for(request.limits), false);
        const Listed listed(*this, control);
        return run_search({request, kAllMoves}, tools, control, stopwatch);
    }

    const BatchRequest& request_;
    const SearchTools& tools_;
    std::span<const Support> support_;
    std::vector<Analysis> results_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
    std::atomic<bool> no_memory_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t done_ = 0;
    std::size_t finished_threads_ = 0;
    std::mutex controls_mutex_;
    std::vector<SearchControl*> controls_;
};

/// While one lives, Engine::stop() reaches the batch. Left before the work is done, it ends the batch.
struct Reach {
    Batch& batch;
    std::mutex& mutex;
    std::function<void()>& stop;
    bool done = false;

    Reach(Batch& b, std::mutex& m, std::function<void()>& s) : batch(b), mutex(m), stop(s) {
        const std::lock_guard lock(mutex);
        stop = [this] { batch.stop(); };
    }
    ~Reach() {
        if (!done) batch.stop();
        const std::lock_guard lock(mutex);
        stop = nullptr;
    }
    Reach(const Reach&) = delete;
    Reach& operator=(const Reach&) = delete;
};

}  // namespace

Expected<std::vector<Analysis>> Engine::analyse_many(const BatchRequest& request) {
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    SearchControl asked;
    const State::Running running(*state_, asked, nullptr);
    if (auto wrong = check_request(request.limits, request.multipv)) return *wrong;
    if (!request.limits.depth && !request.limits.nodes && !request.limits.seconds) {
        return Error{ErrorKind::bad_value, "depth", "depth: a batch needs a limit: depth, nodes or time"};
    }
    std::vector<Support> support;
    int most_seeds = 0;
    for (const Position& position : request.positions) {
        most_seeds = std::max(most_seeds, board_seeds(position.board()));
        const auto tablebase = table_for(position.rules(), asked, request.task);
        if (!tablebase) return tablebase.error();
        support.push_back({*tablebase, state_->weights_for(position.rules())});
    }
    const auto threads =
        static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(useful_threads(options_.threads)),
                                               std::max<std::size_t>(request.positions.size(), 1)));
    std::vector<std::unique_ptr<ThreadTables>> tables;
    const std::size_t mebibytes = table_mebibytes(request.limits, options_.hash_mebibytes);
    for (int i = 0; i < threads; ++i) {
        tables.push_back(std::make_unique<ThreadTables>(mebibytes, most_seeds));
        if (!tables.back()->usable()) {
            return Error{ErrorKind::no_memory, "hash_mb",
                         "hash_mb: there is no memory for the tables of the threads"};
        }
    }
    SearchTools tools;
    tools.kernel = kernel_for(options_.evaluation);
    tools.full_width = options_.full_width;
    Batch batch(request, tools, support);
    {
        ThreadGroup workers(static_cast<std::size_t>(threads));
        Reach quiet_chain(batch, state_->mutex, state_->stop_batch);
        if (asked.stop.load()) batch.stop();  // before there was a batch
        for (auto& table : tables) {
            if (!workers.start(&Batch::work, &batch, std::ref(*table))) break;
        }
        if (workers.size() == 0) {
            return Error{ErrorKind::no_memory, "threads", "threads: the system has none left"};
        }
        batch.watch(workers.size());
        quiet_chain.done = true;
    }
    if (batch.ran_out_of_memory())
        return Error{ErrorKind::no_memory, "memory", "memory: there is not enough"};
    if (batch.stopped()) return Error{ErrorKind::cancelled, "engine", "engine: the batch was stopped"};
    return batch.take();
}

}  // namespace wari
