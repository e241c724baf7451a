// Perft for Python: the GIL is released, and Ctrl-C is answered within some milliseconds.
#include "wari/perft.hpp"

#include "calls.hpp"
#include "convert.hpp"

namespace wari::python {
namespace {

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
    Call call;
    const Perft perft = unwrap(call.run([&] { return wari::perft(position, depth, call.task(), chosen); }));
    return {perft.nodes, perft.captured};
}

py::typing::Dict<py::str, py::int_> divided(const Position& position, int depth) {
    Call call;
    const auto entries = unwrap(call.run([&] { return wari::divide(position, depth, call.task()); }));
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
