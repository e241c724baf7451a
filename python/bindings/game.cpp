// Game for Python, and lists of moves.
#include "wari/game.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert.hpp"
#include "wari/notation.hpp"

namespace wari::python {
namespace {

int push(Game& game, std::string_view text) {
    const Move move = unwrap(parse_move(text));
    if (const auto refused = game.refusal(move)) raise_refused(illegal(move, *refused), move, *refused);
    return unwrap(game.push(move)).captured;
}

void push_all(Game& game, std::string_view text) {
    const std::vector<Move> moves = unwrap(parse_moves(text));
    if (const auto refused = push_moves(game, moves)) {
        raise_refused(refused->error(), refused->move, refused->refusal);
    }
}

Word refusal_in_game(const Game& game, std::string_view text) {
    return word(game.refusal(unwrap(parse_move(text))));
}

void called(const Status& status) {
    if (status.has_value()) raise_game_over(*status);
}

Position at(const Game& game, std::size_t ply) {
    if (ply > game.size()) throw py::index_error("no such ply");
    return game.at(ply);
}

std::optional<OutcomeTuple> outcome(const Game& game) {
    const auto outcome = game.outcome();
    if (!outcome.has_value()) return std::nullopt;
    return as_tuple(*outcome);
}

}  // namespace

void bind_game(py::module_& m) {
    py::class_<Game>(m, "Game", "A start position, the moves since, and the end.")
        .def_static(
            "begin", [](const Position& start) { return Game(start); }, py::arg("start"),
            "A game that begins there.")
        .def(
            "copy", [](const Game& game) { return game; }, "A game of its own with the same moves.")
        .def("position", &Game::position, "The position now.")
        .def("at", &at, py::arg("ply").noconvert(), "The position after that many moves.")
        .def("size", &Game::size, "The moves played, passes included.")
        .def("moves", &moves_text, "The letters of the moves.")
        .def("quiet_plies", &Game::quiet_plies, "The plies since the last capture.")
        .def(
            "legal_moves", [](const Game& game) { return letters(game.legal_moves()); }, "The legal moves.")
        .def("refusal", &refusal_in_game, py::arg("move"),
             "The code of the reason why a move is refused, or None.")
        .def("push", &push, py::arg("move"), "Plays a move; the seeds captured.")
        .def("push_all", &push_all, py::arg("moves"), "Plays a list of moves, or none of them.")
        .def(
            "pop", [](Game& game) { return unwrap(game.pop()).letter; }, "Takes the last move back.")
        .def(
            "agree", [](Game& game) { called(game.agree()); }, "Ends the game by agreement.")
        .def(
            "resign", [](Game& game, std::string_view side) { called(game.resign(side_from(side))); },
            py::arg("side"), "A side gives up.")
        .def(
            "lose_on_time",
            [](Game& game, std::string_view side) { called(game.lose_on_time(side_from(side))); },
            py::arg("side"), "A side's time is up.")
        .def(
            "ending", [](const Game& game) { return word(game.ending()); }, "The code of the end, or None.")
        .def("outcome", &outcome, "South's seeds, North's seeds, the winner or None, the ending; or None.")
        .def("settled", &Game::settled, "The position after the final sharing.")
        .def(
            "equals", [](const Game& game, const Game& other) { return game == other; }, py::arg("other"),
            "Are rules, starts, moves and endings equal?");
}

}  // namespace wari::python
