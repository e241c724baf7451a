// Proofs and the bench for Python: the GIL is released, and Ctrl-C is answered within some milliseconds.
#include "wari/solve.hpp"

#include <pybind11/typing.h>

#include <string>
#include <tuple>
#include <utility>

#include "calls.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "wari/bench.hpp"
#include "wari/game.hpp"

namespace wari::python {
namespace {

using SolveProgress = std::optional<py::typing::Callable<py::object(const Solution&)>>;
/// Rules, position, depth, nodes, seconds, best move.
using BenchTuple = std::tuple<std::string, std::string, int, std::uint64_t, double, std::string>;

Solution solve(Engine& engine, const Game& game, std::optional<int> depth, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, bool winner_only, const SolveProgress& progress) {
    SolveRequest request;
    request.root = game;
    request.limits.depth = depth;
    request.limits.nodes = nodes;
    request.limits.seconds = seconds;
    request.winner_only = winner_only;
    Call call;
    request.task =
        call.task<Solution>(progress, [](const Solution& solution) { return py::make_tuple(solution); });
    return unwrap(call.run([&] { return engine.solve(request); }));
}

void save_proof(Engine& engine, const FileName& path) {
    Call call;
    check(call.run([&] { return engine.save_proof(path.bytes); }));
}

/// Rules and position as text.
std::pair<std::string, std::string> load_proof(Engine& engine, const FileName& path) {
    Call call;
    const Position position = unwrap(call.run([&] { return engine.load_proof(path.bytes); }));
    return {to_text(position.rules()), position.text()};
}

std::vector<BenchTuple> run_bench(std::string_view evaluation, bool full_width, int deeper) {
    const EvaluationKind kind = unwrap(parse_evaluation(evaluation));
    Call call;
    const BenchResult found = unwrap(call.run([&] { return bench(kind, full_width, deeper, call.task()); }));
    std::vector<BenchTuple> entries;
    for (const BenchEntry& entry : found.entries) {
        entries.emplace_back(entry.rules, entry.position, entry.depth, entry.nodes, entry.seconds,
                             std::string(1, entry.best.letter));
    }
    return entries;
}

std::optional<std::string> move_of(const Solution& solution) {
    if (!solution.move.has_value()) return std::nullopt;
    return std::string(1, solution.move->letter);
}

}  // namespace

void bind_solve(py::module_& m) {
    py::class_<Solution>(m, "Solution", "What is proved of a margin.")
        .def_readonly("lower", &Solution::lower, "At least so many seeds.")
        .def_readonly("upper", &Solution::upper, "At most so many seeds.")
        .def_property_readonly("move", &move_of, "A move that gets the lower bound, or None.")
        .def_property_readonly(
            "ending", [](const Solution& solution) { return word(solution.ending); },
            "Why the game is over, or None.")
        .def_readonly("depth", &Solution::depth, "Plies looked ahead.")
        .def_readonly("nodes", &Solution::nodes, "Positions made and visited.")
        .def_readonly("seconds", &Solution::seconds, "Wall time.");
    m.def("solve", &solve, py::arg("engine"), py::arg("game"), py::kw_only(), py::arg("depth") = py::none(),
          py::arg("nodes") = py::none(), py::arg("seconds") = py::none(), py::arg("winner_only") = false,
          py::arg("progress") = py::none(), "Proves what it can of the margin within the limits.");
    m.def("save_proof", &save_proof, py::arg("engine"), py::arg("path"),
          "Writes what was proved last to a file.");
    m.def("load_proof", &load_proof, py::arg("engine"), py::arg("path"),
          "Takes up such a file; returns the rules and the position it is about.");
    m.def("bench", &run_bench, py::arg("evaluation"), py::arg("full_width"), py::arg("deeper"),
          "Rules, position, depth, nodes, processor seconds and best move of each position of the bench.");
}

}  // namespace wari::python
