// What a search starts from.
#pragma once

#include <optional>
#include <vector>

#include "wari/export.hpp"
#include "wari/game.hpp"
#include "wari/position.hpp"

namespace wari {

/// A position with the game behind it, as a Game gives it, and the moves asked for.
struct WARI_API Root {
    Position position;
    /// The positions since the last capture, oldest first, each from its own side to move; the present
    /// one may or may not stand at the end (Game::boards_since_capture).
    std::vector<Board> history;
    std::optional<Ending> ending;  ///< of a game that is over for a reason that needs its history
    std::vector<Move> moves;       ///< look at these only; empty: all

    Root() = default;
    Root(const Position& set_up);
    Root(const Game& game);
};

}  // namespace wari
