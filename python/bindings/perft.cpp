// Perft for Python: the GIL is released, and Ctrl-C is answered within some milliseconds.
#include "wari/perft.hpp"

#include "convert.hpp"

namespace wari::python {
namespace {

/// Runs Python's signal handlers; true when one of them raised.
bool signal_raised(void*) {
    const py::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

constexpr StopQuery kStopOnSignal{signal_raised, nullptr};

template <class Work>
auto without_gil(Work work) {
    auto result = [&work] {
        const py::gil_scoped_release released;
        return work();
    }();
    return unwrap(std::move(result));
}

std::pair<std::uint64_t, std::uint64_t> count(const Position& position, int depth) {
    const Perft perft = without_gil([&] { return wari::perft(position, depth, kStopOnSignal); });
    return {perft.nodes, perft.captured};
}

py::typing::Dict<py::str, py::int_> divided(const Position& position, int depth) {
    const auto entries = without_gil([&] { return wari::divide(position, depth, kStopOnSignal); });
    py::typing::Dict<py::str, py::int_> counts;
    for (const DivideEntry& entry : entries) counts[py::str(&entry.move.letter, 1)] = entry.perft.nodes;
    return counts;
}

}  // namespace

void bind_perft(py::module_& m) {
    m.def("perft", &count, py::arg("position"), py::arg("depth").noconvert(),
          "The leaves at exactly that depth, and the seeds captured by the moves that lead to them.");
    m.def("divide", &divided, py::arg("position"), py::arg("depth").noconvert(),
          "The leaves below each legal move.");
}

}  // namespace wari::python
