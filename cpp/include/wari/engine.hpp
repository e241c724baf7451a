// The engine: searches positions with their history under limits, and says what it found.
// Owns the transposition table, the threads, the tables in use, the clock and the stop flag of a search.
// Must not know text protocols, files of games or Python.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/position.hpp"
#include "wari/score.hpp"
#include "wari/solve.hpp"
#include "wari/tablebase.hpp"

namespace wari {

/// How leaves are valued, weakest first.
enum class EvaluationKind : std::uint8_t { material, linear, network };
inline constexpr EvaluationKind kBestEvaluation = EvaluationKind::network;
/// The names of the kinds, in their order.
WARI_API std::span<const std::string_view> evaluations() noexcept;
WARI_API std::string_view to_text(EvaluationKind kind) noexcept;
WARI_API Expected<EvaluationKind> parse_evaluation(std::string_view text);

/// Tables for any rules: those added, and where none fits one of up to kAutoTableSeeds seeds, built in
/// memory when a rule set first needs it. May be shared by engines and threads; it lives as long as any of
/// them.
class WARI_API TableCache {
 public:
    /// The table for `rules`, built now if it is not there yet. Errors: no_memory; cancelled, once `stop`
    /// says so.
    Expected<TablebasePtr> get(const Rules& rules, const StopQuery& stop = {});
    /// From now on `table` answers for its rules, in place of the one that did.
    void add(TablebasePtr table);

 private:
    std::mutex mutex_;
    std::vector<TablebasePtr> tables_;
};

inline constexpr int kAutoTableSeeds = 10;
inline constexpr int kMaxHashMebibytes = 1 << 20;
inline constexpr int kMaxSearchDepth = 900;
inline constexpr double kInterruptSeconds = 0.01;
/// How long a search has to last before it tells of its current move.
inline constexpr double kCurrentMoveSeconds = 1.0;

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

/// What is left on the clock of the side to move, in seconds.
struct Clock {
    double remaining = 0;
    double increment = 0;
    int moves_to_go = 0;  ///< 0: the rest of the game
};

/// The first limit reached ends the search; without any it runs until stop() or until all is proved.
struct Limits {
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<double> seconds;
    std::optional<Clock> clock;
    /// Think on the opponent's time: no time limit counts until ponder_hit().
    bool ponder = false;
    /// Answer at once, as soon as there is a value to show, where nothing can change the move: it is the only
    /// one, or a table has the last word.
    bool instant_if_forced = false;
};

/// A root move with its value and the line that gives it.
struct Line {
    Move move;
    Score score;  ///< of this move, from the side to move at the root
    int depth = 0;
    std::vector<Move> pv;  ///< begins with `move`; ends where the game would, at the latest
};

struct Analysis {
    std::vector<Line> lines;       ///< best first; empty when the game is over
    Score score;                   ///< of the position
    std::optional<Ending> ending;  ///< why the game is over, where it is
    int depth = 0;                 ///< the last iteration completed
    int selective_depth = 0;       ///< the deepest ply looked at
    std::uint64_t nodes = 0;       ///< positions made and visited
    std::uint64_t table_hits = 0;  ///< answers from the tablebase
    double seconds = 0;
    int hash_permille = 0;  ///< how full the transposition table is
    bool finished = false;  ///< depth reached or all proved, not stopped by a limit
};

/// The root move that is being searched.
struct CurrentMove {
    Move move;
    int number = 0;  ///< from 1: its place in the order of this iteration
    int depth = 0;   ///< of this iteration
};

struct SearchRequest {
    Position position;
    /// The positions since the last capture, oldest first, each from its own side to move; the present
    /// one may or may not stand at the end (Game::boards_since_capture).
    std::vector<Board> history;
    /// Set when the game is over for a reason that needs its history.
    std::optional<Ending> ending;
    Limits limits;
    int multipv = 1;
    std::vector<Move> moves;  ///< look at these only; empty: all
    /// Called after each iteration from the thread that called analyse(), not more often; returning
    /// false ends the search.
    std::function<bool(const Analysis&)> progress;
    /// Told of each other root move taken up that is still in work at the next look at the clock, from that
    /// thread, once the search has lasted kCurrentMoveSeconds.
    std::function<void(const CurrentMove&)> current_move;
    /// Asked every kInterruptSeconds or so from that thread; returning true ends the search.
    std::function<bool()> interrupted;
};

/// What analyse_many() is asked about each position.
struct BatchRequest {
    std::span<const Position> positions;
    Limits limits;  ///< for each position; at least one of depth, nodes, seconds
    int multipv = 1;
    /// Told how many are done, now and then, from the calling thread; returning false stops the batch.
    std::function<bool(std::size_t)> progress;
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
    /// Errors as for analyse().
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
    /// Null when there is none, and when it was to be built and `control` or `interrupted` says stop.
    Expected<TablebasePtr> table_for(const Rules& rules, const SearchControl& control,
                                     const std::function<bool()>& interrupted);
    /// analyse() with the engine held: see State::Running.
    Expected<Analysis> analyse_with(const SearchRequest& request, SearchControl& control,
                                    const Stopwatch& watch);

    EngineOptions options_;
    std::unique_ptr<State> state_;
};

}  // namespace wari
