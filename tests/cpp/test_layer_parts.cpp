// The parts that solve a layer, each by itself: memory, exits, boards with an empty row, sweep, tail.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "layer_solver.hpp"
#include "table_moves.hpp"
#include "wari/index.hpp"

using namespace wari;
using namespace wari::detail;

namespace {

constexpr const char* kRules[] = {"awari", "wari", "abapa", "singles,repetition=split", "nostarve"};

/// All layers below n, by the whole solver, and what its parts are made with.
struct Workshop {
    Rules rules;
    int n;
    SweepKernels kernels = best_sweep_kernels();
    WorkerPool pool{2};
    Plans plans;
    std::vector<Layer> layers;
    Layer solved;  ///< layer n

    Workshop(const char* text, int seeds)
        : rules(table_rules(*parse_rules(text))), n(seeds), plans(rules, seeds, kernels.lanes) {
        LayerSolver solver(plans, kind_of(rules), n, kernels, pool);
        for (int k = 0; k <= n; ++k) {
            Layer layer;
            REQUIRE(solver.solve(k, layers, layer, [](double) {}));
            if (k < n) layers.push_back(std::move(layer));
            if (k == n) solved = std::move(layer);
        }
    }

    std::vector<Board> boards(bool both_rows) const {
        std::vector<Board> all;
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const Board board = board_from_index(n, i);
            if (!both_rows || (board.own != 0 && board.opp != 0)) all.push_back(board);
        }
        return all;
    }
};

BoardSpot spot_of(const LayerMemory& memory, const Board& board) {
    const int m = row_seeds(board.own);
    return {static_cast<std::uint32_t>(m), memory.offset_of(m, row_rank(board.opp), row_rank(board.own))};
}

bool same(const Layer& a, const Layer& b) {
    if (a.mover.size() != b.mover.size() || a.other.size() != b.other.size()) return false;
    if (std::memcmp(a.mover.data(), b.mover.data(), a.mover.size()) != 0) return false;
    return a.other.size() == 0 || std::memcmp(a.other.data(), b.other.data(), a.other.size()) == 0;
}

}  // namespace

TEST_CASE("the place of a board in the memory of a layer is found from its rows and back") {
    WorkerPool pool(1);
    for (const int lanes : {16, 32, 64}) {
        LayerMemory memory(TableKind::force, 7, lanes);
        REQUIRE(static_cast<bool>(memory));
        memory.begin(6, pool);
        std::vector<bool> taken(memory.bytes_before(6) + memory.block_bytes(6));
        for (std::uint64_t i = 0; i < boards_with(6); ++i) {
            const Board board = board_from_index(6, i);
            const BoardSpot spot = spot_of(memory, board);
            const RowRanks ranks = memory.ranks_of(spot);
            CHECK(ranks.own == row_rank(board.own));
            CHECK(ranks.opp == row_rank(board.opp));
            const std::uint64_t at = memory.bytes_before(static_cast<int>(spot.block)) + spot.offset;
            CHECK_FALSE(taken[at]);
            taken[at] = true;
        }
    }
}

TEST_CASE("what is written is copied out in the order of the boards with the round of each change") {
    WorkerPool pool(2);
    for (const TableKind kind : {TableKind::value, TableKind::force}) {
        LayerMemory memory(kind, 5, 32);
        memory.begin(5, pool);
        REQUIRE(memory.record_rounds());
        for (std::uint64_t i = 0; i < boards_with(5); ++i) {
            memory.set_round(1 + static_cast<int>(i % 7));
            ChangedBoard changed{spot_of(memory, board_from_index(5, i)), {static_cast<std::uint8_t>(i), 3}};
            memory.write(changed);
            CHECK(changed.bytes.mover == (kind == TableKind::value ? kValueZero : kForceZero));
        }
        Layer bytes;
        Layer rounds;
        REQUIRE(memory.copy_out(bytes, false, pool));
        REQUIRE(memory.copy_out(rounds, true, pool));
        int wrong = 0;
        for (std::uint64_t i = 0; i < boards_with(5); ++i) {
            const auto byte = static_cast<std::uint8_t>(i);
            const bool changed = byte != (kind == TableKind::value ? kValueZero : kForceZero);
            wrong += bytes.mover.data()[i] != byte;
            wrong += rounds.mover.data()[i] != (changed ? 1 + i % 7 : 0);
            if (kind == TableKind::force)
                wrong += bytes.other.data()[i] != 3 || rounds.other.data()[i] != 1 + i % 7;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("the exits by row plans are those that the general rules give") {
    for (const char* text : kRules) {
        Workshop shop(text, 7);
        LayerMemory memory(kind_of(shop.rules), shop.n, shop.kernels.lanes);
        memory.begin(shop.n, shop.pool);
        LayerExits exits(shop.plans, memory, shop.layers);
        exits.fill(shop.pool);
        int wrong = 0;
        for (const Board& board : shop.boards(true)) {
            const BoardSpot spot = spot_of(memory, board);
            const EntryBytes stored = memory.best_at(spot, memory.ranks_of(spot));
            wrong += memory.differs(stored, exits.best_of(table_moves(board, shop.rules)));
        }
        INFO(std::string(text));
        CHECK(wrong == 0);
    }
}

TEST_CASE("sweeping to the end gives the layer and so does the tail from any round on") {
    for (const char* text : kRules) {
        Workshop shop(text, 8);
        const TableKind kind = kind_of(shop.rules);
        for (const int swept : {2, 3, 6, 1000}) {
            LayerMemory memory(kind, shop.n, shop.kernels.lanes);
            memory.begin(shop.n, shop.pool);
            LayerExits exits(shop.plans, memory, shop.layers);
            exits.fill(shop.pool);
            OneSidedBoards one_sided(shop.plans, memory);
            one_sided.list(exits);
            CHECK(one_sided.size() == 2 * rows_with(shop.n));
            LayerSweep sweep(shop.plans, shop.kernels, memory, shop.pool);
            sweep.plan();
            LayerTail tail(shop.plans, memory, one_sided, shop.pool,
                           LayerMemory::board_bytes(shop.n, shop.kernels.lanes));
            std::vector<ChangedBoard> changes;
            int rounds = 0;
            do {
                changes.clear();
                memory.set_round(++rounds);
                one_sided.evaluate(0, one_sided.size(), changes);
                tail.write(changes);
                sweep.run(rounds == 1 ? nullptr : &changes);
            } while (rounds == 1 || (!changes.empty() && rounds < swept));
            if (!changes.empty()) CHECK(tail.run(changes, rounds) > rounds);
            Layer layer;
            REQUIRE(memory.copy_out(layer, false, shop.pool));
            INFO(std::string(text), ", ", swept, " rounds");
            CHECK(same(layer, shop.solved));
        }
    }
}
