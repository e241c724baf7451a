// Rules, axes and presets for Python.
#include "wari/rules.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace wari::python {
namespace {

using AxisTuple = std::tuple<std::string_view, std::string_view,
                             std::vector<std::pair<std::string_view, std::string_view>>>;

std::vector<AxisTuple> axis_list() {
    std::vector<AxisTuple> list;
    for (const Axis& axis : axes()) {
        std::vector<std::pair<std::string_view, std::string_view>> values;
        for (const AxisValue& value : axis.values) values.emplace_back(value.name, value.meaning);
        list.emplace_back(axis.name, axis.question, values);
    }
    return list;
}

std::vector<std::pair<std::string_view, std::string_view>> preset_list() {
    std::vector<std::pair<std::string_view, std::string_view>> list;
    for (const Preset& preset : presets()) list.emplace_back(preset.name, preset.origin);
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
        .def(
            "text", [](const Rules& rules) { return to_text(rules); }, "The shortest text.")
        .def(
            "with_axis",
            [](const Rules& rules, std::string_view axis, std::string_view value) {
                return unwrap(with_axis(rules, axis, value));
            },
            py::arg("axis"), py::arg("value"), "These rules with one axis changed.")
        .def(
            "equals", [](const Rules& rules, const Rules& other) { return rules == other; }, py::arg("other"),
            "Are all axes equal?");
    m.def(
        "parse_rules", [](std::string_view text) { return unwrap(parse_rules(text)); }, py::arg("text"),
        "Rules from a preset name and changes.");
    m.def(
        "preset", [](std::string_view name) { return unwrap(preset(name)); }, py::arg("name"),
        "The preset of that name.");
    m.def("axes", &axis_list, "Every axis: name, question, and the values with their meanings.");
    m.def("presets", &preset_list, "Every preset: its name and origin.");
}

}  // namespace wari::python
