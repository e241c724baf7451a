// The storage behind a Tablebase. Private to the tablebase sources; knows bytes, not rules.
#pragma once

#include <cstdint>
#include <vector>

#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// One layer in memory: a byte a board in the order of board_index. `mover` holds the value (two's
/// complement) or g; `other` holds h and is empty in a value table.
struct Layer {
    std::vector<std::int8_t> mover;
    std::vector<std::int8_t> other;
};

struct TableData {
    std::vector<Layer> layers;
};

}  // namespace wari::detail
