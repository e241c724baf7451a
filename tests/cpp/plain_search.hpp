// Plain minimax over games and random games to try it on: what searches and proofs are compared with.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "wari/game.hpp"
#include "wari/score.hpp"

namespace plain {

using namespace wari;

inline constexpr int kMost = 1'000'000;  ///< beyond every margin

// A move that is known to be legal, and its taking back.
inline void push(Game& game, Move move) {
    if (!game.push(move)) FAIL("a legal move was refused");
}
inline void pop(Game& game) {
    if (!game.pop()) FAIL("a move that was made cannot be taken back");
}

inline int margin(const Outcome& outcome, Side side) {
    const int south = outcome.south - outcome.north;
    return kSeedUnits * (side == Side::south ? south : -south);
}

// The final margin of `side` when leaves are worth the stores; no depth below 0 means to the end.
inline int minimax(Game& game, int depth, int alpha, int beta) {
    const Side side = game.position().side_to_move();
    if (game.is_over()) return margin(*game.outcome(), side);
    if (depth == 0) return kSeedUnits * (game.position().store(side) - game.position().store(other(side)));
    int best = -kMost;
    for (const Move move : game.legal_moves()) {
        push(game, move);
        best = std::max(best, -minimax(game, depth - 1, -beta, -std::max(alpha, best)));
        pop(game);
        if (best >= beta) break;
    }
    return best;
}

inline Rules without_majority(Rules rules) {
    rules.majority = false;
    return rules;
}

// A random board of that many seeds with random stores, whose game goes on.
inline Game random_start(std::mt19937& random, int seeds, const Rules& rules) {
    while (true) {
        std::array<int, kPitsInAll> pits{};
        for (int i = 0; i < seeds; ++i) ++pits[random() % kPitsInAll];
        const Side side = random() % 2 == 0 ? Side::south : Side::north;
        const int south = seeds < 80 ? static_cast<int>(random() % 5) : 0;
        const int north = seeds < 80 ? static_cast<int>(random() % 5) : 0;
        const auto position = Position::from_counts(pits, south, north, side, rules);
        if (!position->ending().has_value()) return Game(*position);
    }
}

inline void play_quietly(Game& game, std::mt19937& random, int plies) {
    for (int i = 0; i < plies && !game.is_over(); ++i) {
        std::vector<Move> quiet;
        for (const Move move : game.legal_moves()) {
            if (game.position().play(move)->captured == 0) quiet.push_back(move);
        }
        if (quiet.empty()) return;
        push(game, quiet[random() % quiet.size()]);
    }
    if (game.is_over()) pop(game);
}

}  // namespace plain
