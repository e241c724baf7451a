// The engine for Python: the GIL is released while it searches, and Ctrl-C is answered within 20 ms.
#include "wari/engine.hpp"

#include <pybind11/typing.h>

#include <string>
#include <tuple>

#include "calls.hpp"
#include "convert.hpp"
#include "wari/game.hpp"
#include "wari/notation.hpp"

namespace wari::python {
namespace {

using Progress = std::optional<py::typing::Callable<py::object(const Analysis&)>>;
using CurrentMoveCall = std::optional<py::typing::Callable<py::object(std::string, int, int)>>;
using BatchProgress = std::optional<py::typing::Callable<py::object(std::size_t)>>;

/// Value in seeds, bound, source, is the history ignored.
using ScoreTuple = std::tuple<double, std::string_view, std::string_view, bool>;
/// Move, score, depth, letters of the line.
using LineTuple = std::tuple<std::string, ScoreTuple, int, std::string>;

ScoreTuple score_tuple(const Score& score) {
    return {score.seeds(), to_text(score.bound), to_text(score.source), score.history_ignored};
}

std::string text_of(const std::vector<Move>& moves) {
    std::string text;
    for (const Move move : moves) text += move.letter;
    return text;
}

std::vector<LineTuple> lines_of(const Analysis& analysis) {
    std::vector<LineTuple> lines;
    for (const Line& line : analysis.lines) {
        lines.emplace_back(std::string(1, line.move.letter), score_tuple(line.score), line.depth,
                           text_of(line.pv));
    }
    return lines;
}

std::unique_ptr<Engine> create(int threads, int hash_mb, std::string_view evaluation,
                               std::optional<std::shared_ptr<TableCache>> cache,
                               std::optional<std::shared_ptr<Tablebase>> table, bool full_width) {
    EngineOptions options;
    options.threads = threads;
    options.hash_mebibytes = hash_mb;
    options.evaluation = unwrap(parse_evaluation(evaluation));
    options.automatic_tables = cache.value_or(nullptr);
    options.tablebase = table.value_or(nullptr);
    options.full_width = full_width;
    return unwrap(Engine::create(options));
}

using ClockTuple = std::tuple<double, double, int>;

Limits limits_from(std::optional<int> depth, std::optional<std::uint64_t> nodes,
                   std::optional<double> seconds, std::optional<ClockTuple> clock) {
    Limits limits;
    limits.depth = depth;
    limits.nodes = nodes;
    limits.seconds = seconds;
    if (clock.has_value()) {
        limits.clock = Clock{std::get<0>(*clock), std::get<1>(*clock), std::get<2>(*clock)};
    }
    return limits;
}

Analysis analyse(Engine& engine, const Game& game, std::optional<int> depth,
                 std::optional<std::uint64_t> nodes, std::optional<double> seconds,
                 std::optional<ClockTuple> clock, bool ponder, bool instant, int multipv,
                 std::string_view moves, const Progress& progress, const CurrentMoveCall& current_move,
                 const Progress& cut_off) {
    SearchRequest request;
    request.root = game;
    request.limits = limits_from(depth, nodes, seconds, clock);
    request.limits.ponder = ponder;
    request.limits.instant_if_forced = instant;
    request.multipv = multipv;
    request.root.moves = unwrap(parse_moves(moves));
    Call call;
    request.task =
        call.task<Analysis>(progress, [](const Analysis& analysis) { return py::make_tuple(analysis); });
    if (current_move.has_value()) {
        request.on_current_move = [&](const CurrentMove& at) {
            call.report(*current_move,
                        [&] { return py::make_tuple(std::string(1, at.move.letter), at.number, at.depth); });
        };
    }
    return unwrap(call.run([&] { return engine.analyse(request); },
                           [&](const Expected<Analysis>& found) {
                               if (found.has_value() && cut_off.has_value()) (*cut_off)(*found);
                           }));
}

std::vector<Analysis> analyse_many(Engine& engine, const std::vector<Position>& positions,
                                   std::optional<int> depth, std::optional<std::uint64_t> nodes,
                                   std::optional<double> seconds, int multipv,
                                   const BatchProgress& progress) {
    BatchRequest request;
    request.positions = positions;
    request.limits = limits_from(depth, nodes, seconds, std::nullopt);
    request.multipv = multipv;
    Call call;
    request.task = call.task<std::size_t>(progress, [](std::size_t done) { return py::make_tuple(done); });
    return unwrap(call.run([&] { return engine.analyse_many(request); }));
}

}  // namespace

void bind_engine(py::module_& m) {
    m.attr("MAX_DEPTH") = kMaxSearchDepth;
    m.attr("MAX_NODES") = kMaxNodes;
    m.attr("MAX_THREADS") = kMaxThreads;
    m.attr("MAX_HASH_MB") = kMaxHashMebibytes;
    m.attr("AUTO_TABLE_SEEDS") = kAutoTableSeeds;
    m.def(
        "evaluations",
        [] { return std::vector<std::string_view>(evaluations().begin(), evaluations().end()); },
        "The ways to value a leaf, the best one last.");
    py::class_<TableCache, std::shared_ptr<TableCache>>(m, "TableCache", "Tables for any rules.")
        .def_static("empty", &std::make_shared<TableCache>, "Without a table.")
        .def(
            "add", [](TableCache& cache, const std::shared_ptr<Tablebase>& table) { cache.add(table); },
            py::arg("table"), "From now on this table answers for its rules.");
    py::class_<Analysis>(m, "Analysis", "What a search found.")
        .def_property_readonly("lines", &lines_of, "Move, score, depth and line, best first.")
        .def_property_readonly(
            "score", [](const Analysis& analysis) { return score_tuple(analysis.score); },
            "Value in seeds, bound, source, is the history ignored.")
        .def_property_readonly(
            "ending", [](const Analysis& analysis) { return word(analysis.ending); },
            "Why the game is over, or None.")
        .def_readonly("depth", &Analysis::depth, "The last iteration completed.")
        .def_readonly("seldepth", &Analysis::selective_depth, "The deepest ply looked at.")
        .def_readonly("nodes", &Analysis::nodes, "Positions made and visited.")
        .def_readonly("tbhits", &Analysis::table_hits, "Answers from the tablebase.")
        .def_readonly("seconds", &Analysis::seconds, "Wall time.")
        .def_readonly("hashfull", &Analysis::hash_permille, "Thousandths of the table in use.")
        .def_readonly("finished", &Analysis::finished, "Depth reached or all proved.");
    py::class_<Engine>(m, "Engine", "Searches positions.")
        .def_static("create", &create, py::arg("threads"), py::arg("hash_mb"), py::arg("evaluation"),
                    py::arg("cache"), py::arg("table"), py::arg("full_width"), "An engine.")
        .def("analyse", &analyse, py::arg("game"), py::kw_only(), py::arg("depth") = py::none(),
             py::arg("nodes") = py::none(), py::arg("seconds") = py::none(), py::arg("clock") = py::none(),
             py::arg("ponder") = false, py::arg("instant") = false, py::arg("multipv") = 1,
             py::arg("moves") = "", py::arg("progress") = py::none(), py::arg("current_move") = py::none(),
             py::arg("cut_off") = py::none(),
             "Searches one position with its history. `cut_off` gets what was found where Python has raised.")
        .def("analyse_many", &analyse_many, py::arg("positions"), py::kw_only(),
             py::arg("depth") = py::none(), py::arg("nodes") = py::none(), py::arg("seconds") = py::none(),
             py::arg("multipv") = 1, py::arg("progress") = py::none(), "Searches each position by itself.")
        .def("stop", &Engine::stop, "Ends the running search soon.")
        .def("ponder_hit", &Engine::ponder_hit, "The clock runs from now.")
        .def("prepare", &Engine::prepare, "Makes a stop count that comes before the search has begun.")
        .def(
            "new_game",
            [](Engine& engine) {
                Call call;
                check(call.run([&] { return engine.new_game(); }));
            },
            "Forgets everything learnt.");
}

}  // namespace wari::python
