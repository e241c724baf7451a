// Solves one layer of a table when all smaller ones are known.
//
// Method. Every byte starts as "nothing can be forced" and is replaced by what its successors say until
// nothing changes. After k rounds a board holds what can be forced within k plies, so values only ever
// move away from the start, boards may be visited in any order, and what never gets a value is a cycle:
// worth 0, or nothing to either side. Whole rows of boards are handled at once (sweep_kernel.hpp), in
// the order of the mover's seeds, so that half of the successors are already of the same round.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "layer_memory.hpp"
#include "layer_sweep.hpp"
#include "layer_tail.hpp"
#include "one_sided_boards.hpp"

namespace wari::detail {

/// The instruction set's kernels that the running processor can use.
SweepKernels best_sweep_kernels();

class LayerSolver {
 public:
    /// Allocates for layers up to `seeds`; ok() is false when memory is refused.
    LayerSolver(const Plans& plans, TableKind kind, int seeds, SweepKernels kernels, WorkerPool& pool);

    bool ok() const noexcept { return static_cast<bool>(memory_); }

    /// Fills `into` (allocated here) with layer n. `layers` holds all smaller ones.
    /// Returns false when stopped or when memory is refused (then `into` is empty).
    /// `report` receives now and then which part of the work is done, an estimate; `last_rounds`, if
    /// given, the round of each last change.
    bool solve(int n, const std::vector<Layer>& layers, Layer& into,
               const std::function<void(double)>& report, Layer* last_rounds = nullptr);

    /// Bytes of working memory that solving layer `seeds` touches, from above; marks, of the largest layer
    /// from the start; and what those rounds take besides.
    static std::uint64_t memory_needed(TableKind kind, int seeds, int lanes, int threads);
    static std::uint64_t marks_needed(int seeds, int lanes);
    static std::uint64_t rounds_needed(TableKind kind, int seeds, int lanes);

    /// Of two boards changed in one round, the one with the smaller order was changed first.
    static int order_in_round(int n, int own_seeds) noexcept;

    int rounds() const noexcept { return rounds_; }  ///< of the last layer

 private:
    /// One visit of every board; `changes`, if given, receives what changed.
    std::uint64_t round(std::vector<ChangedBoard>* changes);
    std::uint64_t visit_one_sided(std::size_t begin, std::size_t end, std::vector<ChangedBoard>* changes);

    const Plans& plans_;
    WorkerPool& pool_;
    LayerMemory memory_;
    OneSidedBoards one_sided_;
    LayerSweep sweep_;
    LayerTail tail_;
    int rounds_ = 0;
};

}  // namespace wari::detail
