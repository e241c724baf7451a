// Iterative deepening over the root moves, for one thread.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "child.hpp"
#include "wari/score.hpp"

namespace wari {

/// What the threads of one search share: who may stop it, and how much it has done.
struct SearchControl {
    std::atomic<bool> stop{false};
    std::atomic<bool> helpers_stop{false};  ///< for all threads but the first
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<std::uint64_t> table_hits{0};
    std::atomic<int> deepest{0};
    std::uint64_t node_limit = ~std::uint64_t{0};
    int threads = 1;
    /// Asked now and then by the first thread: is the time up?
    bool (*out_of_time)(void* context) = nullptr;
    void* context = nullptr;
};

/// Every pit and the pass.
inline constexpr PitSet kAllMoves = 0x7F;

/// The question, the same for all threads.
struct RootProblem {
    Rules rules;                    ///< majority off
    Board board;                    ///< the game goes on here
    std::vector<Board> history;     ///< positions since the last capture, before `board`
    PitSet only = kAllMoves;        ///< root moves to look at; bit kPassPit is a pass
    PitSet first_line = kAllMoves;  ///< of these, the ones among which the first line is chosen
    int multipv = 1;
    int max_depth = kMaxPly;
    TableView table;
    TablebasePtr tablebase;
    const EvaluationWeights* weights = nullptr;
    SearchKernel kernel = nullptr;
    TableView proof_tables[2];  ///< for a search that proves (SearchThread)
    int prover_ply = 0;
    bool saves_time = false;  ///< as in SearchThread
    bool full_width = false;
    InProgressTable* busy = nullptr;  ///< for several threads
};

/// What a search of a root move found. Values count from the root, seeds captured included.
struct RootResult {
    int value = -kInfinite;
    std::uint8_t proof = 0;  ///< of `value`
    int depth = 0;
    PvLine line;
};

/// A root move and what the search says of it.
struct RootMove : Child {
    RootResult shown;           ///< of the last search in which this move was the line looked for
    RootResult found;           ///< of the pass in work; value -kInfinite: no better than moves before it
    int at_most = kInfinite;    ///< proved: worth no more than this
    int at_least = -kInfinite;  ///< proved: worth no less than this
};

/// Where a search is.
struct RootStep {
    int depth = 0;
    int number = 0;  ///< of the move among those of the iteration, from 1; 0: none yet
    int pit = 0;

    bool operator==(const RootStep&) const = default;
};

class RootSearch {
 public:
    RootSearch(const RootProblem& problem, SearchControl& control, int thread_number);

    /// Searches one ply deeper than asked before, all lines. False when it was interrupted: then the
    /// moves hold the best that is known.
    bool iterate(int depth);

    /// With the kernel that proves, looking `depth` plies ahead. Is the position worth at least `value` to
    /// the side to move (prover_ply 0)? Yes is a proof, no is none; nothing when interrupted. Then
    /// moves()[0] is a move that proves it.
    std::optional<bool> at_least(int value, int depth);
    /// Is it worth at most `value` (prover_ply 1)?
    std::optional<bool> at_most(int value, int depth);

    /// To be asked before the first iteration where there is one move: it then shows what an earlier search
    /// has left of its value in the table, until an iteration looks deeper.
    void recall();

    /// Best first; once an iteration is done, the first `multipv` show a value and a line.
    std::span<const RootMove> moves() const noexcept { return moves_; }
    /// Looks at no other root moves from now on.
    void keep_only(PitSet pits);
    /// Chooses the first line among these from now on, as RootProblem::first_line does from the start.
    void choose_among(PitSet pits);
    /// Is the value of every line proved, and that no other move is better?
    bool all_proved() const noexcept;
    /// The move that iterate() is looking at; to be asked in its own thread.
    const RootStep& step() const noexcept { return step_; }
    const SearchThread& thread() const noexcept { return *thread_; }
    std::uint64_t nodes() const noexcept { return thread_->nodes; }
    /// Adds what was not reported yet to the shared counts.
    void report_counts() noexcept;

 private:
    static void poll(SearchThread& thread);
    void begin_question();
    std::vector<RootMove>::iterator begin(std::size_t i) {
        return moves_.begin() + static_cast<std::ptrdiff_t>(i);
    }
    void make_path();
    void make_moves();
    NodeValue search_move(RootMove& move, int alpha, int beta, int depth, bool pv);
    bool search_line(std::size_t first, int depth);
    bool search_window(std::size_t first, int alpha, int beta, int depth);
    /// Up to where the moves stand among which the line at `first` is chosen.
    std::size_t end_of_choice(std::size_t first) const noexcept {
        return first == 0 ? choice_count_ : moves_.size();
    }
    static void show(RootMove& move);
    void keep(RootMove& move, const NodeValue& value, int alpha, int beta, int depth);

    const RootProblem& problem_;
    SearchControl& control_;
    int number_;
    bool may_stop_ = false;  ///< the first iteration is always finished: there must be a move
    std::uint64_t reported_nodes_ = 0;
    std::uint64_t reported_table_hits_ = 0;
    std::unique_ptr<SearchThread> thread_;
    std::vector<Board> path_;
    std::vector<PvLine> lines_;
    NodePlace root_;
    RootStep step_;
    std::vector<RootMove> moves_;
    PitSet choice_ = kAllMoves;     ///< the moves among which the first line is chosen, in front
    std::size_t choice_count_ = 0;  ///< at least one
};

/// The kernels for this processor.
SearchKernels best_search_kernels();

}  // namespace wari
