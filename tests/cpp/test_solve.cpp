// Proofs with small tables against larger ones, on one thread and on several.
#include <doctest/doctest.h>

#include <random>

#include "plain_search.hpp"
#include "sampling.hpp"
#include "wari/engine.hpp"

namespace {

using namespace wari;

// Solving with small tables never contradicts the larger ones, and resolves most boards.
void solve_is_honest(int threads) {
    std::mt19937 random(23);
    for (const char* name : {"awari", "abapa", "wari", "singles"}) {
        const Rules rules = *preset(name);
        BuildOptions build;
        build.seeds = 4;
        EngineOptions options;
        options.hash_mebibytes = 8;
        options.threads = threads;
        options.tablebase = *Tablebase::build(rules, build);
        build.seeds = 8;
        const TablebasePtr truth = *Tablebase::build(rules, build);
        const auto engine = Engine::create(options);
        const int boards = sampling::sample(40);
        int exact = 0;
        for (int i = 0; i < boards; ++i) {
            const Game game = plain::random_start(random, 5 + i % 4, rules);
            SolveRequest request;
            request.position = game.position();
            request.nodes = 100'000;
            const auto solution = (*engine)->solve(request);
            const Board& b = request.position.board();
            const int stores = store_of(b.own) - store_of(b.opp);
            const Bounds bounds = *truth->bounds(b);
            INFO(name, ' ', request.position.text());
            CHECK(solution->lower <= stores + bounds.upper);
            CHECK(solution->upper >= stores + bounds.lower);
            CHECK(solution->lower <= solution->upper);
            exact += solution->exact() ? 1 : 0;
        }
        CHECK(4 * exact >= boards);
    }
}

TEST_CASE("a proof never contradicts a larger table") { solve_is_honest(1); }

TEST_CASE("a proof of three threads never contradicts a larger table" * doctest::test_suite("threads")) {
    solve_is_honest(3);
}

}  // namespace
