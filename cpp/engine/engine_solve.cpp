// Engine::solve and the files of its proofs: what is checked and readied before the solver asks its
// questions.
#include <algorithm>

#include "engine_state.hpp"
#include "parameters.hpp"
#include "proof_file.hpp"
#include "proof_search.hpp"
#include "thread_group.hpp"
#include "wari/engine.hpp"

namespace wari {
namespace {

Solution result_of(const Position& position, Ending ending) {
    const Outcome outcome = position.outcome(ending);
    const int south = outcome.south - outcome.north;
    Solution solution;
    solution.lower = solution.upper = position.side_to_move() == Side::south ? south : -south;
    solution.ending = ending;
    return solution;
}

}  // namespace

Expected<Solution> Engine::solve(const SolveRequest& request) {
    const Limits& limits = request.limits;
    const Stopwatch watch(budget_for(limits), false);
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    SearchControl guessing;
    State::Running running(*state_, guessing, nullptr);
    if (auto wrong = check_limits(limits)) return *wrong;
    if (!request.root.moves.empty()) {
        return Error{ErrorKind::bad_value, "moves", "moves: a position is solved with all its moves"};
    }
    const auto ending =
        request.root.ending.has_value() ? request.root.ending : request.root.position.ending();
    // A majority stop leaves the margin open; it is worth knowing all the same.
    if (ending.has_value() && *ending != Ending::majority) return result_of(request.root.position, *ending);
    SearchRequest guess;
    guess.root = request.root;
    guess.limits = limits;
    guess.limits.nodes = parameters::kGuessNodes;
    if (limits.nodes.has_value()) {
        guess.limits.nodes =
            std::clamp<std::uint64_t>(*limits.nodes / parameters::kGuessOneIn, 1, parameters::kGuessNodes);
    }
    guess.task.stop_requested = request.task.stop_requested;
    std::optional<Analysis> first;
    if (!ending.has_value()) {
        const auto found = analyse_with(guess, guessing, watch);
        if (!found) return found.error();
        first = *found;
    }
    RootProblem problem = problem_of(request.root);
    if (ending.has_value() && legal_pits(problem.board, problem.rules) == 0 &&
        !must_pass(problem.board, problem.rules)) {
        return result_of(request.root.position, row_empty(problem.board.own | problem.board.opp)
                                                    ? Ending::empty_board
                                                    : Ending::stuck);
    }
    const auto tablebase = table_for(request.root.position.rules(), guessing, request.task);
    if (!tablebase) return tablebase.error();
    problem.tablebase = *tablebase;
    problem.kernel = best_search_kernels().proof;
    if (auto failed = state_->proof.ready(request.root.position, options_.hash_mebibytes)) return *failed;
    problem.proof_tables[0] = state_->proof.tables[0]->view();
    problem.proof_tables[1] = state_->proof.tables[1]->view();
    InProgressTable busy;
    const int threads = useful_threads(options_.threads);
    if (threads > 1) problem.busy = &busy;
    SearchControl control;
    control.threads = threads;
    running.pass_on_to(control);
    const Solution* earlier = state_->proof.about(request) ? &state_->proof.solution : nullptr;
    Solution solution = prove(request, problem, control, watch, first, earlier);
    state_->proof.position = request.root.position;
    state_->proof.history = request.root.history;
    state_->proof.solution = solution;
    return solution;
}

Status Engine::save_proof(const std::string& path) {
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    return wari::save_proof(state_->proof, path);
}

Expected<Position> Engine::load_proof(const std::string& path) {
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    return wari::load_proof(state_->proof, path, options_.hash_mebibytes);
}

}  // namespace wari
