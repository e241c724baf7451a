// The moves of a board as tables see them: what each side gets at once and what board remains.
//
// Slow and general: the fast builder has its own way for regular moves and comes here for the others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "wari/board.hpp"

namespace wari::detail {

/// What the two sides receive, seen from the side to move.
struct Shares {
    int mover = 0;
    int other = 0;
};

/// A move: either the game ends and `got` is final, or `next` (stores 0) is played on by the other side.
struct TableMove {
    int pit = 0;
    bool ends = false;
    Shares got;
    Board next;

    bool quiet() const noexcept { return !ends && got.mover == 0; }
};

/// At most six moves. Without any the game is over and `settled` is the final sharing.
struct TableMoves {
    std::array<TableMove, kPitsPerRow> moves;
    int count = 0;
    Shares settled;

    const TableMove* begin() const noexcept { return moves.data(); }
    const TableMove* end() const noexcept { return moves.data() + count; }
};

static inline Board without_stores(const Board& b) noexcept { return {b.own & kRowBits, b.opp & kRowBits}; }

static inline TableMove table_move(const Board& b, int pit, const Rules& rules) noexcept {
    const Made made = make(b, pit, rules);
    TableMove move;
    move.pit = pit;
    move.next = without_stores(made.next);
    move.got = {store_of(made.next.opp), store_of(made.next.own)};
    move.ends = made.end != MoveEnd::none || (move.next.own | move.next.opp) == 0;
    return move;
}

/// Precondition: the stores of `b` are 0.
static inline TableMoves table_moves(const Board& b, const Rules& rules) noexcept {
    TableMoves list;
    const PitSet legal = legal_pits(b, rules);
    if (legal == 0) {
        if (must_pass(b, rules)) {
            list.moves[0] = {kPassPit, false, {}, pass(b)};
            list.count = 1;
        } else {
            const Board swept = sweep(b, rules.remainder);
            list.settled = {store_of(swept.own), store_of(swept.opp)};
        }
        return list;
    }
    for (PitSet rest = legal; rest != 0; rest &= rest - 1) {
        list.moves[static_cast<std::size_t>(list.count++)] = table_move(b, std::countr_zero(rest), rules);
    }
    return list;
}

}  // namespace wari::detail
