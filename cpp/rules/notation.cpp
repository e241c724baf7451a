// Reading and writing lists of moves.
#include "wari/notation.hpp"

namespace wari {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool misses_pass(const Game& game, Move move) {
    const Position position = game.position();
    return !game.is_over() && position.is_legal(Move{}) && position.refusal(move) == Refusal::not_your_pit;
}

}  // namespace

Expected<std::vector<Move>> parse_moves(std::string_view text) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_space(text[i])) continue;
        const auto move = parse_move(text.substr(i, 1));
        if (!move) {
            const bool plain = text[i] > ' ' && text[i] <= '~';
            return Error{ErrorKind::bad_value, "moves",
                         "moves: move " + std::to_string(moves.size() + 1) + " is '" +
                             (plain ? text[i] : '?') + "', not one of A-F, a-f or - (a pass)"};
        }
        moves.push_back(*move);
    }
    return moves;
}

std::string to_text(std::span<const Move> moves) {
    std::string text;
    for (const Move move : moves) text += move.letter;
    return text;
}

std::string moves_text(const Game& game) {
    std::string text;
    for (const Ply& ply : game.plies()) text += ply.move.letter;
    return text;
}

Error RefusedMove::error() const {
    return {ErrorKind::illegal_move, "moves",
            "moves: move " + std::to_string(index + 1) + ", " + move.letter +
                ", is not legal there: " + std::string(in_words(refusal))};
}

std::optional<RefusedMove> push_moves(Game& game, std::span<const Move> moves) {
    const std::size_t before = game.size();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (misses_pass(game, moves[i])) (void)game.push(Move{});
        if (const auto refused = game.refusal(moves[i])) {
            while (game.size() > before) (void)game.pop();
            return RefusedMove{i, moves[i], *refused};
        }
        (void)game.push(moves[i]);
    }
    return std::nullopt;
}

Expected<Game> replay(const Position& start, std::string_view text) {
    const auto moves = parse_moves(text);
    if (!moves) return moves.error();
    Game game(start);
    if (const auto refused = push_moves(game, *moves)) return refused->error();
    return game;
}

}  // namespace wari
