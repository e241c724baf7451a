// Proofs by searches that give the proving side nothing beyond the horizon.
//
// Such a search returns a bound that is true whatever lies beyond its depth; deeper ones prove more. The
// question "at least t?" is asked for the side to move, and "at most t?" is the same question for the other
// side. The first t comes from an ordinary search; what is found moves it. Owns the choice of questions.
// Must not know how the kernel searches.
#include "proof_search.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "parameters.hpp"
#include "root_search.hpp"
#include "thread_group.hpp"

namespace wari {
namespace {

/// Asks one side's questions with all threads: the others look into what the first is asked, on the same
/// tables, until it has its answer.
class ProofThreads {
 public:
    using Question = std::optional<bool> (RootSearch::*)(int value, int depth);

    ProofThreads(const RootProblem& problem, SearchControl& control, int threads)
        : control_(control), first_(problem, control, 0) {
        for (int i = 1; i < threads; ++i) {
            helpers_.push_back(std::make_unique<RootSearch>(problem, control, i));
        }
    }

    std::optional<bool> ask(Question question, int value, int depth) {
        std::optional<bool> answer;
        {
            ThreadGroup threads(helpers_.size());
            control_.helpers_stop.store(false);
            const StopHelpers stop{control_};
            for (std::size_t i = 0; i < helpers_.size() && depth >= parameters::kProofThreadsLeastDepth;
                 ++i) {
                if (!threads.start(help, std::ref(*helpers_[i]), question, value, depth)) break;
            }
            answer = (first_.*question)(value, depth);
        }
        first_.report_counts();
        for (auto& helper : helpers_) helper->report_counts();
        return answer;
    }

    int best_pit() const { return first_.moves()[0].pit; }

 private:
    static void help(RootSearch& search, Question question, int value, int depth) {
        try {
            (void)(search.*question)(value, depth);
        } catch (const std::bad_alloc&) {
            return;  // the others go on without this one
        }
    }

    /// Also when the question is left by an exception of the caller's functions.
    struct StopHelpers {
        SearchControl& control;
        ~StopHelpers() { control.helpers_stop.store(true); }
    };

    SearchControl& control_;
    RootSearch first_;
    std::vector<std::unique_ptr<RootSearch>> helpers_;
};

class Solver {
 public:
    Solver(const SolveRequest& request, const RootProblem& problem, SearchControl& control,
           const Stopwatch& watch)
        : request_(request), problem_(problem), control_(control), watch_(watch) {
        const Board& b = problem.board;
        stores_ = store_of(b.own) - store_of(b.opp);
        const int seeds = board_seeds(b);
        solution_.lower = stores_ - seeds;
        solution_.upper = stores_ + seeds;
        control_.context = this;
        control_.out_of_time = [](void* context) { return static_cast<Solver*>(context)->must_end(); };
        if (request.limits.nodes.has_value()) control_.node_limit = *request.limits.nodes;
    }

    /// What an ordinary search found: true bounds, and where to begin asking.
    void begin_with(const Analysis& analysis) {
        control_.nodes.store(analysis.nodes);
        const Score& score = analysis.score;
        const double seeds = score.seeds();
        if (score.bound == Bound::exact || score.bound == Bound::lower) {
            solution_.lower = std::max(solution_.lower, static_cast<int>(std::ceil(seeds)));
        }
        if (score.bound == Bound::exact || score.bound == Bound::upper) {
            solution_.upper = std::min(solution_.upper, static_cast<int>(std::floor(seeds)));
        }
        guess_ = static_cast<int>(std::lround(seeds));
        solution_.move = analysis.lines[0].move;
        if (score.bound == Bound::estimate || score.bound == Bound::upper) solution_.move.reset();
    }

    /// What an earlier call about the same position has proved, or a file says so; a file that contradicts
    /// what was just proved is not believed.
    void go_on_from(const Solution& earlier) {
        const int lower = std::max(solution_.lower, earlier.lower);
        const int upper = std::min(solution_.upper, earlier.upper);
        if (lower > upper) return;
        solution_.lower = lower;
        solution_.upper = upper;
        solution_.depth = earlier.depth;
        if (earlier.move.has_value() && lower == earlier.lower) solution_.move = earlier.move;
    }

    Solution run() {
        ProofThreads for_mover(problem_, control_, control_.threads);
        RootProblem turned = problem_;
        turned.prover_ply = 1;
        ProofThreads for_other(turned, control_, control_.threads);
        const int most = request_.limits.depth.value_or(kMaxSearchDepth);
        if (!report()) return now();
        for (int depth = solution_.depth + 1; depth <= most && !done(); ++depth) {
            if (!raise(for_mover, depth) || !lower(for_other, depth)) break;
            solution_.depth = depth;
            if (!report()) break;
        }
        return now();
    }

 private:
    bool done() const { return solution_.exact() || (request_.winner_only && solution_.decided()); }

    /// Questions for the side to move, easiest first: who wins is worth knowing before by how much.
    bool raise(ProofThreads& threads, int depth) {
        while (!done()) {
            const int goal =
                std::clamp(std::max(guess_, solution_.lower + 1), solution_.lower + 1, solution_.upper);
            const int easiest = easier(goal, solution_.lower);
            const auto answer = threads.ask(&RootSearch::at_least, units(easiest), depth);
            if (!answer.has_value()) return false;
            if (!*answer) return true;
            solution_.lower = easiest;
            solution_.move = request_.root.position.move_of(threads.best_pit());
            if (!report()) return false;
        }
        return true;
    }

    bool lower(ProofThreads& threads, int depth) {
        while (!done()) {
            const int goal =
                std::clamp(std::min(guess_, solution_.upper - 1), solution_.lower, solution_.upper - 1);
            const int easiest = -easier(-goal, -solution_.upper);
            const auto answer = threads.ask(&RootSearch::at_most, units(easiest), depth);
            if (!answer.has_value()) return false;
            if (!*answer) return true;
            solution_.upper = easiest;
            if (!report()) return false;
        }
        return true;
    }

    /// Of the goal and of "not to lose" and "to win", the lowest that is not proved yet.
    static int easier(int goal, int proved) {
        for (const int step : {0, 1}) {
            if (step > proved && step < goal) return step;
        }
        return goal;
    }

    int units(int margin) const { return kSeedUnits * (margin - stores_); }

    Solution now() const {
        Solution solution = solution_;
        solution.nodes = control_.nodes.load();
        solution.seconds = watch_.elapsed();
        return solution;
    }

    bool report() const { return request_.task.report(now()); }

    bool must_end() {
        if (watch_.hard_over()) return true;
        if (watch_.elapsed() < next_question_) return false;
        next_question_ = watch_.elapsed() + kStopSeconds;
        return request_.task.stopped();
    }

    const SolveRequest& request_;
    const RootProblem& problem_;
    SearchControl& control_;
    const Stopwatch& watch_;
    Solution solution_;
    int stores_ = 0;
    int guess_ = 0;
    double next_question_ = kStopSeconds;
};

}  // namespace

Solution prove(const SolveRequest& request, const RootProblem& problem, SearchControl& control,
               const Stopwatch& watch, const std::optional<Analysis>& first, const Solution* earlier) {
    Solver solver(request, problem, control, watch);
    if (first.has_value()) solver.begin_with(*first);
    if (earlier != nullptr) solver.go_on_from(*earlier);
    return solver.run();
}

}  // namespace wari
