// Proving what a position is worth: who wins, and by how much. Honest: what is not proved is not said.
#pragma once

#include <optional>

#include "wari/limits.hpp"
#include "wari/position.hpp"
#include "wari/root.hpp"
#include "wari/task.hpp"

namespace wari {

/// What is proved of the final margin of the side to move, own store minus the opponent's, in seeds.
struct Solution {
    int lower = -kMaxSeeds;
    int upper = kMaxSeeds;
    std::optional<Ending> ending;  ///< why the game is over, where it is; then the bounds are its result
    std::optional<Move> move;      ///< a move proved to be worth at least `lower`, where search found one
    int depth = 0;                 ///< plies looked ahead
    std::uint64_t nodes = 0;
    double seconds = 0;

    bool exact() const noexcept { return lower == upper; }
    bool wins() const noexcept { return lower > 0; }
    bool loses() const noexcept { return upper < 0; }
    bool draws() const noexcept { return lower == 0 && upper == 0; }
    /// Is it known who wins, or that nobody does?
    bool decided() const noexcept { return wins() || loses() || draws(); }
};

struct SolveRequest {
    Root root;  ///< all its moves: `moves` is empty
    Limits limits;
    bool winner_only = false;  ///< stop as soon as it is known who wins
    /// Gets a solution at the start, when a bound improves, and when a depth is done.
    Task<Solution> task;
};

}  // namespace wari
