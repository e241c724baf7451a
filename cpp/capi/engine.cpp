// Engines and analyses for C.
#include "wari/engine.hpp"

#include "handles.hpp"
#include "structs.hpp"
#include "wari/notation.hpp"

using namespace wari;
using namespace wari::capi;

namespace {

static_assert(static_cast<int>(Bound::estimate) == WARI_BOUND_ESTIMATE);
static_assert(static_cast<int>(Bound::lower) == WARI_BOUND_LOWER);
static_assert(static_cast<int>(Bound::upper) == WARI_BOUND_UPPER);
static_assert(static_cast<int>(Bound::exact) == WARI_BOUND_EXACT);
static_assert(static_cast<int>(ScoreSource::tablebase) == WARI_SOURCE_TABLEBASE);
static_assert(static_cast<int>(ScoreSource::end) == WARI_SOURCE_END);
static_assert(static_cast<int>(EvaluationKind::network) + 1 == WARI_EVALUATION_NETWORK);

/// Counts a call on an engine while it runs, so that freeing can be refused.
class Call {
 public:
    explicit Call(wari_engine& engine) : engine_(engine) { ++engine_.calls; }
    ~Call() { --engine_.calls; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

 private:
    wari_engine& engine_;
};

template <class T>
std::optional<T> limit(T value) {
    return value != T{} ? std::optional<T>(value) : std::nullopt;
}

Problem options_from(const wari_engine_options& wanted, wari_engine& engine, EngineOptions& options) {
    constexpr std::uint32_t kKnownFlags = WARI_ENGINE_NO_TABLES | WARI_ENGINE_FULL_WIDTH;
    if ((wanted.flags & ~kKnownFlags) != 0) return bad("flags", "unknown flags");
    if (wanted.evaluation < WARI_EVALUATION_BEST || wanted.evaluation > WARI_EVALUATION_NETWORK) {
        return bad("evaluation", "expected 0 to 3, not " + std::to_string(wanted.evaluation));
    }
    if (wanted.tablebase != nullptr) {
        if (Problem wrong = check(wanted.tablebase, "tablebase"); wrong.failed()) return wrong;
    }
    if (wanted.threads != 0) options.threads = wanted.threads;
    if (wanted.hash_mb != 0) options.hash_mebibytes = wanted.hash_mb;
    if (wanted.evaluation != WARI_EVALUATION_BEST) {
        options.evaluation = static_cast<EvaluationKind>(wanted.evaluation - 1);
    }
    options.full_width = (wanted.flags & WARI_ENGINE_FULL_WIDTH) != 0;
    if ((wanted.flags & WARI_ENGINE_NO_TABLES) == 0) {
        engine.cache = std::make_shared<TableCache>();
        options.automatic_tables = engine.cache;
        if (wanted.tablebase != nullptr) engine.cache->add(wanted.tablebase->value);
    } else if (wanted.tablebase != nullptr) {
        options.tablebase = wanted.tablebase->value;
    }
    return {};
}

Problem request_from(const wari_search& wanted, SearchRequest& request) {
    constexpr std::uint32_t kKnownFlags = WARI_SEARCH_PONDER | WARI_SEARCH_INSTANT_IF_FORCED;
    if ((wanted.flags & ~kKnownFlags) != 0) return bad("flags", "unknown flags");
    Limits& limits = request.limits;
    limits.depth = limit(wanted.depth);
    limits.nodes = limit(wanted.nodes);
    limits.seconds = limit(wanted.seconds);
    if (wanted.clock_seconds != 0 || wanted.clock_increment != 0 || wanted.clock_moves_to_go != 0) {
        limits.clock = Clock{wanted.clock_seconds, wanted.clock_increment, wanted.clock_moves_to_go};
    }
    limits.ponder = (wanted.flags & WARI_SEARCH_PONDER) != 0;
    limits.instant_if_forced = (wanted.flags & WARI_SEARCH_INSTANT_IF_FORCED) != 0;
    if (wanted.multipv != 0) request.multipv = wanted.multipv;
    if (wanted.moves != nullptr) {
        auto moves = parse_moves(wanted.moves);
        if (!moves) return moves.error();
        request.root.moves = std::move(*moves);
    }
    return {};
}

Problem analyse(wari_engine& engine, Root root, const wari_search* search, wari_analysis** out) {
    if (out == nullptr) return null("out");
    wari_search wanted;
    if (Problem wrong = take(search, wanted, "search"); wrong.failed()) return wrong;
    SearchRequest request;
    request.root = std::move(root);
    if (Problem wrong = request_from(wanted, request); wrong.failed()) return wrong;
    Caller caller(wanted.user_data);
    request.task =
        caller.task<Analysis>(wanted, [](const Analysis& analysis) { return wari_analysis(analysis); });
    const Call running(engine);
    const auto analysis = engine.value->analyse(request);
    if (Problem thrown = caller.check(); thrown.failed()) return thrown;
    if (!analysis) return analysis.error();
    *out = new wari_analysis(*analysis);
    return {};
}

wari_solution as_struct(const Solution& solution) {
    wari_solution made{};
    made.struct_size = sizeof made;
    made.lower = solution.lower;
    made.upper = solution.upper;
    made.ending = number_of(solution.ending);
    made.depth = solution.depth;
    made.nodes = solution.nodes;
    made.seconds = solution.seconds;
    if (solution.move.has_value()) made.move = solution.move->letter;
    return made;
}

Problem solve(wari_engine& engine, Root root, const wari_solve* solve, wari_solution* out) {
    if (Problem wrong = check_out(out, "solution"); wrong.failed()) return wrong;
    wari_solve wanted;
    if (Problem wrong = take(solve, wanted, "solve"); wrong.failed()) return wrong;
    if ((wanted.flags & ~std::uint32_t{WARI_SOLVE_WINNER_ONLY}) != 0) return bad("flags", "unknown flags");
    SolveRequest request;
    request.root = std::move(root);
    request.limits.seconds = limit(wanted.seconds);
    request.limits.nodes = limit(wanted.nodes);
    request.limits.depth = limit(wanted.depth);
    request.winner_only = (wanted.flags & WARI_SOLVE_WINNER_ONLY) != 0;
    Caller caller(wanted.user_data);
    request.task = caller.task<Solution>(wanted, as_struct);
    const Call running(engine);
    const auto solution = engine.value->solve(request);
    if (Problem thrown = caller.check(); thrown.failed()) return thrown;
    if (!solution) return solution.error();
    give(as_struct(*solution), out);
    return {};
}

}  // namespace

wari_analysis::wari_analysis(const Analysis& analysis) : value(analysis) {
    pvs.reserve(value.lines.size());
    for (const Line& line : value.lines) pvs.push_back(to_text(line.pv));
}

wari_status wari_engine_new(const wari_engine_options* options, wari_engine** out, wari_error* error) {
    return report(error, [&]() -> Problem {
        if (out == nullptr) return null("out");
        wari_engine_options wanted;
        if (Problem wrong = take(options, wanted, "options"); wrong.failed()) return wrong;
        auto engine = std::make_unique<wari_engine>();
        EngineOptions chosen;
        if (Problem wrong = options_from(wanted, *engine, chosen); wrong.failed()) return wrong;
        auto made = Engine::create(chosen);
        if (!made) return made.error();
        engine->value = std::move(*made);
        *out = engine.release();
        return {};
    });
}

wari_status wari_engine_free(wari_engine* engine) {
    if (engine == nullptr) return WARI_OK;
    if (!engine->valid()) return WARI_ERROR_BAD_HANDLE;
    if (engine->calls.load() != 0) return WARI_ERROR_BUSY;
    release(engine);
    return WARI_OK;
}

wari_status wari_engine_error(const wari_engine* engine, wari_error* error) {
    return last_error(engine, error);
}

wari_status wari_engine_add_tablebase(wari_engine* engine, const wari_tablebase* table) {
    return on(engine, [&]() -> Problem {
        if (Problem wrong = check(table, "table"); wrong.failed()) return wrong;
        if (engine->cache == nullptr) return bad("table", "the engine was made with WARI_ENGINE_NO_TABLES");
        engine->cache->add(table->value);
        return {};
    });
}

wari_status wari_engine_analyse(wari_engine* engine, const wari_game* game, const wari_search* search,
                                wari_analysis** out) {
    return on(engine, [&]() -> Problem {
        if (Problem wrong = check(game, "game"); wrong.failed()) return wrong;
        return analyse(*engine, Root(game->value), search, out);
    });
}

wari_status wari_engine_analyse_position(wari_engine* engine, const wari_position* position,
                                         const wari_search* search, wari_analysis** out) {
    return on(engine, [&]() -> Problem {
        if (Problem wrong = check(position, "position"); wrong.failed()) return wrong;
        return analyse(*engine, Root(position->value), search, out);
    });
}

wari_status wari_engine_solve(wari_engine* engine, const wari_game* game, const wari_solve* solve,
                              wari_solution* solution) {
    return on(engine, [&]() -> Problem {
        if (Problem wrong = check(game, "game"); wrong.failed()) return wrong;
        return ::solve(*engine, Root(game->value), solve, solution);
    });
}

wari_status wari_engine_save_proof(wari_engine* engine, const char* path) {
    return on(engine, [&]() -> Problem {
        if (path == nullptr) return null("path");
        const Call running(*engine);
        if (const auto failed = engine->value->save_proof(path)) return *failed;
        return {};
    });
}

wari_status wari_engine_load_proof(wari_engine* engine, const char* path, wari_position** out) {
    return on(engine, [&]() -> Problem {
        if (path == nullptr) return null("path");
        const Call running(*engine);
        const auto position = engine->value->load_proof(path);
        if (!position) return position.error();
        if (out != nullptr) *out = new wari_position(*position);
        return {};
    });
}

wari_status wari_engine_stop(wari_engine* engine) {
    return on(engine, [&]() -> Problem {
        engine->value->stop();
        return {};
    });
}

wari_status wari_engine_ponder_hit(wari_engine* engine) {
    return on(engine, [&]() -> Problem {
        engine->value->ponder_hit();
        return {};
    });
}

wari_status wari_engine_prepare(wari_engine* engine) {
    return on(engine, [&]() -> Problem {
        engine->value->prepare();
        return {};
    });
}

wari_status wari_engine_new_game(wari_engine* engine) {
    return on(engine, [&]() -> Problem {
        const Call running(*engine);
        if (auto failed = engine->value->new_game()) return *failed;
        return {};
    });
}

void wari_analysis_free(wari_analysis* analysis) { release(analysis); }

wari_status wari_analysis_get(const wari_analysis* analysis, wari_analysis_data* data) {
    return on(analysis, [&]() -> Problem {
        if (Problem wrong = check_out(data, "data"); wrong.failed()) return wrong;
        const Analysis& value = analysis->value;
        wari_analysis_data made{};
        made.value = value.score.seeds();
        made.bound = static_cast<int>(value.score.bound);
        made.source = static_cast<int>(value.score.source);
        made.history_ignored = value.score.history_ignored ? 1 : 0;
        made.ending = number_of(value.ending);
        made.lines = static_cast<int>(value.lines.size());
        made.depth = value.depth;
        made.selective_depth = value.selective_depth;
        made.hash_permille = value.hash_permille;
        made.nodes = value.nodes;
        made.table_hits = value.table_hits;
        made.seconds = value.seconds;
        made.finished = value.finished ? 1 : 0;
        give(made, data);
        return {};
    });
}

wari_status wari_analysis_line(const wari_analysis* analysis, size_t number, wari_line* line) {
    return on(analysis, [&]() -> Problem {
        if (Problem wrong = check_out(line, "line"); wrong.failed()) return wrong;
        const Analysis& value = analysis->value;
        if (number >= value.lines.size()) {
            return bad("number", "there are " + std::to_string(value.lines.size()) + " lines, not " +
                                     std::to_string(number) + " and more");
        }
        const Line& found = value.lines[number];
        wari_line made{};
        made.value = found.score.seeds();
        made.bound = static_cast<int>(found.score.bound);
        made.source = static_cast<int>(found.score.source);
        made.history_ignored = found.score.history_ignored ? 1 : 0;
        made.depth = found.depth;
        made.pv = analysis->pvs[number].c_str();
        made.move = found.move.letter;
        give(made, line);
        return {};
    });
}
