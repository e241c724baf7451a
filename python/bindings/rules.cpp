// Rules, axes and presets for Python.
#include "wari/rules.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"

namespace wari::python {
namespace {

py::list axis_list() {
    py::list list;
    for (const Axis& axis : axes()) {
        py::list values;
        for (const AxisValue& value : axis.values) values.append(py::make_tuple(value.name, value.meaning));
        list.append(py::make_tuple(axis.name, axis.question, py::tuple(values)));
    }
    return list;
}

py::list preset_list() {
    py::list list;
    for (const Preset& preset : presets()) list.append(py::make_tuple(preset.name, preset.origin, preset.rules));
    return list;
}

std::vector<std::string_view> values_of(const Rules& rules) {
    std::vector<std::string_view> values;
    for (int i = 0; i < kAxisCount; ++i) {
        const Axis& axis = axes()[static_cast<std::size_t>(i)];
        values.push_back(axis.values[static_cast<std::size_t>(axis_value(rules, i))].name);
    }
    return values;
}

}  // namespace

void bind_rules(py::module_& m) {
    py::class_<Rules>(m, "Rules", "One choice on every axis.")
        .def("values", &values_of, "The names of the values, in the order of axes().")
        .def("name", &preset_name, "The preset equal to these rules, or ''.")
        .def("text", [](const Rules& rules) { return to_text(rules); }, "The shortest text.")
        .def(
            "with_axis",
            [](const Rules& rules, std::string_view axis, std::string_view value) {
                return unwrap(with_axis(rules, axis, value));
            },
            py::arg("axis"), py::arg("value"), "These rules with one axis changed.")
        .def(
            "equals", [](const Rules& rules, const Rules& other) { return rules == other; }, py::arg("other"),
            "Are all axes equal?");
    m.def("parse_rules", [](std::string_view text) { return unwrap(parse_rules(text)); }, py::arg("text"),
          "Rules from a preset name and changes.");
    m.def("preset", [](std::string_view name) { return unwrap(preset(name)); }, py::arg("name"),
          "The preset of that name.");
    m.def("axes", &axis_list, "Every axis: name, question, and the values with their meanings.");
    m.def("presets", &preset_list, "Every preset: name, origin, rules.");
}

}  // namespace wari::python
