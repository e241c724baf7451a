// The storage behind a Tablebase. Private to the tablebase sources; knows bytes, not rules.
#pragma once

#include <cstdint>
#include <vector>

#include "table_memory.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// One layer in memory: a byte a board in the order of board_index, coded as table_kernel.hpp says.
/// `other` is empty in a value table.
struct Layer {
    Bytes mover;
    Bytes other;
};

inline constexpr int kValueZero = 128;
inline constexpr int kForceZero = 255;

/// The net value, or g, that a byte of `mover` stands for.
inline int value_of(std::uint8_t byte) noexcept { return kValueZero - byte; }
inline int sure_of(std::uint8_t byte) noexcept { return kForceZero - byte; }

struct TableData {
    std::vector<Layer> layers;
};

}  // namespace wari::detail
