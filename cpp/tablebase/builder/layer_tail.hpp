// The tail of a layer: when few boards still change, only their predecessors are looked at.
//
// A cycle of the tail has three steps, each spread over the threads: evaluate the boards in question (nothing
// is written), write what changed, and mark the predecessors of what changed. A predecessor is in question
// only if the new byte beats what it has, or the old byte was what it had.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "layer_memory.hpp"
#include "one_sided_boards.hpp"
#include "row_plan.hpp"

namespace wari::detail {

class LayerTail {
 public:
    /// For layers of up to so many bytes of boards (LayerMemory::board_bytes).
    LayerTail(const Plans& plans, LayerMemory& memory, const OneSidedBoards& one_sided, WorkerPool& pool,
              std::size_t board_bytes);

    /// Goes on from the boards that the last round changed until nothing changes, or the pool is stopped; the
    /// rounds that took, those before included.
    int run(std::vector<ChangedBoard> changed, int rounds);
    /// Writes new bytes; the list then holds the old ones.
    void write(std::vector<ChangedBoard>& changed);

 private:
    EntryBytes evaluate(const BoardSpot& spot) const;
    void mark(const BoardSpot& spot, std::vector<BoardSpot>& into);
    void unmark(const BoardSpot& spot);
    void mark_predecessors(const ChangedBoard& changed, std::vector<BoardSpot>& into);
    void mark_all(const std::vector<ChangedBoard>& changed, std::vector<BoardSpot>& spots);
    std::vector<ChangedBoard> evaluate_all(const std::vector<BoardSpot>& spots);

    const Plans& plans_;
    LayerMemory& memory_;
    const OneSidedBoards& one_sided_;
    WorkerPool& pool_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> marked_;  ///< a bit for each byte of the blocks
};

}  // namespace wari::detail
