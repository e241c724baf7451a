// Game and notation without Python: repetition, undo, endings by the players, lists of moves.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "wari/game.hpp"
#include "wari/notation.hpp"

namespace {

using namespace wari;

constexpr const char* kChase = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
constexpr const char* kChaseRound = "AaBbCcDdEeFf";
constexpr const char* kSlam = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S";

Game game_at(const char* text, const char* rules = "wari") {
    const auto position = Position::parse(text, *parse_rules(rules));
    REQUIRE(position.has_value());
    return Game(*position);
}

void play(Game& game, std::string_view text) {
    const auto moves = parse_moves(text);
    REQUIRE(moves.has_value());
    CHECK(!push_moves(game, *moves).has_value());
}

TEST_CASE("repetition ends at the second occurrence") {
    Game game = game_at(kChase, "abapa");
    play(game, std::string_view(kChaseRound).substr(0, 11));
    CHECK(!game.is_over());
    CHECK(game.quiet_plies() == 11U);
    CHECK(game.boards_since_capture().size() == 12U);
    play(game, "f");
    CHECK(game.ending() == Ending::repetition);
    CHECK(game.legal_moves().empty());
    CHECK(game.refusal(Move{'A'}) == Refusal::game_over);
    CHECK(game.push(Move{'A'}).error().kind == ErrorKind::illegal_move);
    const auto outcome = game.outcome();
    CHECK(outcome->south == 24);
    CHECK(outcome->north == 24);
    CHECK(!outcome->winner.has_value());
    CHECK(game.settled().text() == "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
}

TEST_CASE("a capture forgets what was before") {
    Game game = game_at("1-0-0-0-0-3-1-0-1-1-0-0-20-21-S");
    play(game, "A");
    CHECK(game.quiet_plies() == 1U);
    play(game, "dF");
    CHECK(game.plies().back().captured == 2);
    CHECK(game.quiet_plies() == 0U);
    CHECK(game.boards_since_capture().size() == 1U);
    CHECK(game.boards_since_capture().front() == game.position().board());
    CHECK(game.pop()->letter == 'F');
    CHECK(game.quiet_plies() == 2U);
    CHECK(game.boards_since_capture().size() == 3U);
}

TEST_CASE("a move taken back after the end can be played again") {
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
    CHECK(chase.legal_moves().size() == 1U);
    play(chase, "f");
    CHECK(chase.ending() == Ending::repetition);
}

TEST_CASE("an ending by the players without moves leaves nothing to take back") {
    Game game;
    CHECK(game.pop().error().kind == ErrorKind::no_history);
    CHECK(!game.resign(Side::north).has_value());
    CHECK(game.pop().error().kind == ErrorKind::no_history);
    CHECK(game.ending() == Ending::resignation);
}

TEST_CASE("games are equal by rules and start and moves and ending") {
    Game game;
    play(game, "Ff");
    Game same;
    play(same, "Ff");
    CHECK(game == same);
    play(same, "E");
    CHECK(game != same);
    CHECK(game != Game());
    CHECK(game_at(kSlam, "wari") != game_at(kSlam, "abapa"));
    CHECK(game_at(kSlam) != game_at(kChase));
    Game agreed = game;
    CHECK(!agreed.agree().has_value());
    CHECK(game != agreed);
}

TEST_CASE("the players can agree and resign and lose on time") {
    Game game;
    play(game, "Ff");
    Game agreed = game;
    CHECK(!agreed.agree().has_value());
    CHECK(agreed.ending() == Ending::agreement);
    CHECK(agreed.outcome()->south + agreed.outcome()->north == 48);
    CHECK(agreed.agree()->kind == ErrorKind::illegal_move);
    Game resigned = game;
    CHECK(!resigned.resign(Side::north).has_value());
    CHECK(resigned.outcome()->winner == Side::south);
    CHECK(resigned.outcome()->south == 0);
    Game late = game;
    CHECK(!late.lose_on_time(Side::south).has_value());
    CHECK(late.outcome()->winner == Side::north);
    CHECK(late.ending() == Ending::time);
    CHECK(late.pop()->letter == 'f');
    CHECK(!late.is_over());
    CHECK(late.legal_moves().size() == 6);
}

TEST_CASE("an ended game holds the settled board") {
    // A move's own ending sweeps: the settled board is what the game then holds.
    Game emptied = game_at(kChase, "singles");
    play(emptied, "AaBbCcDdEeF");
    CHECK(emptied.ending() == Ending::emptied);
    CHECK(emptied.position().text() == "0-0-0-0-0-0-0-0-0-0-0-0-23-25-N");
    Game forfeit = game_at(kSlam, "wari,grand_slam=forfeit_rest,majority=false");
    play(forfeit, "F");
    CHECK(forfeit.ending() == Ending::forfeit);
    CHECK(forfeit.outcome()->north == 20);
    Game finished = game_at("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S");
    CHECK(finished.ending() == Ending::empty_board);
    CHECK(finished.agree()->kind == ErrorKind::illegal_move);
}

TEST_CASE("lists of moves are read and written and refused whole") {
    CHECK(to_text(*parse_moves(" F f\tE\n-")) == "FfE-");
    CHECK(parse_moves("")->empty());
    const Error unknown = parse_moves("F x").error();
    CHECK(unknown.field == "moves");
    CHECK(unknown.message == "moves: move 2 is 'x', not one of A-F, a-f or - (a pass)");

    // North must pass after the slam; a reader puts the pass in.
    Game game = game_at(kSlam);
    play(game, "FE");
    CHECK(moves_text(game) == "F-E");
    Game written = game_at(kSlam);
    play(written, "F-E");
    CHECK(game == written);

    Game same = game_at(kSlam);
    const auto refused = push_moves(same, *parse_moves("F B"));
    CHECK(refused->index == 1U);
    CHECK(refused->refusal == Refusal::empty_pit);
    CHECK(refused->error().message == "moves: move 2, B, is not legal there: that pit is empty");
    CHECK(same.size() == 0U);
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

TEST_CASE("games of any length are replayed and taken back") {
    constexpr std::size_t kMost = 3000;
    std::size_t longest = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Game game = long_game(seed, kMost);
        if (game.size() > longest) longest = game.size();
        const auto again = replay(Position(), moves_text(game));
        REQUIRE(again.has_value());
        CHECK(*again == game);
        while (game.size() > 0) CHECK(game.pop().has_value());
        CHECK(game == Game());
    }
    CHECK(longest == kMost);
}

}  // namespace
