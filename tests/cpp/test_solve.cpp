// Proofs with small tables against larger ones, on one thread and on several.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "plain_search.hpp"
#include "sampling.hpp"
#include "wari/engine.hpp"

namespace {

using namespace wari;

// Solving with small tables never contradicts the larger ones; returns the smallest share of boards, in per
// cent, that it resolves under any of the rules.
int solve_is_honest(int threads) {
    std::mt19937 random(23);
    int share = 100;
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
            request.root = game;
            request.limits.nodes = 100'000;
            const auto solution = (*engine)->solve(request);
            const Board& b = request.root.position.board();
            const int stores = store_of(b.own) - store_of(b.opp);
            const Bounds bounds = *truth->bounds(b);
            INFO(std::string(name), ' ', request.root.position.text());
            CHECK(solution->lower <= stores + bounds.upper);
            CHECK(solution->upper >= stores + bounds.lower);
            CHECK(solution->lower <= solution->upper);
            // It goes on until all is proved or the limit ends it.
            const bool done = solution->exact() || solution->nodes >= *request.limits.nodes;
            CHECK(done);
            exact += solution->exact() ? 1 : 0;
        }
        share = std::min(share, 100 * exact / boards);
    }
    return share;
}

TEST_CASE("a proof never contradicts a larger table") { CHECK(solve_is_honest(1) >= 25); }

TEST_CASE("a proof of three threads never contradicts a larger table" * doctest::test_suite("threads")) {
    CHECK(solve_is_honest(3) > 0);  // how many depends on which thread comes first
}

}  // namespace
