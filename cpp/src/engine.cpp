// The engine: checks requests, owns what outlives a search, lets other threads stop it.
#include "wari/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine_state.hpp"
#include "thread_group.hpp"
#include "transposition.hpp"

namespace wari {
namespace {

Error bad(const char* field, const std::string& what) {
    return {ErrorKind::bad_value, field, std::string(field) + ": " + what};
}

std::string shown(double seconds) {
    std::string text = std::to_string(seconds);
    return text;
}

bool positive(double seconds) { return std::isfinite(seconds) && seconds > 0; }

Error no_memory() {
    return {ErrorKind::no_memory, "hash_mb", "hash_mb: the memory for the search's tables cannot be had"};
}

// The root moves that were asked for, as a set of pits; all when none was named.
Expected<PitSet> asked_moves(const SearchRequest& request) {
    if (request.moves.empty()) return PitSet{kAllMoves};
    PitSet only = 0;
    for (const Move move : request.moves) {
        if (const auto refused = request.position.refusal(move)) {
            return Error{ErrorKind::illegal_move, "moves",
                         std::string("moves: ") + move.letter +
                             " is not legal here: " + std::string(in_words(*refused))};
        }
        only |= 1U << request.position.pit_of(move);
    }
    return only;
}

}  // namespace

std::string_view to_text(Bound bound) noexcept {
    switch (bound) {
        case Bound::estimate: return "estimate";
        case Bound::lower: return "lower";
        case Bound::upper: return "upper";
        case Bound::exact: return "exact";
    }
    return {};
}

std::string_view to_text(ScoreSource source) noexcept {
    switch (source) {
        case ScoreSource::search: return "search";
        case ScoreSource::tablebase: return "tablebase";
        case ScoreSource::end: return "end";
    }
    return {};
}

std::span<const std::string_view> evaluations() noexcept {
    static constexpr std::string_view kNames[] = {"material", "linear", "network"};
    return kNames;
}

std::string_view to_text(EvaluationKind kind) noexcept {
    return evaluations()[static_cast<std::size_t>(kind)];
}

Expected<EvaluationKind> parse_evaluation(std::string_view text) {
    std::string known;
    for (std::size_t i = 0; i < evaluations().size(); ++i) {
        if (evaluations()[i] == text) return static_cast<EvaluationKind>(i);
        known += (i == 0 ? "" : ", ") + std::string(evaluations()[i]);
    }
    return bad("evaluation", "expected one of " + known + ", not '" + std::string(text) + "'");
}

Error busy() { return {ErrorKind::busy, "engine", "engine: another search is running"}; }

Expected<TablebasePtr> TableCache::get(const Rules& rules, const StopQuery& stop) {
    const std::lock_guard lock(mutex_);
    for (const TablebasePtr& table : tables_) {
        if (same_tables(table->rules(), rules)) return table;
    }
    BuildOptions options;
    options.seeds = kAutoTableSeeds;
    options.verify = false;
    options.stop = stop;
    auto built = Tablebase::build(rules, options);
    if (built.has_value()) tables_.push_back(*built);
    return built;
}

void TableCache::add(TablebasePtr table) {
    const std::lock_guard lock(mutex_);
    for (TablebasePtr& known : tables_) {
        if (same_tables(known->rules(), table->rules())) {
            known = std::move(table);
            return;
        }
    }
    tables_.push_back(std::move(table));
}

Status check_limits(const Limits& limits, int multipv) {
    if (limits.depth.has_value() && (*limits.depth < 1 || *limits.depth > kMaxSearchDepth)) {
        return bad("depth", "expected 1 to " + std::to_string(kMaxSearchDepth) + ", not " +
                                std::to_string(*limits.depth));
    }
    if (limits.nodes.has_value() && *limits.nodes < 1) return bad("nodes", "expected 1 or more, not 0");
    if (limits.seconds.has_value() && !positive(*limits.seconds)) {
        return bad("time", "expected a number of seconds above 0, not " + shown(*limits.seconds));
    }
    if (limits.clock.has_value()) {
        const Clock& clock = *limits.clock;
        if (!positive(clock.remaining)) {
            return bad("clock", "expected more than 0 seconds left, not " + shown(clock.remaining));
        }
        if (!std::isfinite(clock.increment) || clock.increment < 0) {
            return bad("increment", "expected 0 or more seconds, not " + shown(clock.increment));
        }
        if (clock.moves_to_go < 0) {
            return bad("moves_to_go", "expected 0 or more moves, not " + std::to_string(clock.moves_to_go));
        }
    }
    if (multipv < 1) return bad("multipv", "expected 1 or more lines, not " + std::to_string(multipv));
    return std::nullopt;
}

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
                     "hash_mb: " + std::to_string(options.hash_mebibytes) + " MiB of memory cannot be had"};
    }
    engine->state_->table = std::move(table);
    return engine;
}

Expected<TablebasePtr> Engine::table_for(const Rules& rules, const SearchControl& control,
                                         const std::function<bool()>& interrupted) {
    if (options_.tablebase) {
        if (!same_tables(options_.tablebase->rules(), rules)) {
            return Error{ErrorKind::wrong_rules, "tablebase",
                         "tablebase: it was built for the rules " + to_text(options_.tablebase->rules()) +
                             ", the position is played by " + to_text(rules)};
        }
        return options_.tablebase;
    }
    if (!options_.automatic_tables) return TablebasePtr{};
    struct Stops {
        const SearchControl& control;
        const std::function<bool()>& interrupted;
    } stops{control, interrupted};
    const StopQuery stop{[](void* context) {
                             const auto& given = *static_cast<const Stops*>(context);
                             return given.control.stop.load(std::memory_order_relaxed) ||
                                    (given.interrupted && given.interrupted());
                         },
                         &stops};
    auto table = options_.automatic_tables->get(rules, stop);
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
    if (!table->begin_search(board_seeds(position.board()))) return no_memory();
    table_for = position.rules();
    return std::nullopt;
}

Status Engine::State::ready_proof_tables(const Position& position, int mebibytes) {
    for (auto& proof_table : proof_tables) {
        if (!proof_table) {
            proof_table =
                std::make_unique<TranspositionTable>(static_cast<std::size_t>(std::max(1, mebibytes / 2)));
        }
        if (!same_tables(proof_tables_for, position.rules())) proof_table->clear();
        if (!proof_table->usable() || !proof_table->begin_search(board_seeds(position.board())))
            return no_memory();
    }
    proof_tables_for = position.rules();
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
    for (auto& table : state_->proof_tables) table.reset();
    state_->solved = {};
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
    if (auto wrong = check_limits(request.limits, request.multipv)) return *wrong;
    Analysis finished;
    finished.ending = request.ending.has_value() ? request.ending : request.position.ending();
    if (finished.ending.has_value()) {
        finished.finished = true;
        return finished;
    }
    const auto only = asked_moves(request);
    if (!only) return only.error();
    const auto tablebase = table_for(request.position.rules(), control, request.interrupted);
    if (!tablebase) return tablebase.error();
    if (auto failed = state_->ready_table(request.position)) return *failed;
    SearchTools tools;
    tools.table = state_->table->view();
    tools.tablebase = *tablebase;
    tools.kernel = kernel_for(options_.evaluation);
    tools.weights = state_->weights_for(request.position.rules());
    tools.threads = useful_threads(options_.threads);
    tools.full_width = options_.full_width;
    tools.hash_permille = [this] { return state_->table->permille_full(); };
    return run_search({request, *only}, tools, control, watch);
}

}  // namespace wari
