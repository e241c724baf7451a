// The team of threads of one search (Lazy SMP), and the report: see search.hpp.
#include "search.hpp"

#include <algorithm>
#include <new>
#include <thread>

#include "parameters.hpp"
#include "root_tables.hpp"
#include "thread_group.hpp"

namespace wari {
namespace {

// All threads search the same root; they help each other through the table, and keep out of each other's way
// by the marks of what is in work (abdada.hpp).
void help(const RootProblem& problem, SearchControl& control, int number) {
    try {
        RootSearch search(problem, control, number);
        for (int depth = 1; depth <= problem.max_depth; ++depth) {
            if (!search.iterate(depth)) break;
        }
        search.report_counts();
    } catch (const std::bad_alloc&) {
        return;  // the others go on without this one
    }
}

/// Stops the helpers when the search is left, also by an exception of the caller's functions.
struct StopAtTheEnd {
    SearchControl& control;
    ~StopAtTheEnd() { control.stop.store(true, std::memory_order_relaxed); }
};

Score score_of(const RootScore& root_score, int store_difference) {
    Score score;
    score.value = root_score.value + store_difference;
    score.bound = static_cast<Bound>(root_score.proof & kBoth);
    score.history_ignored = root_score.history_ignored;
    if ((root_score.proof & kBoth) != 0 || root_score.history_ignored) {
        score.source = (root_score.proof & kFromTable) != 0 ? ScoreSource::tablebase
                       : (root_score.proof & kFromEnd) != 0 ? ScoreSource::end
                                                            : ScoreSource::search;
    }
    return score;
}

// The moves of a line as people see it: cut where the game stops under the rules in force.
std::vector<Move> line_of(const Position& root, const PvLine& line) {
    std::vector<Move> moves;
    Position position = root;
    for (int i = 0; i < line.length; ++i) {
        if (position.ending().has_value()) break;
        const Move move = position.move_of(line.pits[i]);
        moves.push_back(move);
        position = position.play_unchecked(move).next;
    }
    return moves;
}

using namespace parameters;

class ParallelSearch {
 public:
    ParallelSearch(const CheckedSearch& search, const SearchTools& tools, SearchControl& control,
                   const Stopwatch& watch)
        : request_(search.request), tools_(tools), control_(control), watch_(watch) {
        problem_ = problem_of(request_.root);
        within_distance_share_.stop_requested = [this] { return must_end_asking(kDistanceShare); };
        problem_.only = search.only;
        problem_.multipv = request_.multipv;
        problem_.max_depth = std::min(request_.limits.depth.value_or(kMaxSearchDepth), kMaxSearchDepth);
        problem_.table = tools.table;
        problem_.tablebase = tools.tablebase;
        problem_.weights = tools.weights;
        problem_.kernel = tools.kernel;
        problem_.full_width = tools.full_width;
        const Limits& limits = request_.limits;
        counted_ = limits.depth.has_value() || limits.nodes.has_value();
        timed_ = limits.seconds.has_value() || limits.clock.has_value();
        problem_.saves_time = timed_ || !counted_;
        if (tools.threads > 1) problem_.busy = &busy_;
        control_.threads = tools.threads;
        if (request_.limits.nodes.has_value()) control_.node_limit = *request_.limits.nodes;
        control_.out_of_time = [](void* context) {
            return static_cast<ParallelSearch*>(context)->must_end();
        };
        control_.context = this;
    }

    Analysis run() {
        RootSearch first(problem_, control_, 0);
        step_ = &first.step();
        unpack(std::min(kUnpackFirstShare * watch_.planned(), kUnpackFirstSeconds));
        tables_ = ask_tables(problem_, first.moves(), probe_options());
        int depth_wanted = problem_.max_depth;
        if (request_.limits.instant_if_forced && is_settled(first)) {
            control_.node_limit = std::min(control_.node_limit, kSettledNodes);
            if (first.moves().size() == 1) first.recall();
        }
        choose_by_table(first);
        if (problem_.multipv == 1 && table_is_proof() && tables_.sure()) {
            depth_wanted = std::min(depth_wanted, std::clamp(tables_.distance + 1, 1, kMostPliesToShow));
        }
        ThreadGroup helpers(static_cast<std::size_t>(tools_.threads));
        const StopAtTheEnd stop{control_};
        for (int i = 1; i < tools_.threads && depth_wanted > kThreadsLeastDepth; ++i) {
            if (!helpers.start(help, std::cref(problem_), std::ref(control_), i)) break;
        }
        const auto [depth, finished] = deepen(first, depth_wanted);
        // On the opponent's time, and while the caller waits for stop(), there is no answer yet.
        while (watch_.pondering() && !control_.stop.load(std::memory_order_relaxed) && !must_end()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        control_.stop.store(true, std::memory_order_relaxed);
        helpers.join();
        Analysis analysis = report(first, depth);
        analysis.finished = finished;
        return analysis;
    }

 private:
    ProbeOptions probe_options() {
        ProbeOptions options;
        options.task = &within_distance_share_;
        options.kept = problem_.saves_time;
        if (counted_) {
            const std::uint64_t nodes = request_.limits.nodes.value_or(0);
            options.most_solved = std::max(kAlwaysSolved, nodes / kNodesAByteSolved);
        }
        if (timed_) {
            const double bytes = std::clamp(watch_.left(kDistanceShare) * kSolvedBytesASecond, 0.0, 1e15);
            options.most_solved = std::min(options.most_solved, static_cast<std::uint64_t>(bytes));
        }
        return options;
    }

    /// Unpacks blocks of the tablebase's file until this has taken so many seconds of the search.
    void unpack(double seconds) {
        if (!problem_.saves_time || !problem_.tablebase || unpacking_ >= seconds) return;
        const double began = watch_.elapsed();
        unpack_until_ = began + seconds - unpacking_;
        Task<> task;
        task.stop_requested = [&] { return watch_.elapsed() >= unpack_until_ || must_end_asking(1); };
        problem_.tablebase->unpack_ahead(task);
        unpacking_ += watch_.elapsed() - began;
    }

    /// Before the search begins, of work that may take this part of the time.
    bool must_end_asking(double share) {
        if (must_end()) control_.stop.store(true, std::memory_order_relaxed);
        return control_.stop.load(std::memory_order_relaxed) || watch_.left(share) <= 0;
    }

    /// Is the move known before the search?
    bool is_settled(const RootSearch& first) const {
        if (first.moves().size() == 1) return true;
        return request_.multipv == 1 && problem_.only == kAllMoves && tables_.settled();
    }

    void choose_by_table(RootSearch& first) {
        if (tables_.known && tables_.bounds.exact() && !table_is_proof()) {
            // The table's word is a guide: every move gets a value of its own, and of equal ones the table's
            // is taken. What was left out could be better, and nothing could be said of the position.
            problem_.multipv = static_cast<int>(first.moves().size());
            return;
        }
        problem_.first_line = tables_.choice();
        first.choose_among(problem_.first_line);
        // Where the value is known, nothing is to be said of the moves that do not keep it.
        if (problem_.multipv == 1 && tables_.known && tables_.bounds.exact()) {
            first.keep_only(problem_.first_line);
        }
    }

    /// Does the table's value of the position hold, whichever moves were asked for?
    bool table_is_proof() const {
        return tables_.known && !tables_.quiet_history && problem_.only == kAllMoves;
    }

    /// Asked by the first thread often: is the time up, or does the caller want an end?
    bool must_end() {
        if (watch_.hard_over()) return true;
        const double now = watch_.elapsed();
        if (now < next_question_) return false;
        next_question_ = now + kStopSeconds;
        if (request_.on_current_move && now >= kCurrentMoveSeconds) report_current_move();
        return request_.task.stopped();
    }

    void report_current_move() {
        if (step_ == nullptr || *step_ == reported_ || step_->number == 0) return;
        reported_ = *step_;
        request_.on_current_move(
            {request_.root.position.move_of(reported_.pit), reported_.number, reported_.depth});
    }

    std::pair<int, bool> deepen(RootSearch& search, int depth_wanted) {
        for (int depth = 1; depth <= depth_wanted; ++depth) {
            if (!search.iterate(depth)) return {depth - 1, false};
            if (depth == depth_wanted || search.all_proved()) return {depth, true};
            if (soft_over()) return {depth, false};
            if (request_.task.on_progress) request_.task.on_progress(report(search, depth));
            if (request_.task.stopped()) return {depth, false};
            unpack(kUnpackShare * watch_.elapsed());
        }
        return {0, false};
    }

    bool soft_over() const {
        return watch_.soft_over() || control_.nodes.load(std::memory_order_relaxed) >= control_.node_limit;
    }

    Analysis report(RootSearch& search, int depth) const {
        search.report_counts();
        const Position& root = request_.root.position;
        const Board& b = root.board();
        const int stores = kSeedUnits * (store_of(b.own) - store_of(b.opp));
        Analysis analysis;
        const auto moves = search.moves();
        for (const RootMove& move : with_lines(moves)) {
            Line line;
            line.move = root.move_of(move.pit);
            line.score = score_of(score_of_root_move(tables_, move), stores);
            line.depth = move.shown.depth;
            line.pv = line_of(root, move.shown.line);
            analysis.lines.push_back(std::move(line));
        }
        std::stable_sort(analysis.lines.begin(), analysis.lines.end(), [&](const Line& x, const Line& y) {
            if (x.score.value != y.score.value) return x.score.value > y.score.value;
            return rank_of(x) < rank_of(y);
        });
        // Another move may be hoped to be worth more, but not with so high a floor.
        const auto chosen = std::ranges::find_if(analysis.lines, [&](const Line& line) {
            return (problem_.first_line >> request_.root.position.pit_of(line.move) & 1U) != 0;
        });
        if (chosen != analysis.lines.end()) std::rotate(analysis.lines.begin(), chosen, chosen + 1);
        if (analysis.lines.size() > static_cast<std::size_t>(request_.multipv)) {
            analysis.lines.resize(static_cast<std::size_t>(request_.multipv));
        }
        analysis.score = position_score(moves, request_.root.position.pit_of(analysis.lines[0].move), stores);
        analysis.depth = depth;
        analysis.selective_depth = control_.deepest.load(std::memory_order_relaxed);
        analysis.nodes = control_.nodes.load(std::memory_order_relaxed);
        analysis.table_hits = control_.table_hits.load(std::memory_order_relaxed);
        analysis.seconds = watch_.elapsed();
        analysis.hash_permille = tools_.hash_permille ? tools_.hash_permille() : 0;
        return analysis;
    }

    int rank_of(const Line& line) const {
        return tables_.verdicts[static_cast<std::size_t>(request_.root.position.pit_of(line.move))].rank;
    }

    std::span<const RootMove> with_lines(std::span<const RootMove> moves) const {
        return moves.first(std::min(moves.size(), static_cast<std::size_t>(problem_.multipv)));
    }

    /// The position is worth the move chosen; that it is worth no more takes a proof for every move.
    Score position_score(std::span<const RootMove> moves, int chosen, int stores) const {
        RootScore best = score_of_root_move(tables_, *std::ranges::find(moves, chosen, &RootMove::pit));
        bool at_most = true;
        for (const RootMove& move : moves) {
            const RootScore root_score = score_of_root_move(tables_, move);
            const bool proved = (root_score.proof & kAtMost) != 0 && root_score.value <= best.value;
            if (!proved && move.at_most > best.value) at_most = false;
        }
        const bool in_table = table_is_proof();
        if (in_table && tables_.bounds.upper <= best.value) at_most = true;
        if (in_table && tables_.bounds.lower >= best.value) {
            best.value = tables_.bounds.lower;
            best.proof |= kAtLeast | kFromTable;
            best.history_ignored = false;
        }
        if (at_most && in_table) best.proof |= kAtMost;
        if (!at_most) best.proof &= static_cast<std::uint8_t>(~kAtMost);
        return score_of(best, stores);
    }

    const SearchRequest& request_;
    const SearchTools& tools_;
    SearchControl& control_;
    const Stopwatch& watch_;
    InProgressTable busy_;
    RootProblem problem_;
    RootTables tables_;
    bool counted_ = false;  ///< depth or nodes limit the search
    bool timed_ = false;    ///< a clock does
    double unpacking_ = 0;  ///< seconds of the search
    double unpack_until_ = 0;
    double next_question_ = kStopSeconds;
    const RootStep* step_ = nullptr;
    RootStep reported_;
    Task<> within_distance_share_;
};

}  // namespace

RootProblem problem_of(const Root& root) {
    RootProblem problem;
    problem.rules = root.position.rules();
    problem.rules.majority = false;
    problem.board = root.position.board();
    problem.history = root.history;
    if (!root.history.empty() && root.history.back() == problem.board) problem.history.pop_back();
    return problem;
}

SearchKernel kernel_for(EvaluationKind kind) {
    const SearchKernels kernels = best_search_kernels();
    switch (kind) {
        case EvaluationKind::material: return kernels.material;
        case EvaluationKind::linear: return kernels.linear;
        case EvaluationKind::network: break;
    }
    return kernels.network;
}

Analysis run_search(const CheckedSearch& search, const SearchTools& tools, SearchControl& control,
                    const Stopwatch& watch) {
    return ParallelSearch(search, tools, control, watch).run();
}

}  // namespace wari
