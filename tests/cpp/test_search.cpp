// The search against plain minimax, with and without its table, with and without history; proofs against
// the whole game; the parts: ranks, entries, limits.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "board_rank.hpp"
#include "check.hpp"
#include "network.hpp"
#include "plain_search.hpp"
#include "search.hpp"
#include "search_busy.hpp"
#include "transposition.hpp"
#include "wari/game.hpp"

namespace {

using namespace wari;
using namespace plain;

// --- asking the search -----------------------------------------------------------------------------

struct Setup {
    int depth = 1;
    int multipv = 6;
    bool with_table = true;
    bool full_width = true;
    TablebasePtr tablebase = nullptr;
    EvaluationKind evaluation = EvaluationKind::material;
};

Analysis ask(const Game& game, const Setup& setup, TranspositionTable& table) {
    SearchRequest request;
    request.position = game.position();
    const auto history = game.boards_since_capture();
    request.history.assign(history.begin(), history.end());
    request.limits.depth = setup.depth;
    request.multipv = setup.multipv;
    SearchTools tools;
    if (setup.with_table) {
        table.begin_search(board_seeds(request.position.board()));
        table.clear();
        tools.table = table.view();
    }
    tools.tablebase = setup.tablebase;
    tools.kernel = kernel_for(setup.evaluation);
    EvaluationWeights weights;
    if (setup.evaluation != EvaluationKind::material) {
        prepare_weights(table_rules(request.position.rules()), weights);
        tools.weights = &weights;
    }
    tools.full_width = setup.full_width;
    SearchControl control;
    const Stopwatch watch({}, false);
    return run_search({request, 0x7F}, tools, control, watch);
}

using Values = std::map<char, int>;

Values values_of(const Analysis& analysis) {
    Values values;
    for (const Line& line : analysis.lines) values[line.move.letter] = line.score.value;
    return values;
}

Values minimax_values(Game game, int depth) {
    Values values;
    for (const Move move : game.legal_moves()) {
        CHECK(game.push(move).has_value());
        values[move.letter] = -minimax(game, depth - 1, -kInfinite, kInfinite);
        CHECK(game.pop().has_value());
    }
    return values;
}

std::string text_of(const Values& values) {
    std::string text;
    for (const auto& [letter, value] : values) text += letter + std::to_string(value) + ' ';
    return text;
}

// --- tests ------------------------------------------------------------------------------------------

void ranks_are_distinct() {
    std::set<std::uint64_t> ranks;
    std::uint64_t boards = 0;
    std::uint64_t largest = 0;
    for (std::uint64_t code = 0; code < 531441; ++code) {  // three states a pit
        Board b;
        std::uint64_t rest = code;
        for (int pit = 0; pit < kPitsInAll; ++pit, rest /= 3) {
            (pit < 6 ? b.own : b.opp) += (rest % 3) << (8 * (pit % 6));
        }
        const std::uint64_t rank = board_rank(b);
        largest = std::max(largest, rank);
        ranks.insert(rank);
        ++boards;
    }
    CHECK_EQUAL(ranks.size(), boards);
    CHECK(largest < std::uint64_t{1} << kNarrowRankBits);
    // The last board of 48 seeds, and of 96, have the last rank: C(60, 12) - 1 and C(108, 12) - 1.
    CHECK_EQUAL(board_rank({std::uint64_t{48}, 0}), std::uint64_t{1399358844974});
    CHECK(board_rank({std::uint64_t{96}, 0}) < std::uint64_t{1} << kRankBits);
}

void entries_survive() {
    TranspositionTable table(1);
    for (const int seeds : {48, 96}) {
        CHECK(table.begin_search(seeds));
        const TableView& view = table.view();
        std::mt19937 random(7);
        for (int i = 0; i < 2000; ++i) {
            const Game game = random_start(random, seeds, Rules{});
            const std::uint64_t key = table_key(view, game.position().board());
            Entry entry;
            entry.value = static_cast<int>(random() % 19201) - 9600;
            entry.bound = static_cast<BoundSet>(1 + random() % 3);
            entry.proof = static_cast<BoundSet>(random() % 4);
            entry.reach = static_cast<int>(random() % 16);
            entry.depth = static_cast<int>(random() % 200);
            entry.move = static_cast<int>(random() % 7);
            put(view, key, entry);
            const Entry found = probe(view, key);
            CHECK_EQUAL(found.value, entry.value);
            CHECK_EQUAL(int{found.bound}, int{entry.bound});
            CHECK_EQUAL(found.move, entry.move);
            CHECK_EQUAL(found.depth, std::min(entry.depth, kMaxEntryDepth));
            if (seeds == 48) {
                CHECK_EQUAL(int{found.proof}, int{entry.proof});
                CHECK_EQUAL(found.reach, entry.reach);
            } else {
                CHECK_EQUAL(int{found.proof}, 0);
                CHECK(found.reach >= entry.reach);
            }
        }
    }
}

// Every move's value, every preset, without history: the search with table, without, and minimax agree.
void equals_minimax() {
    TranspositionTable table(4);
    std::mt19937 random(11);
    for (const Preset& preset : presets()) {
        for (int i = 0; i < check::sample(40); ++i) {
            const Rules rules = without_majority(preset.rules);
            Game game = random_start(random, 2 + static_cast<int>(random() % 47), rules);
            const int depth = 1 + static_cast<int>(random() % 6);
            const std::string expected = text_of(minimax_values(game, depth));
            const std::string name = std::string(preset.name) + ' ' + game.position().text() + ' ';
            for (const bool with_table : {true, false}) {
                const Analysis found = ask(game, {.depth = depth, .with_table = with_table}, table);
                CHECK_EQUAL(name + text_of(values_of(found)), name + expected);
            }
        }
    }
}

void check_against_minimax(const Game& game, int depth, const std::string& rules, TranspositionTable& table) {
    const std::string name = rules + ' ' + game.start().text() + ' ' + std::to_string(game.size()) + ' ' +
                             std::to_string(depth) + ' ';
    const Values expected = minimax_values(game, depth);
    const Analysis found = ask(game, {.depth = depth}, table);
    CHECK_EQUAL(name + text_of(values_of(found)), name + text_of(expected));
    for (const Line& line : found.lines) {
        // The line can be played: it never goes on after a recurrence.
        Game played = game;
        for (const Move move : line.pv) CHECK(played.push(move).has_value());
    }
}

// Few seeds, deep lines, quiet plies before the root: here positions recur in the tree and against the
// history, and a table that let such a value out, or used one where a position could recur, would show.
void equals_minimax_where_positions_recur() {
    TranspositionTable table(4);
    std::mt19937 random(13);
    for (const Preset& preset : presets()) {
        for (int i = 0; i < check::sample(400); ++i) {
            const int seeds = 2 + static_cast<int>(random() % 4);
            Game game = random_start(random, seeds, without_majority(preset.rules));
            play_quietly(game, random, static_cast<int>(random() % 20));
            if (game.is_over()) continue;
            const int depth = 10 + static_cast<int>(random() % (seeds > 3 ? 5 : 12));
            check_against_minimax(game, depth, std::string(preset.name), table);
        }
    }
}

// Games in which a search that stored values resting on a repetition was caught.
void no_repetition_leaks() {
    struct Leak {
        const char* rules;
        const char* start;
        const char* moves;
    };
    constexpr Leak kLeaks[] = {
        {"wari", "1-0-1-0-0-1-0-2-0-0-0-0-3-2-N", "bAdBcCeDdE"},
        {"wari", "0-0-0-0-1-0-0-1-0-0-2-1-4-3-N", "bEfAeBcCdAe"},
        {"wari", "0-1-0-1-0-0-1-0-0-1-0-1-4-1-S", "DaEfBbFcAaBbCcEdDe"},
        {"cairo", "0-0-0-1-1-0-0-0-0-1-2-0-1-2-S", "DdEaFeBaAfBbCcEdAe"},
        {"nostarve", "1-1-1-0-0-0-2-0-0-0-0-0-4-3-S", "AaCbBcCeDdE"},
        {"abapa", "1-0-0-0-1-0-0-2-0-0-1-0-4-3-S", "EeAfAbBdCeFcDdE"},
        {"abapa", "0-0-0-0-1-1-1-0-0-1-0-1-2-3-N", "dE"},
    };
    TranspositionTable table(4);
    for (const Leak& leak : kLeaks) {
        Game game(*Position::parse(leak.start, without_majority(*preset(leak.rules))));
        for (const char letter : std::string(leak.moves)) CHECK(game.push(Move{letter}).has_value());
        check_against_minimax(game, 15, leak.rules, table);
    }
}

void same_without_table(const Game& game, const Setup& setup, TranspositionTable& table) {
    Setup alone = setup;
    alone.with_table = false;
    const Analysis with = ask(game, setup, table);
    const Analysis without = ask(game, alone, table);
    const std::string name = to_text(game.rules()) + ' ' + game.position().text() + ' ';
    CHECK_EQUAL(name + text_of(values_of(with)), name + text_of(values_of(without)));
    CHECK(with.nodes <= without.nodes);
}

// The start to depth 11; other boards, and every way to value a leaf, less deep.
void table_changes_nothing() {
    TranspositionTable table(16);
    std::mt19937 random(31);
    for (const Preset& preset : presets()) {
        const Rules rules = without_majority(preset.rules);
        same_without_table(Game(Position(rules)), {.depth = check::kSampled ? 9 : 11, .multipv = 2}, table);
        for (int i = 0; i < check::sample(10); ++i) {
            const Game game = random_start(random, 6 + static_cast<int>(random() % 43), rules);
            for (const auto kind :
                 {EvaluationKind::material, EvaluationKind::linear, EvaluationKind::network}) {
                same_without_table(game, {.depth = 8, .evaluation = kind}, table);
            }
        }
    }
}

// What is called proved is true: compared with the whole game, played to its end.
void proofs_hold() {
    TranspositionTable table(4);
    std::mt19937 random(17);
    int exact = 0;
    for (const Preset& preset : presets()) {
        BuildOptions options;
        options.seeds = 2;
        const auto tablebase = Tablebase::build(preset.rules, options);
        CHECK(tablebase.has_value());
        for (int i = 0; i < check::sample(60); ++i) {
            Game game = random_start(random, 2 + i % 2, without_majority(preset.rules));
            play_quietly(game, random, static_cast<int>(random() % 12));
            if (game.is_over()) continue;
            Setup setup{.depth = 2 + static_cast<int>(random() % 24), .full_width = false};
            if (i % 3 == 0) setup.tablebase = *tablebase;
            const Analysis found = ask(game, setup, table);
            for (const Line& line : found.lines) {
                CHECK(game.push(line.move).has_value());
                const int truth = -minimax(game, -1, -kInfinite, kInfinite);
                CHECK(game.pop().has_value());
                if (line.score.bound == Bound::exact) CHECK_EQUAL(line.score.value, truth);
                if (line.score.bound == Bound::lower) CHECK(line.score.value <= truth);
                if (line.score.bound == Bound::upper) CHECK(line.score.value >= truth);
                exact += line.score.bound == Bound::exact ? 1 : 0;
            }
        }
    }
    CHECK(exact > check::sample(200));
}

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
        int exact = 0;
        for (int i = 0; i < check::sample(40); ++i) {
            const Game game = random_start(random, 5 + i % 4, rules);
            SolveRequest request;
            request.position = game.position();
            request.nodes = 100'000;
            const auto solution = (*engine)->solve(request);
            const Board& b = request.position.board();
            const int stores = store_of(b.own) - store_of(b.opp);
            const Bounds bounds = *truth->bounds(b);
            CHECK(solution->lower <= stores + bounds.upper);
            CHECK(solution->upper >= stores + bounds.lower);
            if (solution->exact()) {
                CHECK(solution->lower >= stores + bounds.lower && solution->lower <= stores + bounds.upper);
                ++exact;
            }
        }
        CHECK(exact >= check::sample(10));
    }
}

// One engine, one table, other rules: nothing of the first may be left.
void rules_do_not_mix() {
    const auto engine = Engine::create({.hash_mebibytes = 8});
    for (const Preset& preset : presets()) {
        SearchRequest request;
        request.position = *Position::parse("2-1-1-2-2-2-3-0-0-8-0-1-13-13-N", preset.rules);
        request.limits.depth = 12;
        const auto fresh = Engine::create({.hash_mebibytes = 8});
        const auto found = (*engine)->analyse(request);
        CHECK_EQUAL(found->nodes, (*fresh)->analyse(request)->nodes);
    }
}

void limits_are_kept() {
    const auto engine = Engine::create({.hash_mebibytes = 8});
    SearchRequest request;
    request.limits.nodes = 200'000;
    const auto by_nodes = (*engine)->analyse(request);
    CHECK(by_nodes->nodes >= 200'000 && by_nodes->nodes <= 202'000);
    (*engine)->new_game();
    CHECK_EQUAL((*engine)->analyse(request)->nodes, by_nodes->nodes);
    request.limits.nodes.reset();
    request.limits.seconds = 0.05;
    CHECK((*engine)->analyse(request)->seconds < 0.5);
    request.limits.seconds = 0.0;
    CHECK_EQUAL((*engine)->analyse(request).error().field, "time");
    request.limits.seconds.reset();
    request.limits.depth = 0;
    CHECK_EQUAL((*engine)->analyse(request).error().field, "depth");
    CHECK(!Engine::create({.threads = 0}).has_value());
    CHECK(!Engine::create({.hash_mebibytes = 0}).has_value());
}

void several_threads() {
    const auto engine = Engine::create({.threads = 3, .hash_mebibytes = 8});
    SearchRequest request;
    request.limits.nodes = 300'000;
    request.multipv = 2;
    const auto found = (*engine)->analyse(request);
    CHECK(found->nodes >= 300'000 && found->nodes <= 303'000);
    CHECK_EQUAL(found->lines.size(), std::size_t{2});
    request.limits.nodes.reset();
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        (*engine)->stop();
    });
    CHECK(!(*engine)->analyse(request)->lines.empty());
    stopper.join();
    // The same batch, whatever the number of threads.
    std::vector<Position> positions;
    std::mt19937 random(19);
    for (int i = 0; i < 20; ++i) positions.push_back(random_start(random, 20, Rules{}).position());
    BatchRequest batch{positions, {}, 1, {}};
    batch.limits.nodes = 5000;
    const auto alone = Engine::create({.hash_mebibytes = 8});
    const auto many = (*engine)->analyse_many(batch);
    const auto one = (*alone)->analyse_many(batch);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        CHECK_EQUAL((*many)[i].nodes, (*one)[i].nodes);
        CHECK((*many)[i].score == (*one)[i].score);
    }
}

// A search stopped anywhere, also within an iteration whose best move has just changed, has a move and a
// value that the seeds on the board allow.
void an_interrupted_search_has_an_answer() {
    std::mt19937 random(23);
    const auto engine = Engine::create({.hash_mebibytes = 8});
    for (int i = 0; i < check::sample(150); ++i) {
        const Position position = random_start(random, 40, *preset("awari")).position();
        for (std::uint64_t nodes = 500; nodes < 12000; nodes += 500) {
            SearchRequest request;
            request.position = position;
            request.limits.nodes = nodes;
            (*engine)->new_game();
            const auto analysis = (*engine)->analyse(request);
            CHECK_EQUAL(analysis->lines.size(), 1U);
            CHECK(std::abs(analysis->score.value) <= kSeedUnits * position.total());
        }
    }
}

// A child is in work from the first mark to its end; another depth is another piece of work.
void marks_of_work() {
    BusyMarks busy;
    CHECK(begin_work(busy, 7, 9));
    CHECK(!begin_work(busy, 7, 9));
    CHECK(begin_work(busy, 7, 10));
    end_work(busy, 7, 9);
    CHECK(begin_work(busy, 7, 9));
    end_work(busy, 8, 9);  // somebody else's end changes nothing
    CHECK(!begin_work(busy, 7, 9));
}

}  // namespace

int main() {
    several_threads();
    solve_is_honest(3);
    if (check::kThreadsOnly) return check::failures();
    marks_of_work();
    ranks_are_distinct();
    entries_survive();
    equals_minimax();
    equals_minimax_where_positions_recur();
    no_repetition_leaks();
    table_changes_nothing();
    proofs_hold();
    solve_is_honest(1);
    rules_do_not_mix();
    limits_are_kept();
    an_interrupted_search_has_an_answer();
    return check::failures();
}
