// The rank of a board among all boards of up to 96 seeds: its identity in the transposition table.
//
// With s_k the seeds in the first k + 1 pits (own row first), the numbers s_k + k rise strictly, so
// rank = sum over k of C(s_k + k, k + 1) counts every board once; boards of at most n seeds take the
// ranks below C(n + 12, 12): 41 bits for 48 seeds, 52 for 96. One seed in own pit 0: s_k = 1 for all
// k, rank = 1 + 1 + ... + 1 = 12; the empty board has rank 0.
//
// `static` throughout, as in board.hpp: each instruction set keeps its own copy.
#pragma once

#include "wari/board.hpp"

namespace wari {

inline constexpr int kRankBits = 52;        ///< for up to 96 seeds
inline constexpr int kNarrowRankBits = 41;  ///< for up to kNarrowSeeds
inline constexpr int kNarrowSeeds = 48;

namespace detail {

using RankTable = std::array<std::array<std::uint64_t, kMaxSeeds + 1>, kPitsInAll>;

constexpr RankTable make_rank_table() {
    RankTable table{};
    for (std::size_t s = 0; s <= kMaxSeeds; ++s) table[0][s] = s;
    // C(s + k, k + 1) = C(s - 1 + k, k + 1) + C(s + k - 1, k)
    for (std::size_t k = 1; k < kPitsInAll; ++k) {
        for (std::size_t s = 1; s <= kMaxSeeds; ++s) table[k][s] = table[k][s - 1] + table[k - 1][s];
    }
    return table;
}

inline constexpr RankTable kRank = make_rank_table();

}  // namespace detail

static inline std::uint64_t board_rank(const Board& b) noexcept {
    // One multiplication makes all prefix sums of a row: byte k holds pits 0..k.
    const std::uint64_t own = (b.own & kRowBits) * kPitOnes;
    const std::uint64_t before = (own >> 40 & 0xFF) * kPitOnes;
    const std::uint64_t opp = (b.opp & kRowBits) * kPitOnes + before;
    std::uint64_t rank = 0;
    for (std::size_t k = 0; k < kPitsPerRow; ++k) {
        rank += detail::kRank[k][own >> (8 * k) & 0xFF];
        rank += detail::kRank[k + kPitsPerRow][opp >> (8 * k) & 0xFF];
    }
    return rank;
}

}  // namespace wari
