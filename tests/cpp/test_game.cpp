// Game and notation without Python: repetition, undo, endings by the players, lists of moves.
#include <string>
#include <string_view>

#include "check.hpp"
#include "wari/game.hpp"
#include "wari/notation.hpp"

namespace {

using namespace wari;

constexpr const char* kChase = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
constexpr const char* kChaseRound = "AaBbCcDdEeFf";
constexpr const char* kSlam = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S";

Game game_at(const char* text, const char* rules = "wari") {
    const auto position = Position::parse(text, *parse_rules(rules));
    CHECK(position.has_value());
    return Game(*position);
}

void play(Game& game, std::string_view text) {
    const auto moves = parse_moves(text);
    CHECK(moves.has_value());
    CHECK(!push_moves(game, *moves).has_value());
}

void repetition_ends_at_the_second_occurrence() {
    Game game = game_at(kChase, "abapa");
    play(game, std::string_view(kChaseRound).substr(0, 11));
    CHECK(!game.is_over());
    CHECK_EQUAL(game.quiet_plies(), 11U);
    CHECK_EQUAL(game.boards_since_capture().size(), 12U);
    play(game, "f");
    CHECK(game.ending() == Ending::repetition);
    CHECK(game.legal_moves().empty());
    CHECK(game.refusal(Move{'A'}) == Refusal::game_over);
    CHECK(game.push(Move{'A'}).error().kind == ErrorKind::illegal_move);
    const auto outcome = game.outcome();
    CHECK_EQUAL(outcome->south, 24);
    CHECK_EQUAL(outcome->north, 24);
    CHECK(!outcome->winner.has_value());
    CHECK_EQUAL(game.settled().text(), "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
}

void a_capture_forgets_what_was_before() {
    Game game = game_at("1-0-0-0-0-3-1-0-1-1-0-0-20-21-S");
    play(game, "A");
    CHECK_EQUAL(game.quiet_plies(), 1U);
    play(game, "dF");
    CHECK_EQUAL(game.plies().back().captured, 2);
    CHECK_EQUAL(game.quiet_plies(), 0U);
    CHECK_EQUAL(game.boards_since_capture().size(), 1U);
    CHECK(game.boards_since_capture().front() == game.position().board());
    CHECK(game.pop()->letter == 'F');
    CHECK_EQUAL(game.quiet_plies(), 2U);
    CHECK_EQUAL(game.boards_since_capture().size(), 3U);
}

void undo_after_the_end_then_another_move() {
    Game game = game_at("1-0-0-0-0-1-0-0-0-0-0-1-23-23-S", "abapa");
    play(game, "F f A a B b C c D d");
    const Game before = game;
    CHECK(game.pop()->letter == 'd');
    play(game, "d");
    CHECK(game == before);
    Game chase = game_at(kChase, "abapa");
    play(chase, kChaseRound);
    CHECK(chase.is_over());
    CHECK(chase.pop()->letter == 'f');
    CHECK(!chase.is_over());
    CHECK_EQUAL(chase.legal_moves().size(), 1U);
    play(chase, "f");
    CHECK(chase.ending() == Ending::repetition);
}

void nothing_to_take_back() {
    Game game;
    CHECK(game.pop().error().kind == ErrorKind::no_history);
    CHECK(!game.resign(Side::north).has_value());
    CHECK(game.pop().error().kind == ErrorKind::no_history);
    CHECK(game.ending() == Ending::resignation);
}

void endings_by_the_players() {
    Game game;
    play(game, "Ff");
    Game agreed = game;
    CHECK(!agreed.agree().has_value());
    CHECK(agreed.ending() == Ending::agreement);
    CHECK_EQUAL(agreed.outcome()->south + agreed.outcome()->north, 48);
    CHECK(agreed.agree()->kind == ErrorKind::illegal_move);
    Game resigned = game;
    CHECK(!resigned.resign(Side::north).has_value());
    CHECK(resigned.outcome()->winner == Side::south);
    CHECK_EQUAL(resigned.outcome()->south, 0);
    Game late = game;
    CHECK(!late.lose_on_time(Side::south).has_value());
    CHECK(late.outcome()->winner == Side::north);
    CHECK(late.ending() == Ending::time);
    CHECK(late.pop()->letter == 'f');
    CHECK(!late.is_over());
    CHECK(late.legal_moves().size() == 6);
}

void repetition_comes_before_stuck_and_after_majority() {
    // A move's own ending sweeps: the settled board is what the game then holds.
    Game emptied = game_at(kChase, "singles");
    play(emptied, "AaBbCcDdEeF");
    CHECK(emptied.ending() == Ending::emptied);
    CHECK_EQUAL(emptied.position().text(), "0-0-0-0-0-0-0-0-0-0-0-0-23-25-N");
    Game forfeit = game_at(kSlam, "wari,grand_slam=forfeit_rest,majority=false");
    play(forfeit, "F");
    CHECK(forfeit.ending() == Ending::forfeit);
    CHECK_EQUAL(forfeit.outcome()->north, 20);
    Game finished = game_at("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
    CHECK(finished.ending() == Ending::empty_board);
    CHECK(finished.agree()->kind == ErrorKind::illegal_move);
}

void lists_of_moves() {
    CHECK_EQUAL(to_text(*parse_moves(" F f\tE\n-")), "FfE-");
    CHECK(parse_moves("")->empty());
    const Error unknown = parse_moves("F x").error();
    CHECK_EQUAL(unknown.field, "moves");
    CHECK_EQUAL(unknown.message, "moves: move 2 is 'x', not one of A-F, a-f or - (a pass)");

    // North must pass after the slam; a reader puts the pass in.
    Game game = game_at(kSlam);
    play(game, "FE");
    CHECK_EQUAL(moves_text(game), "F-E");
    Game written = game_at(kSlam);
    play(written, "F-E");
    CHECK(game == written);

    Game same = game_at(kSlam);
    const auto refused = push_moves(same, *parse_moves("F B"));
    CHECK_EQUAL(refused->index, 1U);
    CHECK(refused->refusal == Refusal::empty_pit);
    CHECK_EQUAL(refused->error().message, "moves: move 2, B, is not legal there: that pit is empty");
    CHECK_EQUAL(same.size(), 0U);
    CHECK(replay(Position(), "FfEe").has_value());
    CHECK(replay(Position(), "Fa a").error().kind == ErrorKind::illegal_move);
    CHECK(replay(Position(), "F?").error().kind == ErrorKind::bad_value);
}

// Plays random moves, avoiding captures and the end where it can, up to `most` plies.
Game long_game(std::uint64_t state, std::size_t most) {
    Game game;
    while (!game.is_over() && game.size() < most) {
        const MoveList moves = game.legal_moves();
        state = state * 6364136223846793005U + 1442695040888963407U;
        for (std::size_t tried = 0; tried < moves.size(); ++tried) {
            const auto ply = game.push(moves[((state >> 33) + tried) % moves.size()]);
            CHECK(ply.has_value());
            const bool last = tried + 1 == moves.size();
            if (last || (ply->captured == 0 && !game.is_over())) break;
            CHECK(game.pop().has_value());
        }
    }
    return game;
}

void games_of_any_length() {
    constexpr std::size_t kMost = 3000;
    std::size_t longest = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Game game = long_game(seed, kMost);
        if (game.size() > longest) longest = game.size();
        const auto again = replay(Position(), moves_text(game));
        CHECK(again.has_value() && *again == game);
        while (game.size() > 0) CHECK(game.pop().has_value());
        CHECK(game == Game());
    }
    CHECK_EQUAL(longest, kMost);
}

}  // namespace

int main() {
    repetition_ends_at_the_second_occurrence();
    a_capture_forgets_what_was_before();
    undo_after_the_end_then_another_move();
    nothing_to_take_back();
    endings_by_the_players();
    repetition_comes_before_stuck_and_after_majority();
    lists_of_moves();
    games_of_any_length();
    return check::failures() == 0 ? 0 : 1;
}
