// The perft recursion. Compiled once for each instruction set, each time in that set's namespace.
#include "perft_kernel.hpp"

namespace wari::WARI_ISA_NAMESPACE {
namespace {

constexpr int kStopAskDepth = 7;  // ask for a stop above subtrees of some 100,000 leaves

void add(Perft& sum, const Perft& part) {
    sum.nodes += part.nodes;
    sum.captured += part.captured;
}

// Makes every child of `board`, whose game is known to go on past the majority test.
Perft leaves(PerftRun& run, const Board& board) {
    Perft sum;
    std::uint64_t digest = 0;
    const auto play = [&](int pit) {
        const Made made = make(board, pit, run.rules);
        sum.captured += static_cast<std::uint64_t>(made.captured);
        digest += made.next.own ^ made.next.opp;
    };
    if (all_pits_legal(board, run.rules)) [[likely]] {
        // All six without a branch on which hold seeds, for that is another coin toss: sowing an
        // empty pit changes and captures nothing.
        sum.nodes = static_cast<std::uint64_t>(std::popcount(pits_with(board.own, 1)));
#pragma GCC unroll 6
        for (int pit = 0; pit < kPitsPerRow; ++pit) play(pit);
    } else {
        for (PitSet rest = legal_pits(board, run.rules); rest != 0; rest &= rest - 1) {
            play(std::countr_zero(rest));
            ++sum.nodes;
        }
    }
    if (sum.nodes == 0 && must_pass(board, run.rules)) [[unlikely]]
        sum.nodes = 1;
    run.digest += digest;
    return sum;
}

Perft walk(PerftRun& run, const Board& board, int depth) {
    Perft sum;
    if (run.rules.majority && has_majority(board, run.total)) return sum;
    if (depth == 1) return leaves(run, board);
    if (depth == kStopAskDepth && run.task->stopped()) run.stopped = true;
    if (run.stopped) return sum;
    const PitSet legal = legal_pits(board, run.rules);
    if (legal == 0) [[unlikely]] {
        if (must_pass(board, run.rules)) return walk(run, pass(board), depth - 1);
        return sum;
    }
    for (PitSet rest = legal; rest != 0; rest &= rest - 1) {
        const Made made = make(board, std::countr_zero(rest), run.rules);
        if (made.end != MoveEnd::none) [[unlikely]]
            continue;
        add(sum, walk(run, made.next, depth - 1));
    }
    return sum;
}

}  // namespace

Perft perft_kernel(PerftRun& run, const Board& board, int depth) { return walk(run, board, depth); }

}  // namespace wari::WARI_ISA_NAMESPACE
