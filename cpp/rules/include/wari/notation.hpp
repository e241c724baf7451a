// Lists of moves as text, and playing them into a game. Position text is position.hpp's, rule text
// rules.hpp's; files and protocols belong to whoever reads them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/game.hpp"

namespace wari {

/// Reads letters and passes, white space between them or not: "FfEd", "F f - d".
/// Error: bad_value naming `moves`, the number of the move and the letter.
WARI_API Expected<std::vector<Move>> parse_moves(std::string_view text);

/// The letters without spaces, passes as `-`.
WARI_API std::string to_text(std::span<const Move> moves);

/// The moves of a game as text.
WARI_API std::string moves_text(const Game& game);

/// A move of a list that the rules refuse.
struct WARI_API RefusedMove {
    std::size_t index = 0;  ///< its place in the list, from 0
    Move move;
    Refusal refusal = Refusal::game_over;

    /// illegal_move naming `moves`, the number of the move (from 1), the letter and the reason.
    Error error() const;
};

/// Plays the moves in order. A missing pass is put in: where the side to move must pass and the next
/// move is the other side's. Returns the first refused move; then the game is unchanged.
WARI_API std::optional<RefusedMove> push_moves(Game& game, std::span<const Move> moves);

/// A game from its start and its moves. Errors: those of parse_moves and of RefusedMove.
WARI_API Expected<Game> replay(const Position& start, std::string_view moves);

}  // namespace wari
