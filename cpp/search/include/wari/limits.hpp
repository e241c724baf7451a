// When a search ends.
#pragma once

#include <cstdint>
#include <optional>

#include "wari/error.hpp"

namespace wari {

inline constexpr int kMaxSearchDepth = 900;
inline constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 62;
inline constexpr int kMaxHashMebibytes = 1 << 20;

/// What is left on the clock of the side to move, in seconds.
struct Clock {
    double remaining = 0;
    double increment = 0;
    int moves_to_go = 0;  ///< 0: the rest of the game
};

/// The first limit reached ends the search; without any it runs until stop() or until all is proved.
struct Limits {
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<double> seconds;
    std::optional<Clock> clock;
    /// Think on the opponent's time: no time limit counts until ponder_hit().
    bool ponder = false;
    /// Answer at once, as soon as there is a value to show, where nothing can change the move: it is the only
    /// one, or a table decides.
    bool instant_if_forced = false;
};

/// Errors: bad_value naming `depth`, `nodes`, `time`, `clock`, `increment` or `moves_to_go`.
Status check_limits(const Limits& limits);

}  // namespace wari
