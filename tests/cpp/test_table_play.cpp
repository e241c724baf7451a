// Players that only follow a table collect what it promises, by the rules of the game, repetition included.
// From every board of few seeds and from random larger ones, on either side of each; against random, greedy
// and table-using play. For the rules given as argument from 10,000 random boards, or as many as the next
// argument says; else a sample of all presets.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "table_moves.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using detail::Shares;
using detail::TableMove;
using detail::TableMoves;

enum class Opponent { random, greedy, table };

class Match {
 public:
    Match(TablebasePtr table, unsigned seed) : table_(std::move(table)), random_(seed) {}

    /// Plays on from `board`; returns what the side that follows the table and the other one collect, as
    /// mover and other. `follower` tells whether it is the one that moves first.
    Shares play(Board board, Opponent opponent, bool follower) {
        Shares got;
        std::vector<Board> since;
        while (true) {
            for (const Board& before : since) {
                if (before == turned(board, since.size())) return add(got, recurred(board), follower);
            }
            const TableMoves moves = detail::table_moves(board, table_->rules());
            if (moves.count == 0) return add(got, moves.settled, follower);
            const TableMove move = follower ? best(board, moves) : choose(board, moves, opponent);
            got = add(got, move.got, follower);
            if (move.ends) return got;
            since.push_back(turned(board, since.size()));
            if (move.got.mover != 0) since.clear();
            board = move.next;
            follower = !follower;
            if (since.size() > 2000) return {-1000, 1000};  // no repetition rule would allow this
        }
    }

 private:
    // Positions recur with the same side to move: tell the sides apart by the parity of plies.
    static Board turned(const Board& board, std::size_t plies) {
        return {board.own | static_cast<std::uint64_t>(plies % 2) << 56, board.opp};
    }

    Shares recurred(const Board& board) const {
        const bool split = table_->rules().repetition == Repetition::split;
        const Board swept = sweep(board, split ? Remainder::split : Remainder::owner);
        return {store_of(swept.own), store_of(swept.opp)};
    }

    static Shares add(Shares sum, const Shares& part, bool follower) {
        sum.mover += follower ? part.mover : part.other;
        sum.other += follower ? part.other : part.mover;
        return sum;
    }

    // The table's answer to a board is always the same: asked once.
    TableMove best(const Board& board, const TableMoves& moves) {
        const auto [at, fresh] = best_.try_emplace({board.own, board.opp}, 0);
        if (fresh) {
            const auto probe = table_->probe(board);
            CHECK(probe.has_value() && probe->best_count > 0);
            at->second = probe->best[0].pit;
        }
        for (const TableMove& move : moves) {
            if (move.pit == at->second) return move;
        }
        CHECK(false);
        return moves.moves[0];
    }

    TableMove choose(const Board& board, const TableMoves& moves, Opponent opponent) {
        if (opponent == Opponent::table) return best(board, moves);
        const TableMove* chosen = &moves.moves[random_() % static_cast<unsigned>(moves.count)];
        for (const TableMove& move : moves) {
            if (opponent == Opponent::greedy && move.got.mover > chosen->got.mover) chosen = &move;
        }
        return *chosen;
    }

    TablebasePtr table_;
    std::mt19937 random_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> best_;
};

void plays(const Rules& rules, int all_to, int random_to, int random_boards) {
    BuildOptions options;
    options.seeds = random_to;
    options.verify = false;
    const auto table = Tablebase::build(rules, options);
    CHECK(table.has_value());
    Match match(*table, 1);
    std::mt19937_64 random(2);
    int failures = 0;
    const auto one = [&](const Board& board, Opponent opponent, bool first) {
        const int n = board_seeds(board);
        const Bounds bounds = *(*table)->bounds(board);
        const int promised = first ? bounds.lower : -bounds.upper;
        const Shares got = match.play(board, opponent, first);
        const bool net = (*table)->kind() == TableKind::value;
        if ((net ? got.mover - got.other : 2 * got.mover - n) >= promised) return;
        if (failures++ == 0) {
            std::fprintf(stderr, "%s: %d seeds, board %d, %s: promised %d, collected %d and %d\n",
                         to_text(rules).c_str(), n, static_cast<int>(board_index(board)),
                         first ? "first" : "second", promised, got.mover, got.other);
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
    CHECK_EQUAL(failures, 0);
}

}  // namespace

int main(int argc, char** argv) {
    if (check::kThreadsOnly) return 0;  // it has one
    if (argc > 1) {
        plays(*parse_rules(argv[1]), 7, 12, argc > 2 ? std::stoi(argv[2]) : 10'000);
        return check::failures();
    }
    for (const Preset& preset : presets()) {
        for (const Repetition repetition : {Repetition::owner, Repetition::split}) {
            Rules rules = preset.rules;
            rules.repetition = repetition;
            plays(rules, check::kSampled ? 3 : 4, 9, check::sample(50));
        }
    }
    return check::failures();
}
