// Small conversions between the core's values and what Python sees: letters, words and tuples.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "errors.hpp"
#include "wari/position.hpp"

namespace wari::python {

/// South's seeds, North's seeds, the winner, the ending.
using OutcomeTuple = std::tuple<int, int, std::optional<char>, std::string_view>;

inline OutcomeTuple as_tuple(const Outcome& outcome) {
    std::optional<char> winner;
    if (outcome.winner.has_value()) winner = to_char(*outcome.winner);
    return {outcome.south, outcome.north, winner, to_text(outcome.ending)};
}

/// A code of the core, or None.
using Word = std::optional<std::string_view>;

template <class Code>
Word word(const std::optional<Code>& code) {
    if (!code.has_value()) return std::nullopt;
    return to_text(*code);
}

inline Side side_from(std::string_view text) {
    if (text == "S") return Side::south;
    if (text == "N") return Side::north;
    raise({ErrorKind::bad_value, "side", "side: expected 'S' or 'N', not '" + std::string(text) + "'"});
}

/// The name of a file as the core takes it: the system's bytes on POSIX, UTF-8 on Windows. In Python it is
/// text, in which os.fsencode finds the bytes again.
struct FileName {
    std::string bytes;
};

using Letters = py::typing::Tuple<py::str, py::ellipsis>;
using Counts = py::typing::Tuple<py::int_, py::ellipsis>;

template <class Moves>
Letters letters(const Moves& moves) {
    py::tuple tuple(moves.size());
    std::size_t i = 0;
    for (const Move move : moves) tuple[i++] = py::str(&move.letter, 1);
    return Letters(std::move(tuple));
}

template <class Numbers>
Counts counts(const Numbers& numbers) {
    py::tuple tuple(numbers.size());
    std::size_t i = 0;
    for (const int number : numbers) tuple[i++] = number;
    return Counts(std::move(tuple));
}

}  // namespace wari::python

template <>
struct pybind11::detail::type_caster<wari::python::FileName> {
    PYBIND11_TYPE_CASTER(wari::python::FileName, const_name("str"));

    bool load(handle source, bool) {
        if (!PyUnicode_Check(source.ptr())) return false;
        const auto encoded = reinterpret_steal<pybind11::bytes>(PyUnicode_EncodeFSDefault(source.ptr()));
        if (!encoded) throw error_already_set();
        value.bytes = static_cast<std::string>(encoded);
        return true;
    }
    static handle cast(const wari::python::FileName& file, return_value_policy, handle) {
        const auto size = static_cast<Py_ssize_t>(file.bytes.size());
        return PyUnicode_DecodeFSDefaultAndSize(file.bytes.data(), size);
    }
};
