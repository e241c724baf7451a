// What a search is asked, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wari/limits.hpp"
#include "wari/position.hpp"
#include "wari/root.hpp"
#include "wari/score.hpp"
#include "wari/task.hpp"

namespace wari {

/// How often a search asks its task whether to stop.
inline constexpr double kStopSeconds = 0.01;
/// How long a search has to last before it reports its current move.
inline constexpr double kCurrentMoveSeconds = 1.0;

/// A root move with its value and the line that gives it.
struct Line {
    Move move;
    Score score;  ///< of this move, from the side to move at the root
    int depth = 0;
    std::vector<Move> pv;  ///< begins with `move`; ends where the game would, at the latest
};

struct Analysis {
    std::vector<Line> lines;       ///< best first; empty when the game is over
    Score score;                   ///< of the position
    std::optional<Ending> ending;  ///< why the game is over, where it is
    int depth = 0;                 ///< the last iteration completed
    int selective_depth = 0;       ///< the deepest ply looked at
    std::uint64_t nodes = 0;       ///< positions made and visited
    std::uint64_t table_hits = 0;  ///< answers from the tablebase
    double seconds = 0;
    int hash_permille = 0;  ///< how full the transposition table is
    bool finished = false;  ///< depth reached or all proved, not stopped by a limit
};

/// The root move that is being searched.
struct CurrentMove {
    Move move;
    int number = 0;  ///< from 1: its place in the order of this iteration
    int depth = 0;   ///< of this iteration
};

struct SearchRequest {
    Root root;
    Limits limits;
    int multipv = 1;
    /// Gets an analysis after each iteration.
    Task<Analysis> task;
    /// Gets each root move taken up, but the first, that is still being searched at the next look at the
    /// clock, once the search has lasted kCurrentMoveSeconds.
    std::function<void(const CurrentMove&)> on_current_move;
};

}  // namespace wari
