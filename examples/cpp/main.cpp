// An application that uses wari from C++: what is every move of a position worth, and how does the engine
// play?
//
//   wari_example                                          the start position
//   wari_example 0-0-0-0-0-2-1-2-4-0-0-0-20-19-S awari    a position and its rules
#include <cstdio>
#include <string>

#include "wari/engine.hpp"
#include "wari/game.hpp"
#include "wari/notation.hpp"

namespace {

constexpr int kDepth = 12;
constexpr std::size_t kPliesPlayed = 8;

int fail(const wari::Error& error) {
    std::fprintf(stderr, "wari_example: %s\n", error.message.c_str());
    return 2;
}

void print_lines(const wari::Analysis& analysis) {
    for (const wari::Line& line : analysis.lines) {
        std::printf("%c %+7.2f %-8s %s\n", line.move.letter, line.score.seeds(),
                    std::string(to_text(line.score.bound)).c_str(), wari::to_text(line.pv).c_str());
    }
}

wari::SearchRequest request_for(const wari::Game& game) {
    wari::SearchRequest request;
    request.root = game;
    request.limits.depth = kDepth;
    return request;
}

}  // namespace

int main(int argc, char** argv) {
    const auto rules = wari::parse_rules(argc > 2 ? argv[2] : "wari");
    if (!rules) return fail(rules.error());
    const auto start = argc > 1 ? wari::Position::parse(argv[1], *rules) : wari::Position(*rules);
    if (!start) return fail(start.error());

    wari::EngineOptions options;
    options.hash_mebibytes = 16;
    options.automatic_tables = std::make_shared<wari::TableCache>();
    const auto engine = wari::Engine::create(options);
    if (!engine) return fail(engine.error());

    // Every move with its value, seen from the side to move.
    wari::Game game(*start);
    wari::SearchRequest request = request_for(game);
    request.multipv = wari::kPitsPerRow;
    const auto analysis = engine.value()->analyse(request);
    if (!analysis) return fail(analysis.error());
    std::printf("position %s\n", start->text().c_str());
    print_lines(*analysis);

    // The engine against itself, for a few moves.
    while (!game.is_over() && game.size() < kPliesPlayed) {
        const auto found = engine.value()->analyse(request_for(game));
        if (!found) return fail(found.error());
        const auto played = game.push(found->lines.front().move);
        if (!played) return fail(played.error());
    }
    std::printf("game %s\nreached %s\n", wari::moves_text(game).c_str(), game.position().text().c_str());
    if (const auto outcome = game.outcome()) {
        std::printf("result %d-%d %s\n", outcome->south, outcome->north,
                    std::string(to_text(outcome->ending)).c_str());
    }
    return 0;
}
