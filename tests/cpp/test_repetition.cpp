// A position that recurs is found however long ago it was: compared with a look at every board since the last
// capture, over random games with moves taken back and games copied.
#include <doctest/doctest.h>

#include <random>

#include "wari/game.hpp"

namespace {

using namespace wari;

bool was_there_before(const Game& game) {
    const auto boards = game.boards_since_capture();
    for (std::size_t back = 2; back < boards.size(); back += 2) {
        if (boards[boards.size() - 1 - back] == boards.back()) return true;
    }
    return false;
}

/// Whether the game says of its last position what a look at every board says, where nothing else ended it.
bool is_right(const Game& game) {
    const bool ended = game.ending() == Ending::repetition;
    const bool by_itself = game.is_over() && !ended && game.ending() != Ending::stuck;
    return by_itself || ended == was_there_before(game);
}

TEST_CASE("repetitions are those that a look at every board finds") {
    std::mt19937 random(7);
    int repetitions = 0;
    for (int number = 0; number < 300; ++number) {
        const char* starts[] = {"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "1-1-0-0-0-0-1-0-1-0-0-0-20-20-N",
                                "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"};
        Game game(*Position::parse(starts[number % 3], *parse_rules("abapa,majority=false")));
        for (int step = 0; step < 400; ++step) {
            const bool back = game.size() > 0 && (game.is_over() || random() % 4 == 0);
            if (back) {
                REQUIRE(game.pop().has_value());
            } else {
                const MoveList moves = game.legal_moves();
                if (moves.size() == 0) break;
                REQUIRE(game.push(moves.begin()[random() % moves.size()]).has_value());
                REQUIRE(is_right(game));
                repetitions += game.ending() == Ending::repetition ? 1 : 0;
            }
            if (random() % 64 == 0) {
                const Game copy = game;
                REQUIRE(copy == game);
                game = copy;
            }
        }
    }
    CHECK(repetitions > 100);
}

TEST_CASE("games are equal by their moves and not by how they came about") {
    Game game(Position(*preset("abapa")));
    Game other = game;
    for (const char letter : {'F', 'f', 'E', 'd'}) REQUIRE(game.push(Move{letter}).has_value());
    for (const char letter : {'F', 'f', 'B'}) REQUIRE(other.push(Move{letter}).has_value());
    CHECK(!(game == other));
    REQUIRE(other.pop().has_value());
    for (const char letter : {'E', 'd'}) REQUIRE(other.push(Move{letter}).has_value());
    CHECK(game == other);
    REQUIRE(!other.agree().has_value());
    CHECK(!(game == other));
}

}  // namespace
