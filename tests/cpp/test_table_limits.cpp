// A probe does as much for a distance as it may, and what it says of the past is true.
#include <doctest/doctest.h>

#include <random>

#include "table_moves.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;

TablebasePtr table_of(int seeds, const char* rules) {
    BuildOptions options;
    options.seeds = seeds;
    options.verify = VerifyLevel::none;
    return *Tablebase::build(*parse_rules(rules), options);
}

/// A board whose distance takes the layer solved once more.
Board expensive_board(const Tablebase& table) {
    std::mt19937 random(5);
    ProbeOptions options;
    options.most_solved = 0;
    while (true) {
        const auto at = random() % boards_with(table.seeds());
        const Board board = board_from_index(table.seeds(), at);
        if (!table.probe(board, options)->distance_known) return board;
    }
}

/// Says stop at the n-th question.
struct StopAfter {
    int asked = 0;
    int stop_at = 0;

    Task<> task() {
        return {[this] { return ++asked >= stop_at; }};
    }
};

}  // namespace

TEST_CASE("a stop is the last question and leaves the distance open") {
    const auto table = table_of(11, "wari");
    const Board board = expensive_board(*table);
    const auto bounds = *table->bounds(board);
    for (int stop_at = 1; stop_at < 2000; stop_at = stop_at * 2 + 1) {
        StopAfter stop_after{0, stop_at};
        ProbeOptions options;
        const Task<> task = stop_after.task();
        options.task = &task;
        const auto probe = *table->probe(board, options);
        CHECK(probe.bounds == bounds);
        CHECK(probe.best_count > 0);
        if (probe.distance_known) break;
        CHECK(probe.distance == 0);
        // Threads that wait for each other may ask once more.
        CHECK(stop_after.asked <= stop_at + 2);
    }
}

TEST_CASE("a layer is solved where that is allowed and then kept") {
    const auto table = table_of(11, "wari");
    const Board board = expensive_board(*table);
    ProbeOptions none;
    none.most_solved = 0;
    CHECK_FALSE(table->probe(board, none)->distance_known);
    const auto found = *table->probe(board);
    CHECK(found.distance_known);
    CHECK(found.distance > 0);
    // What is kept is used, but where the answer may not depend on it.
    CHECK(table->probe(board, none)->distance == found.distance);
    none.kept = false;
    CHECK_FALSE(table->probe(board, none)->distance_known);
}

TEST_CASE("a line that was called sure never meets the past") {
    // After each quiet move of the table's choice the positions behind it are the past of the next probe.
    const auto table = table_of(9, "abapa");
    std::mt19937 random(9);
    int sure = 0;
    for (int game = 0; game < 300; ++game) {
        Board board = board_from_index(9, random() % boards_with(9));
        std::vector<Board> past;
        int promised = -1;
        bool follows = true;
        while (past.size() < 200) {
            const auto moves = detail::table_moves(board, table->rules());
            if (moves.count == 0) break;
            ProbeOptions options;
            options.past = past;
            options.quiet_plies = static_cast<int>(past.size());
            const auto probe = *table->probe(board, options);
            int pit = moves.moves[random() % static_cast<unsigned>(moves.count)].pit;
            if (follows) {
                if (probe.mover == 0) break;
                // Once there was something sure there is as long as it is kept to.
                bool any = false;
                for (int i = 0; i < probe.best_count && !any; ++i) {
                    const auto& best = probe.best[static_cast<std::size_t>(i)];
                    if (!best.sure) continue;
                    pit = best.pit;
                    any = true;
                }
                CHECK(any);
                CHECK(probe.mover >= promised);
                promised = probe.mover;
                ++sure;
            }
            const auto made = detail::table_move(board, pit, table->rules());
            if (made.ends || made.got.mover != 0) break;
            past.push_back(board);
            board = made.next;
            for (std::size_t i = past.size() % 2; i < past.size(); i += 2) REQUIRE(past[i] != board);
            follows = !follows;
        }
    }
    CHECK(sure > 1000);
}
