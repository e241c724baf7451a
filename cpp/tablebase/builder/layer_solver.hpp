// Solves one layer of a table when all smaller ones are known.
//
// Method. Every byte starts as "nothing can be forced" and is replaced by what its successors say until
// nothing changes. After k rounds a board holds what can be forced within k plies, so values only ever
// move away from the start, boards may be visited in any order, and what never gets a value is a cycle:
// worth 0, or nothing to either side. Whole rows of boards are handled at once (sweep_kernel.hpp), in
// the order of the mover's seeds, so that half of the successors are already of the same round.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "row_plan.hpp"
#include "sweep_kernel.hpp"
#include "table_data.hpp"
#include "table_moves.hpp"
#include "worker_pool.hpp"

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
    /// A block's place in the working memory. Blocks that read themselves have a twin to write to.
    struct Block {
        std::uint8_t* mover = nullptr;
        std::uint8_t* other = nullptr;
        std::uint8_t* twin_mover = nullptr;
        std::uint8_t* twin_other = nullptr;
        std::uint8_t* best_mover = nullptr;
        std::uint8_t* best_other = nullptr;
        std::uint8_t* when_mover = nullptr;
        std::uint8_t* when_other = nullptr;
        std::size_t strip_size = 0;       ///< bytes of a strip of own rows
        std::size_t best_strip_size = 0;  ///< bytes of a strip of opponent rows
    };
    struct Job {
        int block = 0;
        SweepPiece piece;
    };
    /// A board in the working memory: its block and its byte there.
    struct Spot {
        std::uint32_t block = 0;
        std::uint32_t offset = 0;
    };
    /// The same board as ranks of its rows.
    struct Place {
        std::uint32_t opp = 0;
        std::uint32_t own = 0;
    };
    /// A board with new bytes, or, once they are written, with its old ones.
    struct Changed {
        Spot spot;
        std::uint8_t mover = 0;
        std::uint8_t other = 0;
    };
    /// A board whose moves are listed one by one.
    struct Special {
        Spot spot;
        std::uint8_t best_mover = 0;
        std::uint8_t best_other = 0;
        std::uint32_t first = 0;
        std::uint32_t end = 0;
    };
    /// What leaving the layer is worth for the boards of one own row.
    struct BestRow {
        std::vector<std::uint8_t> mover;
        std::vector<std::uint8_t> other;
    };
    struct BestBytes {
        std::uint8_t mover = 0;
        std::uint8_t other = 0;
    };

    std::size_t place(int m, std::uint32_t opp, std::uint32_t own) const;
    void lay_out(int n);
    void plan_jobs(int n);
    void reset(int n);
    void fill_best(int n, const std::vector<Layer>& layers);
    void best_row(int n, int m, std::uint32_t row, const std::vector<Layer>& layers, BestRow& best) const;
    void store_best(int m, std::uint32_t row, const BestRow& best);
    BestBytes best_of(const TableMoves& moves, const std::vector<Layer>& layers) const;
    void list_specials(int n, const std::vector<Layer>& layers);
    void add_special(int m, const Board& board, const std::vector<Layer>& layers);
    std::uint64_t visit_specials(std::size_t begin, std::size_t end, std::vector<Changed>* changes);
    BestBytes negated(const BestBytes& best) const noexcept;
    BestBytes evaluate(const Special& special) const;
    BestBytes evaluate(int n, int m, std::uint32_t offset) const;
    /// One sweep over the layer; `changes`, if given, receives what changed.
    std::uint64_t round(int n, std::vector<Changed>* changes);
    Place place_of(int m, std::uint32_t offset) const;
    void mark(int m, std::uint32_t offset, std::vector<Spot>& into);
    void unmark(const Spot& spot);
    void mark_predecessors(int n, const Changed& changed, std::vector<Spot>& into);
    std::vector<Changed> apply(std::vector<Changed> found);
    void evaluate_specials(std::size_t begin, std::size_t end, std::vector<Changed>& found) const;
    void run_tail(int n, std::vector<Changed> changed);
    SweepBlock describe(int n, int m, SweepSource* sources) const;
    bool copy_out(int n, Layer& into, bool last_rounds);
    bool record_rounds();
    void note(const Spot& spot, bool mover, bool other) const;
    std::uint8_t round_mark() const noexcept;

    const Plans& plans_;
    TableKind kind_;
    SweepKernels kernels_;
    WorkerPool& pool_;
    Bytes memory_;
    Bytes when_;  ///< rounds of last changes, when they are wanted
    std::vector<Block> blocks_;
    std::vector<Job> jobs_;
    std::vector<std::size_t> first_job_;  ///< of each block
    std::vector<Special> specials_;
    std::size_t specials_of_empty_row_ = 0;
    std::vector<Spot> successors_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> marked_;  ///< a bit for each byte of the blocks
    std::vector<std::uint64_t> first_bit_;                  ///< of each block
    std::vector<SweepChange> changes_;                      ///< of one job for each thread
    int rounds_ = 0;
};

}  // namespace wari::detail
