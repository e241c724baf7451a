// Position for Python: letters, counts and words, never packed boards.
#include "wari/position.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "convert.hpp"

namespace wari::python {
namespace {

Position from_counts(const std::array<int, kPitsInAll>& pits, std::pair<int, int> stores,
                     std::string_view side, const Rules& rules) {
    return unwrap(Position::from_counts(pits, stores.first, stores.second, side_from(side), rules));
}

std::tuple<Position, int, Word> play(const Position& position, std::string_view text) {
    const Move move = unwrap(parse_move(text));
    if (const auto refused = position.refusal(move)) raise_refused(illegal(move, *refused), move, *refused);
    const Position::Played played = position.play_unchecked(move);
    return {played.next, played.captured, word(played.own_end)};
}

Word refusal_at(const Position& position, std::string_view text) {
    return word(position.refusal(unwrap(parse_move(text))));
}

/// Code -> sentence, for an enumeration that ends with `last`.
template <class Enum, Enum last>
py::typing::Dict<py::str, py::str> words_of() {
    py::typing::Dict<py::str, py::str> words;
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        const auto value = static_cast<Enum>(i);
        words[py::cast(to_text(value))] = in_words(value);
    }
    return words;
}

}  // namespace

void bind_position(py::module_& m) {
    m.attr("MAX_SEEDS") = kMaxSeeds;
    py::class_<Position>(m, "Position", "Twelve pits, two stores, the side to move, the rules.")
        .def_static(
            "start", [](const Rules& rules) { return Position(rules); }, py::arg("rules"),
            "The start position.")
        .def_static("from_counts", &from_counts, py::arg("pits"), py::arg("stores"), py::arg("side"),
                    py::arg("rules"), "A position from counts, A..F a..f.")
        .def_static(
            "parse",
            [](std::string_view text, const Rules& rules) { return unwrap(Position::parse(text, rules)); },
            py::arg("text"), py::arg("rules"), "A position from its text.")
        .def("text", &Position::text, "The text form.")
        .def("rules", &Position::rules, "The rules.")
        .def(
            "pits", [](const Position& p) { return counts(p.pits()); }, "The counts A..F a..f.")
        .def(
            "stores", [](const Position& p) { return std::pair(p.store(Side::south), p.store(Side::north)); },
            "South's and North's stores.")
        .def(
            "side", [](const Position& p) { return to_char(p.side_to_move()); }, "S or N.")
        .def("total", &Position::total, "The seeds in pits and stores.")
        .def(
            "legal_moves", [](const Position& p) { return letters(p.legal_moves()); },
            "The legal moves in letter order.")
        .def("refusal", &refusal_at, py::arg("move"),
             "The code of the reason why a move is refused, or None.")
        .def("play", &play, py::arg("move"),
             "The position after a move, the seeds captured, the move's own end.")
        .def(
            "ending", [](const Position& p) { return word(p.ending()); },
            "The reason why the game is over, judged without history, or None.")
        .def(
            "outcome",
            [](const Position& p) -> std::optional<OutcomeTuple> {
                const auto ending = p.ending();
                if (!ending.has_value()) return std::nullopt;
                return as_tuple(p.outcome(*ending));
            },
            "South's seeds, North's seeds, the winner or None, the ending; None while play goes on.")
        .def(
            "settled",
            [](const Position& p) -> std::optional<Position> {
                const auto ending = p.ending();
                if (!ending.has_value()) return std::nullopt;
                return p.settled(*ending);
            },
            "The position after the final sharing; None while play goes on.")
        .def(
            "equals", [](const Position& p, const Position& other) { return p == other; }, py::arg("other"),
            "Are seeds, side and rules equal?");
    m.def("refusal_words", &words_of<Refusal, Refusal::cannot_pass>, "A sentence for each refusal.");
    m.def("ending_words", &words_of<Ending, Ending::time>, "A sentence for each ending.");
}

}  // namespace wari::python
