// What the moves that leave a layer are worth: captures and moves that end the game.
#pragma once

#include <vector>

#include "layer_memory.hpp"
#include "row_plan.hpp"
#include "table_moves.hpp"

namespace wari::detail {

class LayerExits {
 public:
    /// `layers` holds all layers smaller than the one in `memory`.
    LayerExits(const Plans& plans, LayerMemory& memory, const std::vector<Layer>& layers)
        : plans_(plans), memory_(memory), layers_(layers) {}

    /// For every board with seeds in both rows, into the memory.
    void fill(WorkerPool& pool);
    /// The best of a board's moves that leave the layer or end the game, one by one.
    EntryBytes best_of(const TableMoves& moves) const;

 private:
    /// What leaving the layer is worth for the boards of one own row.
    struct Row {
        std::vector<std::uint8_t> mover;
        std::vector<std::uint8_t> other;
    };
    void best_of_row(int m, std::uint32_t row, Row& best) const;

    const Plans& plans_;
    LayerMemory& memory_;
    const std::vector<Layer>& layers_;
};

}  // namespace wari::detail
