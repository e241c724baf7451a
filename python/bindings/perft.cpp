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

std::optional<Isa> isa_from(std::optional<std::string_view> name) {
    if (!name) return std::nullopt;
    if (*name == "portable") return Isa::portable;
    if (*name == "v3") return Isa::v3;
    if (*name == "v4") return Isa::v4;
    raise({ErrorKind::bad_value, "isa",
           "isa: expected 'portable', 'v3' or 'v4', not '" + std::string(*name) + "'"});
}

std::pair<std::uint64_t, std::uint64_t> count(const Position& position, int depth,
                                              std::optional<std::string_view> isa) {
    const std::optional<Isa> chosen = isa_from(isa);
    const Perft perft = without_gil([&] { return wari::perft(position, depth, kStopOnSignal, chosen); });
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
    m.def("perft", &count, py::arg("position"), py::arg("depth").noconvert(), py::kw_only(),
          py::arg("isa") = py::none(),
          "The leaves at exactly that depth, and the seeds captured by the moves that lead to them. `isa`\n"
          "(portable, v3, v4) names the code to measure; the best that the processor runs is the default.");
    m.def("divide", &divided, py::arg("position"), py::arg("depth").noconvert(),
          "The leaves below each legal move.");
}

}  // namespace wari::python
