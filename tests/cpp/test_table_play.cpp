// Players that only follow a table collect what it promises, in games with their history, repetition
// included. From every board of few seeds and from random larger ones, on either side of each; against
// random, greedy and table-using play.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

#include "sampling.hpp"
#include "wari/game.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;

enum class Opponent { random, greedy, table };

class Match {
 public:
    Match(TablebasePtr table, const Rules& rules, unsigned seed)
        : table_(std::move(table)), rules_(rules), random_(seed) {}

    /// Plays on from `board`, South to move, whom the table's follower is or is not; the whole game.
    Outcome play(const Board& board, Opponent opponent, bool follower_begins) {
        Game game(Position::from_board(board, Side::south, rules_));
        const Side follower = follower_begins ? Side::south : Side::north;
        while (!game.is_over()) {
            const Position position = game.position();
            const bool follows = position.side_to_move() == follower || opponent == Opponent::table;
            if (!game.push(follows ? best(position) : other_choice(position, opponent)))
                FAIL("an illegal move");
        }
        return *game.outcome();
    }

 private:
    // The table's answer to a board is always the same: asked once.
    Move best(const Position& position) {
        const Board board{position.board().own & kRowBits, position.board().opp & kRowBits};
        const auto [at, fresh] = best_.try_emplace({board.own, board.opp}, 0);
        if (fresh) {
            const auto probe = table_->probe(board);
            if (!probe || probe->best_count < 1) FAIL("the table has no move for a board");
            at->second = probe->best[0].pit;
        }
        return position.move_of(at->second);
    }

    Move other_choice(const Position& position, Opponent opponent) {
        const MoveList moves = position.legal_moves();
        Move chosen = moves[random_() % moves.size()];
        if (opponent == Opponent::random) return chosen;
        int most = position.play_unchecked(chosen).captured;
        for (const Move move : moves) {
            const int captured = position.play_unchecked(move).captured;
            if (captured > most) chosen = move;
            most = std::max(most, captured);
        }
        return chosen;
    }

    TablebasePtr table_;
    Rules rules_;
    std::mt19937 random_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> best_;
};

/// How many games are played.
int plays(Rules rules, int all_to, int random_to, int random_boards) {
    rules.majority = false;
    BuildOptions options;
    options.seeds = random_to;
    options.verify = VerifyLevel::none;
    const auto table = Tablebase::build(rules, options);
    REQUIRE(table.has_value());
    const bool net = (*table)->kind() == TableKind::value;
    Match match(*table, rules, 1);
    std::mt19937_64 random(2);
    int games = 0;
    int failures = 0;
    const auto one = [&](const Board& board, Opponent opponent, bool first) {
        const int n = board_seeds(board);
        const Bounds bounds = *(*table)->bounds(board);
        const int promised = first ? bounds.lower : -bounds.upper;
        const Outcome outcome = match.play(board, opponent, first);
        const int mine = first ? outcome.south : outcome.north;
        const int theirs = first ? outcome.north : outcome.south;
        ++games;
        if ((net ? mine - theirs : 2 * mine - n) >= promised) return;
        if (failures++ == 0) {
            MESSAGE(to_text(rules), ": ", n, " seeds, board ", board_index(board),
                    first ? ", first" : ", second", ": promised ", promised, ", collected ", mine, " and ",
                    theirs);
        }
    };
    const auto all = [&](const Board& board) {
        for (const Opponent opponent : {Opponent::random, Opponent::greedy, Opponent::table}) {
            one(board, opponent, true);
            one(board, opponent, false);
        }
    };
    for (int n = 1; n <= all_to; ++n) {
        for (std::uint64_t i = 0; i < boards_with(n); ++i) all(board_from_index(n, i));
    }
    for (int i = 0; i < random_boards; ++i) {
        const int n = 1 + static_cast<int>(random() % static_cast<unsigned>(random_to));
        all(board_from_index(n, random() % boards_with(n)));
    }
    CHECK(failures == 0);
    return games;
}

TEST_CASE("who follows the table of a preset gets what it promises") {
    for (const Preset& preset : presets()) {
        for (const Repetition repetition : {Repetition::owner, Repetition::split}) {
            Rules rules = preset.rules;
            rules.repetition = repetition;
            plays(rules, sampling::kSampled ? 2 : 3, 9, sampling::sample(30));
        }
    }
    // Six games a board: 90 boards have one or two seeds.
    CHECK(plays(*parse_rules("wari,repetition=split,grand_slam=keep_last"), 2, 9, 5) == 6 * (90 + 5));
}

// From every board of up to seven seeds, and random ones of up to twelve.
#define WARI_PLAYS(words, rules, random_boards)                                                             \
    TEST_CASE("who follows the table gets what it promises from many boards - " words* doctest::test_suite( \
        "slow")) {                                                                                          \
        plays(*parse_rules(rules), 7, 12, random_boards);                                                   \
    }
WARI_PLAYS("wari", "wari", 10'000)
WARI_PLAYS("cairo", "cairo", 10'000)
WARI_PLAYS("singles", "singles", 10'000)
WARI_PLAYS("nostarve", "nostarve", 10'000)
WARI_PLAYS("abapa", "abapa", 10'000)
WARI_PLAYS("awari", "awari", 10'000)
WARI_PLAYS("ouri", "ouri", 10'000)
WARI_PLAYS("abapa with split repetition", "abapa,repetition=split", 1'000)
WARI_PLAYS("wari with split repetition and keep_last", "wari,repetition=split,grand_slam=keep_last", 1'000)

}  // namespace
