// What is called proved is true of the game with its history, tables or none, one line or all, searched or
// solved: compared with the whole game, played to its end. Tables know no history, so here they can mislead.
#include <doctest/doctest.h>

#include "plain_search.hpp"
#include "sampling.hpp"
#include "wari/engine.hpp"

namespace {

using namespace wari;

void check_bound(const Score& score, int truth, const std::string& name) {
    INFO(name);
    if (score.bound == Bound::exact) CHECK(score.value == truth);
    if (score.bound == Bound::lower) CHECK(score.value <= truth);
    if (score.bound == Bound::upper) CHECK(score.value >= truth);
}

/// Everything that can be asked about the position a game stands at. Says whether `solve` proved the margin.
bool check_all(Engine& engine, Game game, const std::string& name) {
    CHECK(!engine.new_game().has_value());
    const int truth = plain::minimax(game, -1, -plain::kMost, plain::kMost);
    SearchRequest request;
    request.root = game;
    request.limits.depth = 30;
    for (const int multipv : {1, 2, 6}) {
        request.multipv = multipv;
        const Analysis found = *engine.analyse(request);
        CHECK(found.lines.size() ==
              std::min<std::size_t>(static_cast<std::size_t>(multipv), game.legal_moves().size()));
        check_bound(found.score, truth, name + " multipv " + std::to_string(multipv));
        for (const Line& line : found.lines) {
            plain::push(game, line.move);
            const int worth = -plain::minimax(game, -1, -plain::kMost, plain::kMost);
            plain::pop(game);
            check_bound(line.score, worth, name + " line " + line.move.letter);
            // The best move is never worse than the position where that is known.
            if (&line == &found.lines[0] && found.score.bound == Bound::exact) CHECK(worth == truth);
        }
    }
    request.multipv = 1;
    for (const Move move : game.legal_moves()) {
        request.root.moves = {move};
        const Analysis found = *engine.analyse(request);
        plain::push(game, move);
        check_bound(found.score, -plain::minimax(game, -1, -plain::kMost, plain::kMost),
                    name + " only " + move.letter);
        plain::pop(game);
    }
    CHECK(!engine.new_game().has_value());
    SolveRequest hard;
    hard.root = request.root;
    hard.root.moves.clear();
    hard.limits.nodes = 200'000;
    const Solution solution = *engine.solve(hard);
    const int seeds = truth / kSeedUnits;
    INFO(name);
    CHECK(solution.lower <= seeds);
    CHECK(solution.upper >= seeds);
    return solution.exact();
}

/// The same of a board too large for the whole game.
void check_known(Engine& engine, const Game& game, int margin) {
    SolveRequest hard;
    hard.root = game;
    const Solution solution = *engine.solve(hard);
    CHECK(solution.exact());
    CHECK(solution.lower == margin);
    SearchRequest request;
    request.root = hard.root;
    request.limits.depth = 30;
    CHECK(engine.analyse(request)->score.value == margin * kSeedUnits);
}

/// One engine with the table of four seeds, one without.
struct Engines {
    explicit Engines(const Rules& rules) {
        EngineOptions options;
        options.hash_mebibytes = 4;
        without = *Engine::create(options);
        BuildOptions build;
        build.seeds = 4;
        options.tablebase = *Tablebase::build(rules, build);
        with_table = *Engine::create(options);
    }

    std::unique_ptr<Engine> with_table;
    std::unique_ptr<Engine> without;
};

Game replayed(const char* start, const char* rules, const char* moves) {
    Game game(*Position::parse(start, plain::without_majority(*preset(rules))));
    for (const char letter : std::string(moves)) plain::push(game, Move{letter});
    return game;
}

TEST_CASE("what is proved of a game is true of it with its history") {
    int proved = 0;
    int asked = 0;
    std::mt19937 random(29);
    for (const Preset& preset : presets()) {
        const Engines engines(preset.rules);
        const std::string name(preset.name);
        for (int i = 0; i < sampling::sample(120); ++i) {
            Game game = plain::random_start(random, 2 + i % 2, plain::without_majority(preset.rules));
            plain::play_quietly(game, random, 6 + static_cast<int>(random() % 14));
            if (game.is_over()) continue;
            const std::string where = name + ' ' + game.start().text() + ' ' + std::to_string(game.size());
            for (Engine* engine : {engines.with_table.get(), engines.without.get()}) {
                ++asked;
                proved += check_all(*engine, game, where) ? 1 : 0;
            }
        }
    }
    CHECK(2 * proved > asked);
}

TEST_CASE("the move of a table is not taken for proved where the past has a better one") {
    const Engines ouri(*preset("ouri"));
    check_all(*ouri.with_table, replayed("0-0-0-0-1-0-0-1-0-0-0-1-0-0-S", "ouri", "EfAbBcCdDeF"), "ouri");
    const Engines awari(*preset("awari"));
    check_known(*awari.with_table, replayed("2-0-0-0-0-0-0-0-2-0-0-1-0-0-S", "awari", "AfBcAeCdDeEaFaBfBbAc"),
                5);
}

}  // namespace
