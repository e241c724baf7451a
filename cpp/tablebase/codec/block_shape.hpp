// How a layer is cut into blocks: tiles of at most 64 own rows by 32 opponent rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

inline constexpr std::uint32_t kBlockColumns = 64;  ///< most own rows of a block
inline constexpr std::uint32_t kBlockBoards = 2048;

/// One block: `columns` own ranks from own_first by `rows` opponent ranks from opp_first.
struct BlockShape {
    int own_seeds = 0;
    std::uint32_t own_first = 0;
    std::uint32_t opp_first = 0;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
};

/// Where a board lies: its block, and its place in the block, row by row.
struct BlockPlace {
    std::uint32_t block = 0;
    std::uint32_t at = 0;
};

/// The blocks of layer n, numbered by own seeds, then opponent rows, then own rows.
class BlockGrid {
 public:
    explicit BlockGrid(int seeds) : seeds_(seeds) {
        std::uint32_t total = 0;
        for (int m = 0; m <= seeds; ++m) {
            first_[static_cast<std::size_t>(m)] = total;
            total += across(m) * ((rows_with(seeds - m) + height(m) - 1) / height(m));
        }
        first_[static_cast<std::size_t>(seeds) + 1] = total;
    }

    std::uint32_t count() const noexcept { return first_[static_cast<std::size_t>(seeds_) + 1]; }

    BlockPlace place(int own_seeds, std::uint32_t opp, std::uint32_t own) const noexcept {
        const std::uint32_t high = height(own_seeds);
        const std::uint32_t block = first_[static_cast<std::size_t>(own_seeds)] +
                                    opp / high * across(own_seeds) + own / kBlockColumns;
        const std::uint32_t columns =
            std::min(kBlockColumns, rows_with(own_seeds) - own / kBlockColumns * kBlockColumns);
        return {block, opp % high * columns + own % kBlockColumns};
    }

    BlockShape shape(std::uint32_t block) const noexcept {
        int m = 0;
        while (first_[static_cast<std::size_t>(m) + 1] <= block) ++m;
        const std::uint32_t in_m = block - first_[static_cast<std::size_t>(m)];
        BlockShape shape;
        shape.own_seeds = m;
        shape.own_first = in_m % across(m) * kBlockColumns;
        shape.opp_first = in_m / across(m) * height(m);
        shape.columns = std::min(kBlockColumns, rows_with(m) - shape.own_first);
        shape.rows = std::min(height(m), rows_with(seeds_ - m) - shape.opp_first);
        return shape;
    }

 private:
    static std::uint32_t across(int own_seeds) noexcept {
        return (rows_with(own_seeds) + kBlockColumns - 1) / kBlockColumns;
    }
    static std::uint32_t height(int own_seeds) noexcept {
        return kBlockBoards / std::min(kBlockColumns, rows_with(own_seeds));
    }

    int seeds_;
    std::array<std::uint32_t, kMaxTableSeeds + 2> first_{};
};

}  // namespace wari::detail
