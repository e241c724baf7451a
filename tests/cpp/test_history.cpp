// What is called proved is true of the game with its history, tables or none, one line or all, searched or
// solved: compared with the whole game, played to its end. Tables know no history, so here they can mislead.
#include <cmath>

#include "check.hpp"
#include "plain_search.hpp"
#include "wari/engine.hpp"

namespace {

using namespace wari;

void check_bound(const Score& score, int truth, const std::string& name) {
    const auto told = name + " said " + std::to_string(score.value) + ", is " + std::to_string(truth);
    if (score.bound == Bound::exact && score.value != truth) CHECK_EQUAL(told, "exact");
    if (score.bound == Bound::lower && score.value > truth) CHECK_EQUAL(told, "at least");
    if (score.bound == Bound::upper && score.value < truth) CHECK_EQUAL(told, "at most");
}

/// Everything that can be asked about the position a game stands at. Says whether `solve` proved the margin.
bool check_all(Engine& engine, Game game, const std::string& name) {
    CHECK(!engine.new_game().has_value());
    const int truth = plain::minimax(game, -1, -plain::kMost, plain::kMost);
    SearchRequest request;
    request.position = game.position();
    const auto history = game.boards_since_capture();
    request.history.assign(history.begin(), history.end());
    request.limits.depth = 30;
    for (const int multipv : {1, 2, 6}) {
        request.multipv = multipv;
        const Analysis found = *engine.analyse(request);
        CHECK_EQUAL(found.lines.size(),
                    std::min<std::size_t>(static_cast<std::size_t>(multipv), game.legal_moves().size()));
        check_bound(found.score, truth, name + " multipv " + std::to_string(multipv));
        for (const Line& line : found.lines) {
            CHECK(game.push(line.move).has_value());
            const int worth = -plain::minimax(game, -1, -plain::kMost, plain::kMost);
            CHECK(game.pop().has_value());
            check_bound(line.score, worth, name + " line " + line.move.letter);
            // The best move is never worse than the position where that is known.
            if (&line == &found.lines[0] && found.score.bound == Bound::exact) CHECK_EQUAL(worth, truth);
        }
    }
    request.multipv = 1;
    for (const Move move : game.legal_moves()) {
        request.moves = {move};
        const Analysis found = *engine.analyse(request);
        CHECK(game.push(move).has_value());
        check_bound(found.score, -plain::minimax(game, -1, -plain::kMost, plain::kMost),
                    name + " only " + move.letter);
        CHECK(game.pop().has_value());
    }
    CHECK(!engine.new_game().has_value());
    SolveRequest hard;
    hard.position = request.position;
    hard.history = request.history;
    hard.nodes = 200'000;
    const Solution solution = *engine.solve(hard);
    const int seeds = truth / kSeedUnits;
    if (solution.lower > seeds || solution.upper < seeds) {
        CHECK_EQUAL(
            name + " solved as " + std::to_string(solution.lower) + ".." + std::to_string(solution.upper),
            std::to_string(seeds));
    }
    return solution.exact();
}

/// The same of a board too large for the whole game.
void check_known(Engine& engine, const Game& game, int margin) {
    SolveRequest hard;
    hard.position = game.position();
    const auto history = game.boards_since_capture();
    hard.history.assign(history.begin(), history.end());
    const Solution solution = *engine.solve(hard);
    CHECK(solution.exact());
    CHECK_EQUAL(solution.lower, margin);
    SearchRequest request;
    request.position = hard.position;
    request.history = hard.history;
    request.limits.depth = 30;
    CHECK_EQUAL(engine.analyse(request)->score.value, margin * kSeedUnits);
}

Game replayed(const char* start, const char* rules, const char* moves) {
    Game game(*Position::parse(start, plain::without_majority(*preset(rules))));
    for (const char letter : std::string(moves)) CHECK(game.push(Move{letter}).has_value());
    return game;
}

}  // namespace

int main() {
    if (check::kThreadsOnly) return 0;  // it has one
    int proved = 0;
    int asked = 0;
    std::mt19937 random(29);
    for (const Preset& preset : presets()) {
        EngineOptions options;
        options.hash_mebibytes = 4;
        const auto without = *Engine::create(options);
        BuildOptions build;
        build.seeds = 4;
        options.tablebase = *Tablebase::build(preset.rules, build);
        const auto with = *Engine::create(options);
        const std::string name(preset.name);
        // Games in which the table's move was once taken for proved, though the past had a better one.
        if (name == "ouri")
            check_all(*with, replayed("0-0-0-0-1-0-0-1-0-0-0-1-0-0-S", "ouri", "EfAbBcCdDeF"), name);
        if (name == "awari")
            check_known(*with, replayed("2-0-0-0-0-0-0-0-2-0-0-1-0-0-S", "awari", "AfBcAeCdDeEaFaBfBbAc"), 5);
        for (int i = 0; i < check::sample(120); ++i) {
            Game game = plain::random_start(random, 2 + i % 2, plain::without_majority(preset.rules));
            plain::play_quietly(game, random, 6 + static_cast<int>(random() % 14));
            if (game.is_over()) continue;
            const std::string where = name + ' ' + game.start().text() + ' ' + std::to_string(game.size());
            for (Engine* engine : {with.get(), without.get()}) {
                ++asked;
                proved += check_all(*engine, game, where) ? 1 : 0;
            }
        }
    }
    CHECK(2 * proved > asked);
    return check::failures();
}
