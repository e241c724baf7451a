// The search on any position with any history: its move is legal, its line can be played, and what it proves
// agrees with what solve() proves and with a search that has no tables.
// The input: rules, a position, moves played, options and limits.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "bytes.hpp"
#include "wari/engine.hpp"
#include "wari/game.hpp"

namespace {

using namespace wari;

constexpr int kTableSeeds = 4;
constexpr int kMostNodes = 600;
constexpr std::size_t kMostTables = 1024;

/// A small table for the rules, kept for the next input.
TablebasePtr table_for(const Rules& rules) {
    static std::map<Rules, TablebasePtr> tables;
    TablebasePtr& table = tables[table_rules(rules)];
    if (table == nullptr) {
        BuildOptions options;
        options.seeds = kTableSeeds;
        options.verify = VerifyLevel::none;
        table = *Tablebase::build(rules, options);
    }
    const TablebasePtr found = table;
    if (tables.size() > kMostTables) tables.clear();
    return found;
}

Game game_from(fuzz::Bytes& input) {
    const Rules rules = input.rules();
    const int most = input.flag() ? 10 : kMaxSeeds;
    Game game(input.position(rules, most));
    for (int plies = input.below(24); plies > 0; --plies) {
        const MoveList moves = game.legal_moves();
        if (moves.empty()) break;
        LAW(game.push(moves[static_cast<std::size_t>(input.byte()) % moves.size()]).has_value());
    }
    if (input.below(32) == 31) (void)game.agree();
    return game;
}

std::unique_ptr<Engine> engine_from(fuzz::Bytes& input, const TablebasePtr& table) {
    EngineOptions options;
    options.hash_mebibytes = 1;
    options.evaluation = static_cast<EvaluationKind>(input.below(3));
    options.full_width = input.below(8) == 7;
    options.threads = input.below(16) == 15 ? 2 : 1;
    options.tablebase = table;
    auto engine = Engine::create(options);
    LAW(engine.has_value());
    return std::move(*engine);
}

void check_score(const Score& score, const Game& game) {
    LAW(std::abs(score.value) <= game.position().total() * kSeedUnits);
}

void check_lines(const Analysis& analysis, const Game& game, const SearchRequest& request) {
    const MoveList legal = game.legal_moves();
    LAW(analysis.lines.empty() == legal.empty());
    LAW(analysis.ending == game.ending());
    check_score(analysis.score, game);
    const std::size_t choice = request.root.moves.empty() ? legal.size() : request.root.moves.size();
    LAW(analysis.lines.size() <= std::min(choice, static_cast<std::size_t>(request.multipv)));
    for (std::size_t i = 0; i < analysis.lines.size(); ++i) {
        const Line& line = analysis.lines[i];
        check_score(line.score, game);
        LAW(!line.pv.empty() && line.pv.front() == line.move);
        LAW(std::find(legal.begin(), legal.end(), line.move) != legal.end());
        if (!request.root.moves.empty())
            LAW(std::find(request.root.moves.begin(), request.root.moves.end(), line.move) !=
                request.root.moves.end());
        for (std::size_t other = 0; other < i; ++other) LAW(analysis.lines[other].move != line.move);
        Game played = game;
        for (const Move move : line.pv) LAW(played.push(move).has_value());
    }
}

/// What a score proves of the margin, in seeds.
Bounds proved(const Score& score) {
    Bounds bounds{-kMaxSeeds, kMaxSeeds};
    if (score.history_ignored || score.bound == Bound::estimate) return bounds;
    LAW(score.bound != Bound::exact || score.value % kSeedUnits == 0);
    if (score.bound != Bound::upper) bounds.lower = score.value / kSeedUnits;
    if (score.bound != Bound::lower) bounds.upper = score.value / kSeedUnits;
    return bounds;
}

void check_agreement(const Bounds& a, const Bounds& b) {
    LAW(a.lower <= a.upper && b.lower <= b.upper);
    LAW(a.lower <= b.upper && b.lower <= a.upper);
}

Analysis analyse(Engine& engine, const Game& game, fuzz::Bytes& input, bool all_moves) {
    SearchRequest request;
    request.root = game;
    request.limits.nodes = 1 + input.number(2) % kMostNodes;
    if (input.flag()) request.limits.depth = 1 + input.below(20);
    if (input.flag()) request.limits.instant_if_forced = true;
    request.multipv = 1 + input.below(7);
    const MoveList legal = game.legal_moves();
    if (!all_moves && !legal.empty()) {
        const int wanted = input.byte();
        for (std::size_t i = 0; i < legal.size(); ++i)
            if ((wanted >> i & 1) != 0) request.root.moves.push_back(legal[i]);
    }
    const auto analysis = engine.analyse(request);
    LAW(analysis.has_value());
    check_lines(*analysis, game, request);
    return *analysis;
}

Bounds solve(Engine& engine, const Game& game, fuzz::Bytes& input) {
    SolveRequest request;
    request.root = game;
    request.limits.nodes = 1 + input.number(2) % kMostNodes;
    request.winner_only = input.flag();
    const auto solution = engine.solve(request);
    LAW(solution.has_value());
    // After a majority stop, too, solve() gives the margin; there a move is no move of the game.
    if (solution->move.has_value() && !game.is_over()) LAW(!game.refusal(*solution->move).has_value());
    return {solution->lower, solution->upper};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes input(data, size);
    const Game game = game_from(input);
    const auto with = engine_from(input, table_for(game.rules()));
    const auto without = engine_from(input, nullptr);
    const Bounds searched = proved(analyse(*with, game, input, true).score);
    const Bounds plain = proved(analyse(*without, game, input, true).score);
    const Bounds solved = solve(*with, game, input);
    const Bounds solved_plain = solve(*without, game, input);
    check_agreement(searched, plain);
    check_agreement(searched, solved);
    check_agreement(searched, solved_plain);
    check_agreement(plain, solved);
    check_agreement(plain, solved_plain);
    check_agreement(solved, solved_plain);
    analyse(*with, game, input, false);
    return 0;
}
