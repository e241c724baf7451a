// What the tablebase says of the moves at the root.
//
// Table values hold without quiet history. At a root with none the position's bounds are proved, and so
// is the value of the best move that makes most progress: it never comes back to the root. Of the other
// quiet moves, and of all at a root with quiet plies behind it, the table's word is a guide, no proof.
//
// What may be called proved is one thing, which move to play another: the floor of a move is what it keeps
// for sure, and none is played that has a lower floor than another one.
#pragma once

#include <array>

#include "root_search.hpp"

namespace wari {

/// Bounds of one root move in score units, from the side that makes it.
struct TableVerdict {
    bool known = false;
    int lower = -kInfinite;
    int upper = kInfinite;
    bool at_least = false;   ///< `lower` is proved
    bool at_most = false;    ///< `upper` is proved
    bool sure = false;       ///< `lower` can be forced, the history counted
    bool finished = false;   ///< by the end of the game, this history counted
    int rank = kPitsPerRow;  ///< among the best moves of the table, by progress; kPitsPerRow: none of them
};

struct RootTables {
    bool known = false;
    bool quiet_history = false;
    Bounds bounds;     ///< of the position, in score units; proved without quiet history
    int distance = 0;  ///< plies to the next capture or end on the line the table keeps to
    std::array<TableVerdict, kPitsPerRow + 1> verdicts;  ///< by pit

    /// Was the distance looked for to the end?
    bool distance_known = true;
    TableKind kind = TableKind::value;

    /// The moves among which to choose when one line is wanted, as a set of pits. Where the value is exact
    /// and something has to be forced it is the one that makes most progress; where the value is kept by
    /// waiting, those that keep it, for search to choose: it sees which positions may recur. Where the bounds
    /// are open it is the moves with the highest floor, and every move where nothing is known.
    PitSet choice() const noexcept;
    /// Can no search change which move to choose, or what is sure of it? Not so where the past may matter.
    bool settled() const noexcept;
    /// Is it a single move, so that search is only for showing the line?
    bool sure() const noexcept { return known && bounds.exact() && distance > 0; }

 private:
    PitSet keeping_the_value() const noexcept;
    PitSet with_the_highest_floor() const noexcept;
};

/// `options` limits what may be done to find distances; the past is the problem's.
RootTables ask_tables(const RootProblem& problem, std::span<const RootMove> moves, ProbeOptions options);

/// A line's value and proof after the table's word. `proof` as in NodeValue, seen from the root.
struct RootScore {
    int value = 0;
    std::uint8_t proof = 0;
    bool history_ignored = false;
};
RootScore score_of_root_move(const RootTables& tables, const RootMove& move);

}  // namespace wari
