// What the binding files share: pybind11 in one fixed order, and the list of topics. Only files of this
// folder know pybind11; the core.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

namespace wari::python {

namespace py = pybind11;

// One function for each topic, in the file of that name. module.cpp calls them in order.
void bind_rules(py::module_& m);
void bind_position(py::module_& m);
void bind_game(py::module_& m);
void bind_perft(py::module_& m);
void bind_tablebase(py::module_& m);
void bind_engine(py::module_& m);
void bind_solve(py::module_& m);

}  // namespace wari::python
