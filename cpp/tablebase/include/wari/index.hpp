// Board <-> dense rank: the address of a board in a table, and its identity in a hash table.
//
// A row of s seeds is one of R(s) = C(s+5, 5) ways to fill six pits. Rows are ordered with pit 0 first
// and fuller pits earlier: (3,0,...) is rank 0 of three seeds, (0,...,0,3) the last. The order has two
// properties the table builder lives on: adding the same seeds to two rows keeps their order, and the
// rank depends only on the suffix sums t_i = pit i + ... + pit 5:
//
//     rank = C(t_1+4, 5) + C(t_2+3, 4) + C(t_3+2, 3) + C(t_4+1, 2) + t_5
//
// Worked example: (1,0,2,0,0,1) has t = 4,3,3,1,1,1, so its rank is C(7,5) + C(6,4) + C(3,3) + C(2,2) + 1
// = 39.
//
// A board of n seeds, m of them in the mover's row, lies in block m of layer n, where the blocks follow
// each other with m ascending. Within a block the opponent's row is the major and the mover's row the
// minor index: index = start(n, m) + rank(opp) * R(m) + rank(own).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "wari/board.hpp"

namespace wari {

namespace detail {

constexpr std::uint64_t choose(int n, int k) {
    std::uint64_t result = 1;
    for (int i = 1; i <= k; ++i) {
        result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return result;
}

struct RowRankTables {
    /// part[i-1][t] = C(t+5-i, 6-i): what suffix sum t_i = t contributes.
    std::array<std::array<std::uint32_t, kMaxSeeds + 1>, 5> part{};
    std::array<std::uint32_t, kMaxSeeds + 1> rows{};  ///< R(s)
};

constexpr RowRankTables make_row_rank_tables() {
    RowRankTables tables;
    for (int t = 0; t <= kMaxSeeds; ++t) {
        const auto at = static_cast<std::size_t>(t);
        for (int i = 1; i <= 5; ++i) {
            tables.part[static_cast<std::size_t>(i - 1)][at] =
                t == 0 ? 0U : static_cast<std::uint32_t>(choose(t + 5 - i, 6 - i));
        }
        tables.rows[at] = static_cast<std::uint32_t>(choose(t + 5, 5));
    }
    return tables;
}

inline constexpr RowRankTables kRowRank = make_row_rank_tables();

/// start[n][m] of the file comment; start[n][n+1] is the number of boards.
struct BlockTables {
    std::array<std::array<std::uint64_t, kMaxSeeds + 2>, kMaxSeeds + 1> start{};
};

constexpr BlockTables make_block_tables() {
    BlockTables tables;
    for (std::size_t n = 0; n <= kMaxSeeds; ++n) {
        std::uint64_t at = 0;
        for (std::size_t m = 0; m <= n; ++m) {
            tables.start[n][m] = at;
            at += std::uint64_t{kRowRank.rows[m]} * kRowRank.rows[n - m];
        }
        tables.start[n][n + 1] = at;
    }
    return tables;
}

inline constexpr BlockTables kBlocks = make_block_tables();

}  // namespace detail

/// R(seeds), the number of rows with that many seeds.
static inline std::uint32_t rows_with(int seeds) noexcept {
    return detail::kRowRank.rows[static_cast<std::size_t>(seeds)];
}

/// C(seeds + 11, 11), the number of boards with that many seeds on them.
static inline std::uint64_t boards_with(int seeds) noexcept {
    const auto n = static_cast<std::size_t>(seeds);
    return detail::kBlocks.start[n][n + 1];
}

/// Byte k is the sum of pits k..5. The store is ignored.
static inline std::uint64_t suffix_sums(std::uint64_t row) noexcept {
    std::uint64_t sums = row & kRowBits;
    sums += sums >> 8;
    sums += sums >> 16;
    return sums + ((sums >> 32));
}

/// The rank of a row among those with as many seeds; the store is ignored.
static inline std::uint32_t row_rank(std::uint64_t row) noexcept {
    const std::uint64_t sums = suffix_sums(row);
    const auto& part = detail::kRowRank.part;
    return part[0][sums >> 8 & 0xFF] + part[1][sums >> 16 & 0xFF] + part[2][sums >> 24 & 0xFF] +
           part[3][sums >> 32 & 0xFF] + part[4][sums >> 40 & 0xFF];
}

/// The row with that many seeds and that rank; its store is 0. Precondition: rank < rows_with(seeds).
static inline std::uint64_t row_from_rank(int seeds, std::uint32_t rank) noexcept {
    std::uint64_t row = 0;
    int left = seeds;
    for (int pit = 0; pit < kPitsPerRow - 1; ++pit) {
        // The suffix sum after this pit is the largest one whose contribution still fits.
        const auto& part = detail::kRowRank.part[static_cast<std::size_t>(pit)];
        int after = left;
        while (part[static_cast<std::size_t>(after)] > rank) --after;
        rank -= part[static_cast<std::size_t>(after)];
        row |= static_cast<std::uint64_t>(left - after) << (8 * pit);
        left = after;
    }
    return row | static_cast<std::uint64_t>(left) << (8 * (kPitsPerRow - 1));
}

/// The index of a board among those with as many seeds on them. Stores are ignored.
static inline std::uint64_t board_index(const Board& b) noexcept {
    const auto m = static_cast<std::size_t>(row_seeds(b.own));
    const auto n = m + static_cast<std::size_t>(row_seeds(b.opp));
    return detail::kBlocks.start[n][m] + std::uint64_t{row_rank(b.opp)} * detail::kRowRank.rows[m] +
           row_rank(b.own);
}

/// The board of that index; stores are 0. Precondition: index < boards_with(seeds).
static inline Board board_from_index(int seeds, std::uint64_t index) noexcept {
    const auto& start = detail::kBlocks.start[static_cast<std::size_t>(seeds)];
    int m = 0;
    while (start[static_cast<std::size_t>(m) + 1] <= index) ++m;
    const std::uint64_t in_block = index - start[static_cast<std::size_t>(m)];
    const std::uint64_t width = rows_with(m);
    return {row_from_rank(m, static_cast<std::uint32_t>(in_block % width)),
            row_from_rank(seeds - m, static_cast<std::uint32_t>(in_block / width))};
}

}  // namespace wari
