// The engine: searches positions with their history under limits, and says what it found.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wari/analysis.hpp"
#include "wari/error.hpp"
#include "wari/evaluation.hpp"
#include "wari/export.hpp"
#include "wari/limits.hpp"
#include "wari/position.hpp"
#include "wari/solve.hpp"
#include "wari/table_cache.hpp"
#include "wari/tablebase.hpp"
#include "wari/task.hpp"

namespace wari {

struct EngineOptions {
    int threads = 1;
    int hash_mebibytes = 64;
    EvaluationKind evaluation = kBestEvaluation;
    /// Every line to exactly the depth asked for, nothing longer, shorter or older: without tables the
    /// values are those of plain minimax. For comparison.
    bool full_width = false;
    /// Tables built when needed. Null, with no `tablebase`: search without tables.
    std::shared_ptr<TableCache> automatic_tables = nullptr;
    /// A table of the caller's. It must fit the rules of every position searched.
    TablebasePtr tablebase = nullptr;
};

/// What analyse_many() is asked about each position.
struct BatchRequest {
    std::span<const Position> positions;
    Limits limits;  ///< for each position; at least one of depth, nodes, seconds
    int multipv = 1;
    /// Gets the number of those that are done, now and then.
    Task<std::size_t> task;
};

struct SearchControl;
class Stopwatch;

/// One search runs at a time; stop(), ponder_hit() and prepare() may be called from any thread.
class WARI_API Engine {
 public:
    /// Errors: bad_value naming `threads` or `hash_mb`; no_memory.
    static Expected<std::unique_ptr<Engine>> create(const EngineOptions& options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Errors: bad_value naming `depth`, `nodes`, `time`, `clock`, `multipv` or `moves`; illegal_move;
    /// wrong_rules; busy when another search runs; no_memory. With one thread the result depends on the
    /// request, the options and what the table holds only.
    Expected<Analysis> analyse(const SearchRequest& request);

    /// Every position by itself, spread over the engine's threads; results in order, each the same as for any
    /// number of threads where the limits are depth or nodes. Errors as above; cancelled.
    Expected<std::vector<Analysis>> analyse_many(const BatchRequest& request);

    /// Proves what it can of the margin within the limits; goes on from what earlier calls have proved.
    /// Errors as for analyse(); bad_value naming `moves` where some are asked for.
    Expected<Solution> solve(const SolveRequest& request);
    /// Keeps what solve() has proved of its last position, and the tables it goes on with, in a file: the old
    /// one or the whole new one. Errors: bad_value naming `proof` before any solve(); bad_file for a file
    /// that is no proof; io; busy.
    Status save_proof(const std::string& path);
    /// Takes up such a file: solve() of the position returned, with the same history, goes on from there.
    /// Errors: bad_file, io, no_memory (also where the tables have no room for all that it holds), busy.
    Expected<Position> load_proof(const std::string& path);

    /// Ends the running search soon; it returns the best found so far. Without one: nothing happens.
    void stop() noexcept;
    /// The move pondered on was played: the clock runs from now.
    void ponder_hit() noexcept;
    /// Makes ready for a search that another thread is about to start, so that a stop() in between counts:
    /// for the next search, of whatever kind and however it ends, and for no other.
    void prepare() noexcept;
    /// Forgets everything learnt: later results do not depend on earlier searches. Errors: busy.
    Status new_game();

    const EngineOptions& options() const noexcept { return options_; }

 private:
    struct State;
    explicit Engine(const EngineOptions& options);
    /// Null when there is none, and when it was to be built and `control` or `task` says stop.
    Expected<TablebasePtr> table_for(const Rules& rules, const SearchControl& control, const Task<>& task);
    /// analyse() with the engine held: see State::Running.
    Expected<Analysis> analyse_with(const SearchRequest& request, SearchControl& control,
                                    const Stopwatch& watch);

    EngineOptions options_;
    std::unique_ptr<State> state_;
};

}  // namespace wari
