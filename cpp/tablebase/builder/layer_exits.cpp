// What the moves that leave a layer are worth: captures by row plans, everything out of the ordinary
// (slams, feeding, passes, endings) by the general rules.
#include <algorithm>
#include <cstring>

#include "layer_solver.hpp"

namespace wari::detail {
namespace {

/// Where the boards with this own row's seeds and opponent row start in a layer.
std::uint64_t row_start(int n, int own_seeds, std::uint32_t opp_rank) {
    return kBlocks.start[static_cast<std::size_t>(n)][static_cast<std::size_t>(own_seeds)] +
           std::uint64_t{opp_rank} * rows_with(own_seeds);
}

}  // namespace

LayerSolver::BestBytes LayerSolver::best_of(const TableMoves& moves, const std::vector<Layer>& layers) const {
    int mover = 0;
    int other = 0;
    const bool force = kind_ == TableKind::force;
    const auto ended = [&](const Shares& got) {
        mover = std::max(mover, force ? got.mover : kValueZero + got.mover - got.other);
        other = std::max(other, kForceZero - got.other);
    };
    if (moves.count == 0) ended(moves.settled);
    for (const TableMove& move : moves) {
        if (move.quiet()) continue;
        if (move.ends) {
            ended(move.got);
            continue;
        }
        const Layer& layer = layers[static_cast<std::size_t>(board_seeds(move.next))];
        const std::uint64_t at = board_index(move.next);
        mover = std::max(mover, move.got.mover + (force ? layer.other : layer.mover).data()[at]);
        if (force) other = std::max(other, int{layer.mover.data()[at]});
    }
    return {static_cast<std::uint8_t>(mover), static_cast<std::uint8_t>(other)};
}

void LayerSolver::best_row(int n, int m, std::uint32_t row, const std::vector<Layer>& layers,
                           BestRow& best) const {
    const int s = n - m;
    const bool force = kind_ == TableKind::force;
    best.mover.assign(rows_with(s), 0);
    best.other.assign(force ? rows_with(s) : 0, 0);
    std::uint8_t* mover = best.mover.data();
    std::uint8_t* other = best.other.data();
    const RowPlan& plan = plans_.row(m);
    for (std::uint32_t k = plan.first[row]; k < plan.first[row + 1]; ++k) {
        const RowMove& move = plan.moves[k];
        const ColumnPlan& columns = plans_.column(s, static_cast<int>(move.pattern));
        const int into = static_cast<int>(move.pattern / 2);
        for (const CaptureGroup& group : columns.groups) {
            const Layer& layer = layers[static_cast<std::size_t>(n - group.captured)];
            const std::uint64_t start = row_start(n - group.captured, s + into - group.captured, move.row);
            const std::uint8_t* gain = (force ? layer.other : layer.mover).data() + start;
            const auto captured = static_cast<std::uint8_t>(group.captured);
            for (std::uint32_t i = group.begin; i < group.end; ++i) {
                const Capture& capture = columns.captures[i];
                const auto worth = static_cast<std::uint8_t>(captured + gain[capture.target]);
                mover[capture.column] = std::max(mover[capture.column], worth);
            }
            if (!force) continue;
            const std::uint8_t* reply = layer.mover.data() + start;
            for (std::uint32_t i = group.begin; i < group.end; ++i) {
                const Capture& capture = columns.captures[i];
                other[capture.column] = std::max(other[capture.column], reply[capture.target]);
            }
        }
    }
    const auto general = [&](std::uint32_t column) {
        const Board board{row_from_rank(m, row), row_from_rank(s, column)};
        const BestBytes bytes = best_of(table_moves(board, plans_.rules()), layers);
        mover[column] = bytes.mover;
        if (force) other[column] = bytes.other;
    };
    if (std::binary_search(plan.irregular.begin(), plan.irregular.end(), row)) {
        for (std::uint32_t column = 0; column < rows_with(s); ++column) general(column);
    } else {
        for (const std::uint32_t column : plans_.slam_columns(s)) general(column);
    }
}

void LayerSolver::store_best(int m, std::uint32_t row, const BestRow& best) {
    const Block& block = blocks_[static_cast<std::size_t>(m)];
    const auto lanes = static_cast<std::size_t>(kernels_.lanes);
    for (std::size_t column = 0; column < best.mover.size(); column += lanes) {
        const std::size_t size = std::min(lanes, best.mover.size() - column);
        const std::size_t at = column / lanes * block.best_strip_size + row * lanes;
        std::memcpy(block.best_mover + at, best.mover.data() + column, size);
        std::memset(block.best_mover + at + size, 0, lanes - size);
        if (best.other.empty()) continue;
        std::memcpy(block.best_other + at, best.other.data() + column, size);
        std::memset(block.best_other + at + size, 0, lanes - size);
    }
}

void LayerSolver::fill_best(int n, const std::vector<Layer>& layers) {
    constexpr std::uint32_t kRowsAJob = 64;
    for (int m = 1; m < n; ++m) {
        const std::uint32_t rows = rows_with(m);
        pool_.run((rows + kRowsAJob - 1) / kRowsAJob, [&, m](std::uint64_t job, int) {
            BestRow best;
            const auto begin = static_cast<std::uint32_t>(job) * kRowsAJob;
            for (std::uint32_t row = begin; row < std::min(rows, begin + kRowsAJob); ++row) {
                best_row(n, m, row, layers, best);
                store_best(m, row, best);
            }
        });
    }
}

void LayerSolver::add_special(int m, const Board& board, const std::vector<Layer>& layers) {
    const TableMoves moves = table_moves(board, plans_.rules());
    const BestBytes best = best_of(moves, layers);
    Special special;
    special.spot = {static_cast<std::uint32_t>(m),
                    static_cast<std::uint32_t>(place(m, row_rank(board.opp), row_rank(board.own)))};
    special.best_mover = best.mover;
    special.best_other = best.other;
    special.first = static_cast<std::uint32_t>(successors_.size());
    for (const TableMove& move : moves) {
        if (!move.quiet()) continue;
        const int own = row_seeds(move.next.own);
        successors_.push_back(
            {static_cast<std::uint32_t>(own),
             static_cast<std::uint32_t>(place(own, row_rank(move.next.opp), row_rank(move.next.own)))});
    }
    special.end = static_cast<std::uint32_t>(successors_.size());
    specials_.push_back(special);
}

// Boards with an empty row on either side.
void LayerSolver::list_specials(int n, const std::vector<Layer>& layers) {
    specials_.clear();
    successors_.clear();
    for (std::uint32_t rank = 0; rank < rows_with(n); ++rank) {
        add_special(0, {0, row_from_rank(n, rank)}, layers);
    }
    specials_of_empty_row_ = specials_.size();
    for (std::uint32_t rank = 0; n > 0 && rank < rows_with(n); ++rank) {
        add_special(n, {row_from_rank(n, rank), 0}, layers);
    }
}

}  // namespace wari::detail
