// Counting the leaves of the game tree: the yardstick of every move generator. Repetition plays no part in
// perft.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/isa.hpp"
#include "wari/position.hpp"
#include "wari/task.hpp"

namespace wari {

/// What perft counts. Every leaf is really made; `captured` proves it and is a second check figure.
struct Perft {
    std::uint64_t nodes = 0;     ///< positions at exactly the given depth; a finished game has no children
    std::uint64_t captured = 0;  ///< seeds captured by the moves that lead to those positions

    friend bool operator==(const Perft&, const Perft&) = default;
};

inline constexpr int kMaxPerftDepth = 64;

/// With no `isa` given the best kernel runs; naming one is for measurements and tests.
/// Errors: bad_value naming `depth` outside 0..64, or `isa` above best_isa(); cancelled.
WARI_API Expected<Perft> perft(const Position& position, int depth, const Task<>& task = {},
                               std::optional<Isa> isa = {});

struct DivideEntry {
    Move move;
    Perft perft;
};

/// Perft of each legal move, depth counted from `position`. Errors as for perft; depth is at least 1.
WARI_API Expected<std::vector<DivideEntry>> divide(const Position& position, int depth,
                                                   const Task<>& task = {}, std::optional<Isa> isa = {});

}  // namespace wari
