// The moves of boards with an empty row, listed once a layer.
#include "one_sided_boards.hpp"

namespace wari::detail {

void OneSidedBoards::add(int m, const Board& board, const LayerExits& exits) {
    const TableMoves moves = table_moves(board, plans_.rules());
    Listed listed;
    listed.spot = {static_cast<std::uint32_t>(m),
                   memory_.offset_of(m, row_rank(board.opp), row_rank(board.own))};
    listed.best = exits.best_of(moves);
    listed.first = static_cast<std::uint32_t>(successors_.size());
    for (const TableMove& move : moves) {
        if (!move.quiet()) continue;
        const int own = row_seeds(move.next.own);
        successors_.push_back({static_cast<std::uint32_t>(own),
                               memory_.offset_of(own, row_rank(move.next.opp), row_rank(move.next.own))});
    }
    listed.end = static_cast<std::uint32_t>(successors_.size());
    boards_.push_back(listed);
}

void OneSidedBoards::list(const LayerExits& exits) {
    boards_.clear();
    successors_.clear();
    const int n = memory_.seeds();
    for (std::uint32_t rank = 0; rank < rows_with(n); ++rank) add(0, {0, row_from_rank(n, rank)}, exits);
    of_empty_row_ = boards_.size();
    for (std::uint32_t rank = 0; n > 0 && rank < rows_with(n); ++rank) {
        add(n, {row_from_rank(n, rank), 0}, exits);
    }
}

void OneSidedBoards::evaluate(std::size_t begin, std::size_t end, std::vector<ChangedBoard>& found) const {
    for (std::size_t i = begin; i < end; ++i) {
        const Listed& listed = boards_[i];
        if (listed.first == listed.end && memory_.round() > 1) continue;  // settled in the first round
        EntryBytes best = listed.best;
        for (std::uint32_t k = listed.first; k < listed.end; ++k) {
            memory_.raise(best, static_cast<int>(successors_[k].block), successors_[k].offset);
        }
        const EntryBytes now = memory_.negated(best);
        if (memory_.differs(now, memory_.at(listed.spot))) found.push_back({listed.spot, now});
    }
}

}  // namespace wari::detail
