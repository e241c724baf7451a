// The extension module wari._core: the list of its topics, the facts of the build, and where it may run.
//
// Not declared free of the GIL: a Game is mutable and has no lock, so on a free-threaded Python the
// interpreter turns the GIL on when it imports this module.
#include "bindings.hpp"
#include "calls.hpp"
#include "wari/isa.hpp"

namespace {

constexpr const char* kMainOnly =
    "wari works in the main interpreter of a process only, not in a subinterpreter";

PyObject* refuse_new(PyTypeObject* type, PyObject*, PyObject*) {
    PyErr_Format(PyExc_TypeError, "%s: made by functions of wari._core only", type->tp_name);
    return nullptr;
}

// An object that Python alone has made would hold none of the core's, and nothing would notice.
void refuse_new_of_all_classes(const pybind11::module_& m) {
    for (const auto& [name, member] : pybind11::dict(m.attr("__dict__"))) {
        if (PyType_Check(member.ptr()) == 0) continue;
        reinterpret_cast<PyTypeObject*>(member.ptr())->tp_new = refuse_new;
        PyType_Modified(reinterpret_cast<PyTypeObject*>(member.ptr()));
    }
}

bool in_main_interpreter() { return PyInterpreterState_Get() == PyInterpreterState_Main(); }

}  // namespace

// Python 3.13 and later call the function below in the main interpreter, whichever imports, so it is asked
// here, too.
PYBIND11_MODULE(_core_of_main, m, pybind11::multiple_interpreters::not_supported()) {
    if (!in_main_interpreter()) throw pybind11::import_error(kMainOnly);
    m.doc() = "The C++ core of wari. Private: use the package wari.";
    m.attr("__version__") = wari::version();
    m.attr("COMPILER") = wari::compiler();
    m.def(
        "instruction_set", [] { return wari::to_text(wari::best_isa()); },
        "The instruction set that the running processor's kernels use.");
    m.def("end_calls", &wari::python::Call::end_all,
          "Ends the calls of other threads, and lets them begin none any more: the interpreter ends.");
    m.def("forget_calls", &wari::python::Call::forget_others, "After a fork: other threads are not there.");
    wari::python::bind_rules(m);
    wari::python::bind_position(m);
    wari::python::bind_game(m);
    wari::python::bind_perft(m);
    wari::python::bind_tablebase(m);
    wari::python::bind_engine(m);
    wari::python::bind_solve(m);
    refuse_new_of_all_classes(m);
}

// The import's entry. It looks before pybind11 does anything: in a subinterpreter of Python 3.10 or 3.11 that
// would wait for the GIL for ever.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
    if (in_main_interpreter()) return PyInit__core_of_main();
    PyErr_SetString(PyExc_ImportError, kMainOnly);
    return nullptr;
}
