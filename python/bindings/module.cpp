// The extension module wari._core: the list of its topics, and the facts of the build.
//
// Not declared free of the GIL: a Game is mutable and has no lock, so on a free-threaded Python the
// interpreter turns the GIL on when it imports this module.
#include "bindings.hpp"
#include "wari/isa.hpp"

PYBIND11_MODULE(_core, m) {
    m.doc() = "The C++ core of wari. Private: use the package wari.";
    m.attr("__version__") = wari::version();
    m.attr("COMPILER") = wari::compiler();
    m.def(
        "instruction_set", [] { return wari::to_text(wari::best_isa()); },
        "The instruction set that the running processor's kernels use.");
    wari::python::bind_rules(m);
    wari::python::bind_position(m);
    wari::python::bind_game(m);
    wari::python::bind_perft(m);
    wari::python::bind_tablebase(m);
    wari::python::bind_engine(m);
    wari::python::bind_solve(m);
}
