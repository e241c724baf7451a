// The search against plain minimax, with and without its table, with and without history; proofs against
// the whole game; the parts: ranks, entries, limits. What threads share is in test_threads.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "abdada.hpp"
#include "board_rank.hpp"
#include "network.hpp"
#include "plain_search.hpp"
#include "sampling.hpp"
#include "search.hpp"
#include "transposition.hpp"
#include "wari/engine.hpp"
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
    request.root = game;
    request.limits.depth = setup.depth;
    request.multipv = setup.multipv;
    SearchTools tools;
    if (setup.with_table) {
        table.begin_search(board_seeds(request.root.position.board()));
        table.clear();
        tools.table = table.view();
    }
    tools.tablebase = setup.tablebase;
    tools.kernel = kernel_for(setup.evaluation);
    EvaluationWeights weights;
    if (setup.evaluation != EvaluationKind::material) {
        prepare_weights(table_rules(request.root.position.rules()), weights);
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
        push(game, move);
        values[move.letter] = -minimax(game, depth - 1, -kInfinite, kInfinite);
        pop(game);
    }
    return values;
}

std::string text_of(const Values& values) {
    std::string text;
    for (const auto& [letter, value] : values) text += letter + std::to_string(value) + ' ';
    return text;
}

// --- tests ------------------------------------------------------------------------------------------

TEST_CASE("the ranks of boards are distinct") {
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
    CHECK(ranks.size() == boards);
    CHECK(largest < std::uint64_t{1} << kNarrowRankBits);
    // The last board of 48 seeds, and of 96, have the last rank: C(60, 12) - 1 and C(108, 12) - 1.
    CHECK(board_rank({std::uint64_t{48}, 0}) == std::uint64_t{1399358844974});
    CHECK(board_rank({std::uint64_t{96}, 0}) < std::uint64_t{1} << kRankBits);
}

TEST_CASE("an entry of the transposition table is read as it was put") {
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
            entry.quiet_chain = static_cast<int>(random() % 16);
            entry.depth = static_cast<int>(random() % 200);
            entry.move = static_cast<int>(random() % 7);
            put(view, key, entry);
            const Entry found = probe(view, key);
            CHECK(found.value == entry.value);
            CHECK(int{found.bound} == int{entry.bound});
            CHECK(found.move == entry.move);
            CHECK(found.depth == std::min(entry.depth, kMaxEntryDepth));
            if (seeds == 48) {
                CHECK(int{found.proof} == int{entry.proof});
                CHECK(found.quiet_chain == entry.quiet_chain);
            } else {
                CHECK(int{found.proof} == 0);
                CHECK(found.quiet_chain >= entry.quiet_chain);
            }
        }
    }
}

// Every move's value, every preset, without history: the search with table, without, and minimax agree.
TEST_CASE("every move has the value of minimax with the transposition table and without") {
    TranspositionTable table(4);
    std::mt19937 random(11);
    for (const Preset& preset : presets()) {
        for (int i = 0; i < sampling::sample(40); ++i) {
            const Rules rules = without_majority(preset.rules);
            Game game = random_start(random, 2 + static_cast<int>(random() % 47), rules);
            const int depth = 1 + static_cast<int>(random() % 6);
            const std::string expected = text_of(minimax_values(game, depth));
            const std::string name = std::string(preset.name) + ' ' + game.position().text() + ' ';
            for (const bool with_table : {true, false}) {
                const Analysis found = ask(game, {.depth = depth, .with_table = with_table}, table);
                CHECK(name + text_of(values_of(found)) == name + expected);
            }
        }
    }
}

void check_against_minimax(const Game& game, int depth, const std::string& rules, TranspositionTable& table) {
    const std::string name = rules + ' ' + game.start().text() + ' ' + std::to_string(game.size()) + ' ' +
                             std::to_string(depth) + ' ';
    const Values expected = minimax_values(game, depth);
    const Analysis found = ask(game, {.depth = depth}, table);
    CHECK(name + text_of(values_of(found)) == name + text_of(expected));
    for (const Line& line : found.lines) {
        // The line can be played: it never goes on after a recurrence.
        Game played = game;
        for (const Move move : line.pv) push(played, move);
    }
}

// Few seeds, deep lines, quiet plies before the root: here positions recur in the tree and against the
// history, and a table that let such a value out, or used one where a position could recur, would show.
TEST_CASE("every move has the value of minimax where positions recur") {
    TranspositionTable table(4);
    std::mt19937 random(13);
    for (const Preset& preset : presets()) {
        for (int i = 0; i < sampling::sample(400); ++i) {
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
TEST_CASE("no value that rests on a repetition leaks through the transposition table") {
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
        for (const char letter : std::string(leak.moves)) push(game, Move{letter});
        check_against_minimax(game, 15, leak.rules, table);
    }
}

void same_without_table(const Game& game, const Setup& setup, TranspositionTable& table) {
    Setup alone = setup;
    alone.with_table = false;
    const Analysis with = ask(game, setup, table);
    const Analysis without = ask(game, alone, table);
    const std::string name = to_text(game.rules()) + ' ' + game.position().text() + ' ';
    CHECK(name + text_of(values_of(with)) == name + text_of(values_of(without)));
    CHECK(with.nodes <= without.nodes);
}

// The start to depth 11; other boards, and every way to value a leaf, less deep.
TEST_CASE("the transposition table changes no value and adds no node") {
    TranspositionTable table(16);
    std::mt19937 random(31);
    for (const Preset& preset : presets()) {
        const Rules rules = without_majority(preset.rules);
        same_without_table(Game(Position(rules)), {.depth = sampling::kSampled ? 9 : 11, .multipv = 2},
                           table);
        for (int i = 0; i < sampling::sample(10); ++i) {
            const Game game = random_start(random, 6 + static_cast<int>(random() % 43), rules);
            for (const auto kind :
                 {EvaluationKind::material, EvaluationKind::linear, EvaluationKind::network}) {
                same_without_table(game, {.depth = 8, .evaluation = kind}, table);
            }
        }
    }
}

// What is called proved is true: compared with the whole game, played to its end.
TEST_CASE("what a search calls proved is true of the whole game") {
    TranspositionTable table(4);
    std::mt19937 random(17);
    int exact = 0;
    for (const Preset& preset : presets()) {
        BuildOptions options;
        options.seeds = 2;
        const auto tablebase = Tablebase::build(preset.rules, options);
        CHECK(tablebase.has_value());
        for (int i = 0; i < sampling::sample(60); ++i) {
            Game game = random_start(random, 2 + i % 2, without_majority(preset.rules));
            play_quietly(game, random, static_cast<int>(random() % 12));
            if (game.is_over()) continue;
            Setup setup{.depth = 2 + static_cast<int>(random() % 24), .full_width = false};
            if (i % 3 == 0) setup.tablebase = *tablebase;
            const Analysis found = ask(game, setup, table);
            for (const Line& line : found.lines) {
                push(game, line.move);
                const int truth = -minimax(game, -1, -kInfinite, kInfinite);
                pop(game);
                if (line.score.bound == Bound::exact) CHECK(line.score.value == truth);
                if (line.score.bound == Bound::lower) CHECK(line.score.value <= truth);
                if (line.score.bound == Bound::upper) CHECK(line.score.value >= truth);
                exact += line.score.bound == Bound::exact ? 1 : 0;
            }
        }
    }
    CHECK(exact > sampling::sample(200));
}

// One engine, one table, other rules: nothing of the first may be left.
TEST_CASE("an engine searches other rules as a fresh engine does") {
    const auto engine = Engine::create({.hash_mebibytes = 8});
    for (const Preset& preset : presets()) {
        SearchRequest request;
        request.root = *Position::parse("2-1-1-2-2-2-3-0-0-8-0-1-13-13-N", preset.rules);
        request.limits.depth = 12;
        const auto fresh = Engine::create({.hash_mebibytes = 8});
        const auto found = (*engine)->analyse(request);
        CHECK(found->nodes == (*fresh)->analyse(request)->nodes);
    }
}

TEST_CASE("a search keeps its limits and names those that are wrong") {
    const auto engine = Engine::create({.hash_mebibytes = 8});
    SearchRequest request;
    request.limits.nodes = 200'000;
    const auto by_nodes = (*engine)->analyse(request);
    CHECK(by_nodes->nodes >= 200'000);
    CHECK(by_nodes->nodes <= 202'000);
    (*engine)->new_game();
    CHECK((*engine)->analyse(request)->nodes == by_nodes->nodes);
    request.limits.nodes.reset();
    request.limits.seconds = 0.05;
    CHECK(!(*engine)->analyse(request)->finished);  // without its limit it would never end
    request.limits.seconds = 0.0;
    CHECK((*engine)->analyse(request).error().field == "time");
    request.limits.seconds.reset();
    request.limits.depth = 0;
    CHECK((*engine)->analyse(request).error().field == "depth");
    CHECK(!Engine::create({.threads = 0}).has_value());
    CHECK(!Engine::create({.hash_mebibytes = 0}).has_value());
}

// A search stopped anywhere, also within an iteration whose best move has just changed, has a move and a
// value that the seeds on the board allow.
void stopped_anywhere(int boards) {
    std::mt19937 random(23);
    const auto engine = Engine::create({.hash_mebibytes = 8});
    for (int i = 0; i < boards; ++i) {
        const Position position = random_start(random, 40, *preset("awari")).position();
        for (std::uint64_t nodes = 500; nodes < 12000; nodes += 500) {
            SearchRequest request;
            request.root = position;
            request.limits.nodes = nodes;
            (*engine)->new_game();
            const auto analysis = (*engine)->analyse(request);
            CHECK(analysis->lines.size() == 1U);
            CHECK(std::abs(analysis->score.value) <= kSeedUnits * position.total());
        }
    }
}

TEST_CASE("a search stopped anywhere has a move and a possible value") {
    stopped_anywhere(sampling::sample(40));
}

TEST_CASE("a search of many boards stopped anywhere has a move and a possible value" *
          doctest::test_suite("slow")) {
    stopped_anywhere(1000);
}

// A child is in work from the first mark to its end; another depth is another piece of work.
TEST_CASE("a child is in work from its first mark to its end") {
    InProgressTable busy;
    CHECK(mark_in_progress(busy, 7, 9));
    CHECK(!mark_in_progress(busy, 7, 9));
    CHECK(mark_in_progress(busy, 7, 10));
    clear_in_progress(busy, 7, 9);
    CHECK(mark_in_progress(busy, 7, 9));
    clear_in_progress(busy, 8, 9);  // somebody else's end changes nothing
    CHECK(!mark_in_progress(busy, 7, 9));
}

}  // namespace
