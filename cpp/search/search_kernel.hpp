// The recursion of the search below the root, one copy for each instruction set.
#pragma once

#include <cstdint>

#include "abdada.hpp"
#include "transposition.hpp"
#include "wari/board.hpp"
#include "wari/tablebase.hpp"

namespace wari {

struct EvaluationWeights;
struct Network;

/// More plies than any search reaches: lines end at a repetition, and iterations stop long before.
inline constexpr int kMaxPly = 1000;
/// The longest line kept for people.
inline constexpr int kMaxLine = 120;
/// Above every score: 96 seeds are 9,600.
inline constexpr int kInfinite = 16000;

/// Seeds in a pit that the history heuristic keeps apart; the last column holds all above.
inline constexpr int kHistoryColumns = 32;

/// The value rests on no repetition of a position above.
inline constexpr std::int32_t kNoRepetition = 0x7FFF'FFFF;

/// Part of a NodeValue's proof: a table had its say in it.
inline constexpr std::uint8_t kFromTable = 4;
/// Part of a NodeValue's proof: the end of the game itself decided it.
inline constexpr std::uint8_t kFromEnd = 8;

/// What a node returns. `value` counts future seeds from the side to move in the node.
struct NodeValue {
    std::int16_t value = 0;
    std::uint8_t proof = 0;  ///< BoundSet of what is proved of `value`, kFromTable, kFromEnd
    std::uint8_t quiet_chain =
        0;  ///< longest chain of quiet plies the value rests on, at most kMaxQuietChain
    std::int32_t repetition_index =
        kNoRepetition;  ///< least path index of a position whose repetition it rests on
};

/// Where a node stands.
struct NodePlace {
    std::int32_t at = 0;     ///< index of the node in the path
    std::int32_t since = 0;  ///< index of the first position after the last capture
    unsigned played = 0;     ///< pits played since then: bits 0-5 the side to move's, 6-11 the other's
    int seeds = 0;           ///< on the board
};

struct PvLine {
    int length = 0;
    std::uint8_t pits[kMaxLine];
};

/// One thread's share of a search. Plain data, so that no kernel needs code of another instruction set.
struct SearchThread {
    Rules rules;  ///< majority off: it never changes a value
    TableView table;
    /// For a search that proves: where the side to move wants to prove, and where the other does.
    TableView proof_tables[2];
    int prover_ply = 0;  ///< 0: the side to move at the root wants to prove, 1: the other

    const Tablebase* tablebase = nullptr;
    int tablebase_seeds = -1;
    /// Up to so many seeds it is asked close to the horizon, too.
    int leaf_tablebase_seeds = -1;
    /// Is time worth more than the same answer every time? Then a block of the tablebase's file is unpacked
    /// only where that pays.
    bool saves_time = false;
    std::uint64_t unpacked = 0;  ///< blocks of it

    const EvaluationWeights* weights = nullptr;
    /// Table entries count at exactly their depth and proofs are not used: values equal plain minimax.
    bool full_width = false;

    InProgressTable* busy = nullptr;  ///< what the other threads have in work; none when there is one thread

    Board* path = nullptr;    ///< positions since the last capture of the game, then the line in work
    int root_at = 0;          ///< index of the root in it
    PvLine* lines = nullptr;  ///< one for each ply

    std::uint64_t nodes = 0;
    std::uint64_t next_poll = 0;
    std::uint64_t table_hits = 0;  ///< tablebase
    int deepest = 0;
    bool aborted = false;
    /// Called when `nodes` passes `next_poll`; sets `aborted` or the next poll.
    void (*poll)(SearchThread& thread) = nullptr;
    void* owner = nullptr;

    std::int32_t history[kPitsPerRow][kHistoryColumns];
};

/// Searches `path[place.at]` with at least `depth` >= 0 plies. Contract, fail-soft: with alpha < beta,
/// value <= alpha means "at most value", value >= beta "at least value", else it is the value.
/// A PV node (`pv`) fills lines[ply]. Unless the thread is aborted: then the value means nothing.
using SearchKernel = NodeValue (*)(SearchThread& thread, const NodePlace& place, int alpha, int beta,
                                   int depth, bool pv);

/// What the network says of a board with so many seeds, before any limit (network.hpp).
using NetworkKernel = int (*)(const Network& network, const Board& board, int seeds);

struct SearchKernels {
    SearchKernel material = nullptr;
    SearchKernel linear = nullptr;
    SearchKernel network = nullptr;
    SearchKernel proof = nullptr;  ///< every value a proved bound for the side that proves
    NetworkKernel network_value = nullptr;
};

namespace portable {
SearchKernels search_kernels();
}
namespace v3 {
SearchKernels search_kernels();
}
namespace v4 {
SearchKernels search_kernels();
}

}  // namespace wari
