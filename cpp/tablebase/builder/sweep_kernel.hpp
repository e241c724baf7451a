// The sweep over one piece of a layer, one copy for each instruction set. Private.
//
// Bytes. While a layer is solved every quantity is a byte in which larger is better for the side that
// moved there, so that a board's new value is the negation of the largest byte among its successors:
//     value tables   T = 128 - value            T(P) = -max(best, max T(Q))     (mod 256)
//     force tables   G = 255 - g, H = h         G(P) = ~max(best_g, max H(Q))
//                                               H(P) = ~max(best_h, max G(Q))
// 0 means "no such move" under the maximum. `best` holds what moves that leave the layer or end the game
// are worth; only quiet moves are looked up here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "row_plan.hpp"

namespace wari::detail {

/// Working memory holds the boards of a block by strips of `lanes` own rows: strip by strip, then by
/// opponent row, then by lane. A sweep reads its sources so and writes its results so.
///
/// The boards that a pattern's successors lie in: strip k starts at k * strip_size.
struct SweepSource {
    const std::uint8_t* mover = nullptr;
    const std::uint8_t* other = nullptr;
    std::size_t strip_size = 0;
    const Segments* segments = nullptr;
};

/// One block of a layer: boards whose mover has m seeds and whose opponent has s.
struct SweepBlock {
    const RowPlan* rows = nullptr;
    std::uint32_t row_count = 0;               ///< R(m)
    std::uint32_t column_count = 0;            ///< R(s)
    const SweepSource* sources = nullptr;      ///< by pattern
    const std::uint8_t* best_mover = nullptr;  ///< strips of opponent rows, then own rows, then lanes
    const std::uint8_t* best_other = nullptr;
    const std::uint8_t* old_mover = nullptr;
    const std::uint8_t* old_other = nullptr;
    std::uint8_t* new_mover = nullptr;  ///< may be the same memory as `old`
    std::uint8_t* new_other = nullptr;
    std::uint8_t* when_mover = nullptr;  ///< if given, bytes that change get `round` written here
    std::uint8_t* when_other = nullptr;
    std::uint8_t round = 0;
};

/// A byte pair that changed: where in the block, and what it was.
struct SweepChange {
    std::uint32_t offset = 0;
    std::uint8_t mover = 0;
    std::uint8_t other = 0;
};

/// A strip of `lanes` columns and a range of own rows, in units of `lanes`.
struct SweepPiece {
    std::uint32_t strip = 0;
    std::uint32_t group_begin = 0;
    std::uint32_t group_end = 0;
    SweepChange* changes = nullptr;  ///< if given, filled with all changes; must hold all the piece's boards
};

/// Returns how many boards changed.
using SweepKernel = std::uint64_t (*)(const SweepBlock& block, const SweepPiece& piece);

struct SweepKernels {
    int lanes = 0;
    SweepKernel value = nullptr;
    SweepKernel force = nullptr;
};

}  // namespace wari::detail

namespace wari::portable {
detail::SweepKernels sweep_kernels();
}
namespace wari::v3 {
detail::SweepKernels sweep_kernels();
}
namespace wari::v4 {
detail::SweepKernels sweep_kernels();
}
