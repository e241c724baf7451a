// The engine: checks requests, owns what outlives a search, lets other threads stop it.
#include "wari/engine.hpp"

#include <algorithm>
#include <utility>

#include "engine_state.hpp"
#include "thread_group.hpp"
#include "transposition.hpp"

namespace wari {
namespace {

Error bad(const char* field, const std::string& what) {
    return {ErrorKind::bad_value, field, std::string(field) + ": " + what};
}

// The root moves that were asked for, as a set of pits; all when none was named.
Expected<PitSet> asked_moves(const Root& root) {
    if (root.moves.empty()) return PitSet{kAllMoves};
    PitSet only = 0;
    for (const Move move : root.moves) {
        if (const auto refused = root.position.refusal(move)) {
            return Error{ErrorKind::illegal_move, "moves",
                         std::string("moves: ") + move.letter +
                             " is not legal here: " + std::string(in_words(*refused))};
        }
        only |= 1U << root.position.pit_of(move);
    }
    return only;
}

}  // namespace

Status check_request(const Limits& limits, int multipv) {
    if (auto wrong = check_limits(limits)) return wrong;
    if (multipv < 1) return bad("multipv", "expected 1 or more lines, not " + std::to_string(multipv));
    return std::nullopt;
}

Error busy() { return {ErrorKind::busy, "engine", "engine: another search is running"}; }

Engine::Engine(const EngineOptions& options) : options_(options), state_(std::make_unique<State>()) {}
Engine::~Engine() = default;

Expected<std::unique_ptr<Engine>> Engine::create(const EngineOptions& options) {
    if (options.threads < 1 || options.threads > kMaxThreads) {
        return bad("threads", "expected 1 to " + std::to_string(kMaxThreads) + ", not " +
                                  std::to_string(options.threads));
    }
    if (options.hash_mebibytes < 1 || options.hash_mebibytes > kMaxHashMebibytes) {
        return bad("hash_mb", "expected 1 to " + std::to_string(kMaxHashMebibytes) + ", not " +
                                  std::to_string(options.hash_mebibytes));
    }
    std::unique_ptr<Engine> engine(new Engine(options));
    auto table = std::make_unique<TranspositionTable>(static_cast<std::size_t>(options.hash_mebibytes));
    if (!table->usable()) {
        return Error{ErrorKind::no_memory, "hash_mb",
                     "hash_mb: " + std::to_string(options.hash_mebibytes) + " MiB of memory are not free"};
    }
    engine->state_->table = std::move(table);
    return engine;
}

Expected<TablebasePtr> Engine::table_for(const Rules& rules, const SearchControl& control,
                                         const Task<>& task) {
    if (options_.tablebase) {
        if (!same_tables(options_.tablebase->rules(), rules)) {
            return Error{ErrorKind::wrong_rules, "tablebase",
                         "tablebase: it was built for the rules " + to_text(options_.tablebase->rules()) +
                             ", the position is played by " + to_text(rules)};
        }
        return options_.tablebase;
    }
    if (!options_.automatic_tables) return TablebasePtr{};
    Task<> both;
    both.stop_requested = [&] { return control.stop.load(std::memory_order_relaxed) || task.stopped(); };
    auto table = options_.automatic_tables->get(rules, both);
    if (!table && table.error().kind == ErrorKind::cancelled) return TablebasePtr{};
    return table;
}

const EvaluationWeights* Engine::State::weights_for(const Rules& rules) {
    const Rules key = table_rules(rules);
    for (const PreparedWeights& known : weights) {
        if (known.rules == key) return known.weights.get();
    }
    weights.push_back({key, std::make_unique<EvaluationWeights>()});
    prepare_weights(key, *weights.back().weights);
    return weights.back().weights.get();
}

Status Engine::State::ready_table(const Position& position) {
    if (!same_tables(table_for, position.rules())) table->clear();
    if (!table->begin_search(board_seeds(position.board()))) return no_hash_memory();
    table_for = position.rules();
    return std::nullopt;
}

Engine::State::Running::Running(State& state, SearchControl& control, Stopwatch* watch) : state_(state) {
    const std::lock_guard lock(state.mutex);
    if (!std::exchange(state.prepared, false)) state.stop_asked = state.hit_asked = false;
    if (state.stop_asked) control.stop.store(true);
    if (state.hit_asked && watch != nullptr) watch->ponder_hit();
    state.running_control = &control;
    state.running_watch = watch;
}

void Engine::State::Running::pass_on_to(SearchControl& control) {
    const std::lock_guard lock(state_.mutex);
    if (state_.stop_asked) control.stop.store(true);
    state_.running_control = &control;
}

Engine::State::Running::~Running() {
    const std::lock_guard lock(state_.mutex);
    state_.running_control = nullptr;
    state_.running_watch = nullptr;
}

void Engine::prepare() noexcept {
    const std::lock_guard lock(state_->mutex);
    state_->stop_asked = state_->hit_asked = false;
    state_->prepared = true;
}

void Engine::stop() noexcept {
    const std::lock_guard lock(state_->mutex);
    state_->stop_asked = true;
    if (state_->running_control != nullptr) state_->running_control->stop.store(true);
    if (state_->stop_batch) state_->stop_batch();
}

void Engine::ponder_hit() noexcept {
    const std::lock_guard lock(state_->mutex);
    state_->hit_asked = true;
    if (state_->running_watch != nullptr) state_->running_watch->ponder_hit();
}

Status Engine::new_game() {
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    state_->table->clear();
    state_->proof = {};
    return std::nullopt;
}

Expected<Analysis> Engine::analyse(const SearchRequest& request) {
    Stopwatch watch(budget_for(request.limits), request.limits.ponder);
    const std::unique_lock searching(state_->searching, std::try_to_lock);
    if (!searching.owns_lock()) return busy();
    SearchControl control;
    const State::Running running(*state_, control, &watch);
    return analyse_with(request, control, watch);
}

Expected<Analysis> Engine::analyse_with(const SearchRequest& request, SearchControl& control,
                                        const Stopwatch& watch) {
    if (auto wrong = check_request(request.limits, request.multipv)) return *wrong;
    Analysis finished;
    finished.ending = request.root.ending.has_value() ? request.root.ending : request.root.position.ending();
    if (finished.ending.has_value()) {
        finished.finished = true;
        return finished;
    }
    const auto only = asked_moves(request.root);
    if (!only) return only.error();
    const auto tablebase = table_for(request.root.position.rules(), control, request.task);
    if (!tablebase) return tablebase.error();
    if (auto failed = state_->ready_table(request.root.position)) return *failed;
    SearchTools tools;
    tools.table = state_->table->view();
    tools.tablebase = *tablebase;
    tools.kernel = kernel_for(options_.evaluation);
    tools.weights = state_->weights_for(request.root.position.rules());
    tools.threads = useful_threads(options_.threads);
    tools.full_width = options_.full_width;
    tools.hash_permille = [this] { return state_->table->permille_full(); };
    return run_search({request, *only}, tools, control, watch);
}

}  // namespace wari
