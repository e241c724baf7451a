// The core without Python: text, moves, refusals, endings, perft on every compiled kernel.
#include <doctest/doctest.h>

#include "wari/isa.hpp"
#include "wari/perft.hpp"
#include "wari/position.hpp"

namespace {

using namespace wari;

Position read(const char* text, const char* rules = "wari") {
    auto position = Position::parse(text, *parse_rules(rules));
    REQUIRE(position.has_value());
    return *position;
}

std::string played(const char* text, char move, const char* rules) {
    const auto made = read(text, rules).play(Move{move});
    REQUIRE(made.has_value());
    return made->next.text();
}

std::string legal(const char* text, const char* rules) {
    std::string letters;
    for (const Move move : read(text, rules).legal_moves()) letters += move.letter;
    return letters;
}

TEST_CASE("a position is written as it is read and bad text is refused") {
    CHECK(Position().text() == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    CHECK(read("34-0-0-0-0-1-1-0-0-0-0-1-6-5-N").text() == "34-0-0-0-0-1-1-0-0-0-0-1-6-5-N");
    for (const char* bad : {"", "4-4", "-1-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-X",
                            "0-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "97-0-0-0-0-0-0-0-0-0-0-0-0-0-S",
                            "4-4-4-4-4-4-4-4-4-4-4-4-0-99999999999999999999-S"}) {
        CHECK(!Position::parse(bad, Rules{}).has_value());
    }
    CHECK(Position::parse("4-4-4--1-4-4-4-4-4-4-4-4-0-0-S", Rules{}).error().field == "D");
    const auto odd = Position::parse("4-4-\x1b[2J\x7f", Rules{});
    REQUIRE(!odd.has_value());
    CHECK(odd.error().message.find_first_of("\x1b\x7f") == std::string::npos);
}

TEST_CASE("moves and refusals and endings of the worked cases") {
    const char* slam = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S";
    CHECK(legal(slam, "abapa") == "AEF");
    CHECK(legal(slam, "awari") == "AE");
    CHECK(legal(slam, "ouri") == "EF");
    CHECK(played(slam, 'F', "abapa") == "1-0-0-0-2-0-3-2-3-0-0-0-20-17-N");
    CHECK(played(slam, 'F', "wari") == "1-0-0-0-2-0-0-0-0-0-0-0-28-17-N");
    CHECK(played(slam, 'F', "wari,grand_slam=keep_last") == "1-0-0-0-2-0-0-0-3-0-0-0-25-17-N");
    CHECK(played(slam, 'F', "wari,grand_slam=keep_first") == "1-0-0-0-2-0-3-0-0-0-0-0-25-17-N");
    CHECK(played(slam, 'F', "wari,grand_slam=forfeit_rest") == "0-0-0-0-0-0-0-0-0-0-0-0-28-20-N");
    CHECK(legal("1-1-0-3-1-1-0-0-0-0-0-0-20-21-N", "wari") == "-");
    CHECK(read("1-1-0-3-1-1-0-0-0-0-0-0-20-21-N", "cairo").ending() == Ending::stuck);
    CHECK(legal("1-0-4-0-4-1-4-4-4-4-4-4-0-0-S", "wari,sowing=clockwise") == "ACEF");
    CHECK(legal("4-4-4-4-4-4-0-4-0-4-4-0-0-0-N", "wari,sowing=clockwise") == "bde");
    CHECK(played("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 'C', "wari,sowing=clockwise") ==
          "5-5-0-4-4-4-4-4-4-4-5-5-0-0-N");
}

TEST_CASE("published perft counts") {
    const std::uint64_t expected[] = {1, 6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872};
    for (int depth = 0; depth < 10; ++depth) {
        CHECK(perft(Position(*preset("abapa")), depth)->nodes == expected[depth]);
        CHECK(perft(Position(*preset("awari")), depth)->nodes == expected[depth]);
    }
    const std::uint64_t singles[] = {6, 36, 180, 900, 3767, 16126};
    for (int depth = 1; depth <= 6; ++depth) {
        CHECK(perft(Position(*preset("singles")), depth)->nodes == singles[depth - 1]);
        CHECK(perft(Position(*preset("ouri")), depth)->nodes == singles[depth - 1]);
    }
    CHECK(!perft(Position(), -1).has_value());
}

TEST_CASE("every perft kernel counts the same leaves") {
    for (const Preset& preset : presets()) {
        const Position start(preset.rules);
        const auto plain = perft(start, 8, {}, Isa::portable);
        REQUIRE(plain.has_value());
        for (const Isa isa : {Isa::v3, Isa::v4}) {
            const auto other = perft(start, 8, {}, isa);
            if (isa <= best_isa()) {
                CHECK(*other == *plain);
            } else {
                CHECK(other.error().field == "isa");
            }
        }
    }
}

}  // namespace
