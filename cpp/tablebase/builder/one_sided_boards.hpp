// The boards of a layer with an empty row: feeding, passes and endings are the rule there, so each of their
// moves is listed, by the general rules.
#pragma once

#include <vector>

#include "layer_exits.hpp"
#include "layer_memory.hpp"

namespace wari::detail {

class OneSidedBoards {
 public:
    OneSidedBoards(const Plans& plans, LayerMemory& memory) : plans_(plans), memory_(memory) {}

    /// Lists those of the layer in the memory.
    void list(const LayerExits& exits);

    std::size_t size() const noexcept { return boards_.size(); }
    /// The first so many have an empty row to move.
    std::size_t of_empty_row() const noexcept { return of_empty_row_; }

    /// Appends those from `begin` to `end` that their successors give other bytes.
    void evaluate(std::size_t begin, std::size_t end, std::vector<ChangedBoard>& found) const;

 private:
    struct Listed {
        BoardSpot spot;
        EntryBytes best;          ///< of the moves that leave the layer
        std::uint32_t first = 0;  ///< among successors_
        std::uint32_t end = 0;
    };
    void add(int m, const Board& board, const LayerExits& exits);

    const Plans& plans_;
    LayerMemory& memory_;
    std::vector<Listed> boards_;
    std::vector<BoardSpot> successors_;
    std::size_t of_empty_row_ = 0;
};

}  // namespace wari::detail
