// Distances: how many plies until the side with something to force captures or the game ends.
//
// Two ways, so that no table has to store them. The near one looks at the boards around the root that keep
// the value, ring by ring, and is exact. Where too many boards would have to be looked at, the layer is
// solved again with the round of each board's last change: along moves that keep the value those rounds
// fall, so following them makes progress, and walking the line counts its plies.
//
// The two agree: if the rings of a board's line held few boards, so do those of every later board of it, on
// either side's turn. A player goes from rounds to rings at most once, and no board of the first part can
// come up in the second.
#pragma once

#include <functional>
#include <span>

#include "table_moves.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// A board seen by the side that forces (the attacker): is it the one to move?
struct DistanceQuery {
    Board board;
    bool attacker_to_move = true;
};

/// What the table says the attacker gets from a board, or nothing where it cannot be read.
using AttackerGain = std::function<std::optional<int>(const DistanceQuery&)>;

struct Distances {
    int root = 0;                            ///< 0: the game is over
    std::array<int, kPitsPerRow> of_move{};  ///< by the order of table_moves; 0: keeps nothing, or no step
    /// Of a quiet step: no line of it meets the root again or a board of the past.
    std::array<bool, kPitsPerRow> clear{};
};

enum class DistanceAnswer : std::uint8_t { found, unreadable, too_many, stopped };

/// The question: the root, the rules, and the boards before it, which may have come up already.
struct DistanceProblem {
    const DistanceQuery& root;
    std::span<const DistanceQuery> past;
    const Rules& rules;
    bool net = false;
    const AttackerGain& gain;
    const Task<>* task = nullptr;
};

/// Precondition: the attacker's gain at the root can be forced, as every entry of a table can.
/// Looks at no more than `limit` boards (0: at as many as it takes).
DistanceAnswer near_distances(const DistanceProblem& problem, std::size_t limit, Distances& into);

/// A number that falls along lines which keep the value; 0 for a board that nothing is forced from.
using RoundOf = std::function<int(const DistanceQuery&)>;

DistanceAnswer distances_by_round(const DistanceProblem& problem, const RoundOf& round_of, Distances& into);

}  // namespace wari::detail
