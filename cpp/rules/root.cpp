// A game as a search sees it.
#include "wari/root.hpp"

namespace wari {

Root::Root(const Position& set_up) : position(set_up) {}

Root::Root(const Game& game) : position(game.position()), ending(game.ending()) {
    const auto boards = game.boards_since_capture();
    history.assign(boards.begin(), boards.end());
}

}  // namespace wari
