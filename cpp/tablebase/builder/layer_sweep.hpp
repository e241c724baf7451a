// One sweep over all boards of a layer with seeds in both rows, in jobs that threads share.
#pragma once

#include <vector>

#include "layer_memory.hpp"
#include "row_plan.hpp"

namespace wari::detail {

class LayerSweep {
 public:
    LayerSweep(const Plans& plans, SweepKernels kernels, LayerMemory& memory, WorkerPool& pool)
        : plans_(plans), kernels_(kernels), memory_(memory), pool_(pool) {}

    /// Cuts the layer in the memory into jobs.
    void plan();
    /// Gives each board what its successors say now; how many changed. `changes`, if given, receives them:
    /// not in the first sweep, when the bytes that fill up the last strip of a block change, too.
    std::uint64_t run(std::vector<ChangedBoard>* changes);

    /// Boards of one job at most; each thread may have the changes of one.
    static constexpr std::uint64_t kJobBoards = 1U << 18;

 private:
    struct Job {
        int block = 0;
        SweepPiece piece;
    };
    SweepBlock describe(int m, SweepSource* sources) const;

    const Plans& plans_;
    SweepKernels kernels_;
    LayerMemory& memory_;
    WorkerPool& pool_;
    std::vector<Job> jobs_;
    std::vector<std::size_t> first_job_;  ///< of each block
    std::vector<SweepChange> changes_;    ///< of one job for each thread
};

}  // namespace wari::detail
