// The class of a board: what packing learns from a glance at its two rows.
//
// gain: about how much the mover can capture at once; threat: how much the other side could; same: whether
// the boards to the left and above, in the block, have the same of both. docs/tablebase-format.md
// defines it exactly.
#pragma once

#include <cstdint>

#include "block_shape.hpp"

namespace wari::detail {

inline constexpr int kGainClasses = 6;
inline constexpr int kSubclasses = 48;  ///< of each gain: threat * 16 + same

/// The class of every board of a block of layer `seeds`, row by row: gain * 48 + threat * 16 + same.
void find_classes(int seeds, const BlockShape& shape, std::uint16_t* classes);

}  // namespace wari::detail
