// How the values of children make the value of a node: what is proved, on how many quiet plies it rests,
// on which repetition. Private; part of the kernels. Must not know order, windows or tables.
#pragma once

#include "search_kernel.hpp"

namespace wari::WARI_ISA_NAMESPACE {

/// The value of a child, seen from its parent.
struct Seen {
    int value;
    std::uint8_t proof;
    std::uint8_t reach;
    std::int32_t rests_on;
};

inline Seen seen_from_parent(const NodeValue& child, int captured) {
    Seen seen;
    seen.value = captured - child.value;
    seen.proof = static_cast<std::uint8_t>((child.proof & ~kBoth) | (child.proof & kAtLeast) << 1 |
                                           (child.proof & kAtMost) >> 1);
    // A capture is never undone, so what comes after it cannot meet what stood before it.
    const int reach = captured != 0 ? 0 : child.reach + 1;
    seen.reach = static_cast<std::uint8_t>(reach < kMaxReach ? reach : kMaxReach);
    seen.rests_on = child.rests_on;
    return seen;
}

/// Collects the children's values into the node's.
struct Gathering {
    int best = -kInfinite;
    std::uint8_t best_proof = 0;
    std::uint8_t best_reach = 0;
    std::int32_t best_rests_on = kFree;
    int best_pit = kNoMove;
    bool all_at_most = true;  ///< every child so far is proved to be worth at most what it counts for
    std::uint8_t reach = 0;
    std::int32_t rests_on = kFree;

    void add(const Seen& seen, int pit) {
        if ((seen.proof & kAtMost) == 0) all_at_most = false;
        if (seen.reach > reach) reach = seen.reach;
        if (seen.rests_on < rests_on) rests_on = seen.rests_on;
        if (seen.value > best) {
            best = seen.value;
            best_proof = seen.proof;
            best_reach = seen.reach;
            best_rests_on = seen.rests_on;
            best_pit = pit;
        }
    }

    /// After a cut-off only the best child counts: it alone proves "at least".
    NodeValue cut() const {
        return {static_cast<std::int16_t>(best), static_cast<std::uint8_t>(best_proof & ~kAtMost), best_reach,
                best_rests_on};
    }
    /// After all children.
    NodeValue all() const {
        const int at_most = all_at_most ? kAtMost : 0;
        return {static_cast<std::int16_t>(best), static_cast<std::uint8_t>((best_proof & ~kAtMost) | at_most),
                reach, rests_on};
    }
};

inline NodeValue table_value(int value, BoundSet proof) {
    NodeValue result;
    result.value = static_cast<std::int16_t>(value);
    result.proof = static_cast<std::uint8_t>(proof | kFromTable);
    result.reach = kMaxReach;
    return result;
}

}  // namespace wari::WARI_ISA_NAMESPACE
