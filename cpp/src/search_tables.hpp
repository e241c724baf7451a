// What the tablebase says of the moves at the root. Private.
// Owns the choice by table and what may be called proved. Must not know how search or tables work inside.
//
// Table values hold without quiet history. At a root with none the position's bounds are proved, and so
// is the value of the best move that makes most progress: it never comes back to the root. Of the other
// quiet moves, and of all at a root with quiet plies behind it, the table's word is a guide, no proof.
#pragma once

#include <array>

#include "search_root.hpp"

namespace wari {

/// Bounds of one root move in score units, from the side that makes it.
struct TableWord {
    bool known = false;
    int lower = -kInfinite;
    int upper = kInfinite;
    bool proved = false;
    bool decided = false;    ///< by the end of the game, this history counted
    int rank = kPitsPerRow;  ///< among the best moves of the table, by progress; kPitsPerRow: none of them
};

struct RootTables {
    bool known = false;
    bool quiet_history = false;
    Bounds bounds;     ///< of the position, in score units; proved without quiet history
    int distance = 0;  ///< plies to the next capture or end on the line the table keeps to
    std::array<TableWord, kPitsPerRow + 1> words;  ///< by pit

    /// The moves among which to choose when one line is wanted, as a set of pits. Where something has to
    /// be forced it is the one that makes most progress; where the value is kept by waiting, those that
    /// keep it, for search to choose: it sees which positions may recur. All where the bounds are open.
    PitSet choice() const noexcept;
    /// Is it a single move, so that search is only for showing the line?
    bool sure() const noexcept { return known && bounds.exact() && distance > 0; }
};

RootTables ask_tables(const RootProblem& problem, std::span<const RootMove> moves);

/// A line's value and proof after the table's word. `proof` as in NodeValue, seen from the root.
struct Judged {
    int value = 0;
    std::uint8_t proof = 0;
    bool history_ignored = false;
};
Judged judge(const RootTables& tables, const RootMove& move);

}  // namespace wari
