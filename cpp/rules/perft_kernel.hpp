// The perft recursion, one copy for each instruction set. Private.
#pragma once

#include "wari/perft.hpp"

namespace wari {

/// What stays the same over one perft.
struct PerftTask {
    Rules rules;
    int total = 0;  ///< seeds on board and stores together
    StopQuery stop;
    bool stopped = false;
    std::uint64_t digest = 0;  ///< over both words of every leaf: no part of making one can be left out
};

using PerftKernel = Perft (*)(PerftTask& task, const Board& board, int depth);

namespace portable {
Perft perft_kernel(PerftTask& task, const Board& board, int depth);
}
namespace v3 {
Perft perft_kernel(PerftTask& task, const Board& board, int depth);
}

}  // namespace wari
