// Distances: how many plies until the side with something to force captures or the game ends.
// Found for one board at a time by looking at the boards around it that keep the value, so no table has
// to store them. Owns that search only.
#pragma once

#include <functional>

#include "table_moves.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// A board seen by the side that forces (the seeker): `seeking` tells whether it is the one to move.
struct Quest {
    Board board;
    bool seeking = true;
};

/// What the table says the seeker gets from a board, or nothing where it cannot be read.
using SeekerGain = std::function<std::optional<int>(const Quest&)>;

struct Distances {
    int root = 0;                            ///< 0: the game is over
    std::array<int, kPitsPerRow> of_move{};  ///< by the order of table_moves; 0: keeps nothing, or no step
};

/// Precondition: the seeker's gain at the root can be forced, as every entry of a table can.
/// Nothing when an entry cannot be read.
std::optional<Distances> find_distances(const Quest& root, const Rules& rules, bool net,
                                        const SeekerGain& gain);

}  // namespace wari::detail
