// What the moves that leave a layer are worth: captures by row plans, everything out of the ordinary
// (slams, feeding, passes, endings) by the general rules.
#include "layer_exits.hpp"

#include <algorithm>

namespace wari::detail {
namespace {

/// Where the boards with this own row's seeds and opponent row start in a layer.
std::uint64_t row_start(int n, int own_seeds, std::uint32_t opp_rank) {
    return kBlocks.start[static_cast<std::size_t>(n)][static_cast<std::size_t>(own_seeds)] +
           std::uint64_t{opp_rank} * rows_with(own_seeds);
}

}  // namespace

EntryBytes LayerExits::best_of(const TableMoves& moves) const {
    int mover = 0;
    int other = 0;
    const bool force = memory_.force();
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
        const Layer& layer = layers_[static_cast<std::size_t>(board_seeds(move.next))];
        const std::uint64_t at = board_index(move.next);
        mover = std::max(mover, move.got.mover + (force ? layer.other : layer.mover).data()[at]);
        if (force) other = std::max(other, int{layer.mover.data()[at]});
    }
    return {static_cast<std::uint8_t>(mover), static_cast<std::uint8_t>(other)};
}

void LayerExits::best_of_row(int m, std::uint32_t row, Row& best) const {
    const int n = memory_.seeds();
    const int s = n - m;
    const bool force = memory_.force();
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
            const Layer& layer = layers_[static_cast<std::size_t>(n - group.captured)];
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
        const EntryBytes bytes = best_of(table_moves(board, plans_.rules()));
        mover[column] = bytes.mover;
        if (force) other[column] = bytes.other;
    };
    if (std::binary_search(plan.irregular.begin(), plan.irregular.end(), row)) {
        for (std::uint32_t column = 0; column < rows_with(s); ++column) general(column);
    } else {
        for (const std::uint32_t column : plans_.slam_columns(s)) general(column);
    }
}

void LayerExits::fill(WorkerPool& pool) {
    constexpr std::uint32_t kRowsAJob = 64;
    for (int m = 1; m < memory_.seeds(); ++m) {
        const std::uint32_t rows = rows_with(m);
        pool.run((rows + kRowsAJob - 1) / kRowsAJob, [&, m](std::uint64_t job, int) {
            Row best;
            const auto begin = static_cast<std::uint32_t>(job) * kRowsAJob;
            for (std::uint32_t row = begin; row < std::min(rows, begin + kRowsAJob); ++row) {
                best_of_row(m, row, best);
                memory_.store_best(m, row, best.mover, best.other);
            }
        });
    }
}

}  // namespace wari::detail
