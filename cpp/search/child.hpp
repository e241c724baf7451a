// The children of a node: making them, and what their values are worth to the parent. For the recursion and
// for the root. `static`: each instruction set keeps its own copy.
#pragma once

#include "game_end.hpp"

namespace wari {

/// A child of a node, before or after it was searched.
struct Child {
    Board next;
    std::uint64_t key = 0;
    std::int16_t captured = 0;  ///< in score units
    std::uint8_t pit = 0;
    bool finished = false;  ///< its game has ended, and `value` is its value
    NodeValue value;
    NodePlace place;
};

static inline NodePlace place_after(const NodePlace& place, int pit, int captured) noexcept {
    NodePlace next;
    next.at = place.at + 1;
    if (captured != 0) {
        next.since = next.at;
        next.seeds = place.seeds - captured;
    } else {
        next.since = place.since;
        next.played = played_after(place.played, pit);
        next.seeds = place.seeds;
    }
    return next;
}

/// Makes `pit` on the board of the node, or passes, and finds the end of the game that the move itself
/// brings.
static inline void make_child(const Board& b, const NodePlace& place, int pit, const Rules& rules,
                              Child& child) noexcept {
    const Made made = pit == kPassPit ? Made{pass(b)} : make(b, pit, rules);
    child.next = made.next;
    child.pit = static_cast<std::uint8_t>(pit);
    child.captured = static_cast<std::int16_t>(made.captured * kSeedUnits);
    child.place = place_after(place, pit, made.captured);
    child.finished = false;
    if (made.end != MoveEnd::none) [[unlikely]] {
        const int own = store_of(made.next.own) - store_of(b.opp);
        const int opp = store_of(made.next.opp) - store_of(b.own) - made.captured;
        child.value = proved_end(kSeedUnits * (own - opp));
        child.finished = true;
    }
}

/// Ends the game of a child whose board was there before since the last capture.
static inline void end_by_repetition(const Board* path, const Rules& rules, Child& child) noexcept {
    const std::int32_t earlier = earlier_occurrence(path, child.place.at, child.place.since, child.next);
    if (earlier < 0) return;
    child.value = proved_end(repetition_value(child.next, rules.repetition));
    child.value.repetition_index = earlier;
    child.finished = true;
}

/// The proof of a child's value as the parent sees it: "at least" becomes "at most" and the other way round.
static inline std::uint8_t turned_proof(std::uint8_t proof) noexcept {
    return static_cast<std::uint8_t>((proof & ~kBoth) | (proof & kAtLeast) << 1 | (proof & kAtMost) >> 1);
}

}  // namespace wari
