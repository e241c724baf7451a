// The ends of lines: what a finished board is worth, when a position recurs, when it still can. `static`:
// each instruction set keeps its own copy.
#pragma once

#include "search_kernel.hpp"
#include "wari/score.hpp"

namespace wari {

/// Net seeds the side to move gains by the final sharing.
static inline int settled_value(const Board& b, Remainder rule) noexcept {
    const Board swept = sweep(b, rule);
    const int own = store_of(swept.own) - store_of(b.own);
    const int opp = store_of(swept.opp) - store_of(b.opp);
    return kSeedUnits * (own - opp);
}

static inline int repetition_value(const Board& b, Repetition rule) noexcept {
    return settled_value(b, rule == Repetition::split ? Remainder::split : Remainder::owner);
}

static inline NodeValue proved_end(int value) noexcept {
    NodeValue result;
    result.value = static_cast<std::int16_t>(value);
    result.proof = kBoth | kFromEnd;
    return result;
}

inline constexpr unsigned kAllPlayed = 0xFFF;

/// `played` after the side to move plays `pit` quietly, from the opponent's side; a pass plays none.
static inline unsigned played_after(unsigned played, int pit) noexcept {
    const unsigned mover = (played & 0x3F) | (pit < kPitsPerRow ? 1U << pit : 0U);
    return (played >> 6) | mover << 6;
}

/// The fewest plies until a position of the quiet stretch can recur. For a position to recur every pit
/// must be played on the way: a pit that is never played only gains seeds, so none may be sown into it,
/// so the pit before it is never played either, and so on round the board.
/// At the first position of a stretch nothing above can recur.
static inline int plies_to_recur(const NodePlace& place) noexcept {
    if (place.at == place.since) return kMaxQuietChain + 1;
    const int mover = 2 * (6 - std::popcount(place.played & 0x3F)) - 1;
    const int other = 2 * (6 - std::popcount(place.played >> 6 & 0x3F));
    return mover > other ? mover : other;
}

/// The path index of the earlier occurrence of path[at], or -1. Sides alternate, so only every second
/// position can be the same one. The stores have not changed since the last capture.
static inline std::int32_t earlier_occurrence(const Board* path, std::int32_t at, std::int32_t since,
                                              const Board& b) noexcept {
    for (std::int32_t i = at - 12; i >= since; i -= 2) {
        if (path[i] == b) return i;
    }
    return -1;
}

/// Does the game go on here for certain, at a glance? Both rows hold seeds and no slam can bar every move.
static inline bool plainly_goes_on(const Board& b, const Rules& rules) noexcept {
    return !row_empty(b.own) && !row_empty(b.opp) &&
           (rules.grand_slam != GrandSlam::forbidden || slam_impossible(b.opp));
}

}  // namespace wari
