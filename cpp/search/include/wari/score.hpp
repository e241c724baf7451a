// Scores: a value is never without what kind of claim it is and where it comes from.
#pragma once

#include <cstdint>
#include <string_view>

#include "wari/export.hpp"

namespace wari {

/// Scores count in hundredths of a seed: 96 seeds are 9,600, so fifteen bits hold every score.
inline constexpr int kSeedUnits = 100;

/// What a score claims about the true value under the rules in force.
enum class Bound : std::uint8_t {
    estimate,  ///< nothing is proved
    lower,     ///< proved: the true value is at least this
    upper,     ///< proved: the true value is at most this
    exact,     ///< proved: the true value is this
};
WARI_API std::string_view to_text(Bound bound) noexcept;

/// Where the value comes from.
enum class ScoreSource : std::uint8_t { search, tablebase, end };
WARI_API std::string_view to_text(ScoreSource source) noexcept;

/// The margin at the end of the game, own store minus the opponent's, from the side to move.
struct Score {
    int value = 0;  ///< in hundredths of a seed
    Bound bound = Bound::estimate;
    ScoreSource source = ScoreSource::search;
    /// A table decided the move, but quiet plies before it could let an earlier position recur: no proof.
    bool history_ignored = false;

    double seeds() const noexcept { return static_cast<double>(value) / kSeedUnits; }
    friend bool operator==(const Score&, const Score&) = default;
};

/// The same claim from the other side.
constexpr Score operator-(const Score& score) noexcept {
    Score turned = score;
    turned.value = -score.value;
    if (score.bound == Bound::lower) turned.bound = Bound::upper;
    if (score.bound == Bound::upper) turned.bound = Bound::lower;
    return turned;
}

}  // namespace wari
