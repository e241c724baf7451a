// How the values of children make the value of a node: what is proved, on how many quiet plies it rests, on
// which repetition.
#pragma once

#include "child.hpp"

namespace wari::WARI_ISA_NAMESPACE {

/// The value of a child, seen from its parent.
struct ChildValue {
    int value;
    std::uint8_t proof;
    std::uint8_t quiet_chain;
    std::int32_t repetition_index;
};

inline ChildValue child_value(const NodeValue& child, int captured) {
    ChildValue from_parent;
    from_parent.value = captured - child.value;
    from_parent.proof = turned_proof(child.proof);
    // A capture is never undone, so what comes after it cannot meet what stood before it.
    const int quiet_chain = captured != 0 ? 0 : child.quiet_chain + 1;
    from_parent.quiet_chain =
        static_cast<std::uint8_t>(quiet_chain < kMaxQuietChain ? quiet_chain : kMaxQuietChain);
    from_parent.repetition_index = child.repetition_index;
    return from_parent;
}

/// Collects the children's values into the node's.
struct NodeAccumulator {
    int best = -kInfinite;
    std::uint8_t best_proof = 0;
    std::uint8_t best_quiet_chain = 0;
    std::int32_t best_repetition_index = kNoRepetition;
    int best_pit = kNoMove;
    bool all_at_most = true;  ///< every child so far is proved to be worth at most what it counts for
    std::uint8_t quiet_chain = 0;
    std::int32_t repetition_index = kNoRepetition;

    void add(const ChildValue& from_parent, int pit) {
        if ((from_parent.proof & kAtMost) == 0) all_at_most = false;
        if (from_parent.quiet_chain > quiet_chain) quiet_chain = from_parent.quiet_chain;
        if (from_parent.repetition_index < repetition_index) repetition_index = from_parent.repetition_index;
        if (from_parent.value > best) {
            best = from_parent.value;
            best_proof = from_parent.proof;
            best_quiet_chain = from_parent.quiet_chain;
            best_repetition_index = from_parent.repetition_index;
            best_pit = pit;
        }
    }

    /// After a cut-off only the best child counts: it alone proves "at least".
    NodeValue cut() const {
        return {static_cast<std::int16_t>(best), static_cast<std::uint8_t>(best_proof & ~kAtMost),
                best_quiet_chain, best_repetition_index};
    }
    /// After all children.
    NodeValue all() const {
        const int at_most = all_at_most ? kAtMost : 0;
        return {static_cast<std::int16_t>(best), static_cast<std::uint8_t>((best_proof & ~kAtMost) | at_most),
                quiet_chain, repetition_index};
    }
};

inline NodeValue table_value(int value, BoundSet proof) {
    NodeValue result;
    result.value = static_cast<std::int16_t>(value);
    result.proof = static_cast<std::uint8_t>(proof | kFromTable);
    result.quiet_chain = kMaxQuietChain;
    return result;
}

}  // namespace wari::WARI_ISA_NAMESPACE
