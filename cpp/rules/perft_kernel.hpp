// The perft recursion, one copy for each instruction set.
#pragma once

#include "wari/perft.hpp"

namespace wari {

/// What stays the same over one perft.
struct PerftRun {
    Rules rules;
    int total = 0;  ///< seeds on board and stores together
    const Task<>* task = nullptr;
    bool stopped = false;
    std::uint64_t digest = 0;  ///< over both words of every leaf: no part of making one can be left out
};

using PerftKernel = Perft (*)(PerftRun& run, const Board& board, int depth);

namespace portable {
Perft perft_kernel(PerftRun& run, const Board& board, int depth);
}
namespace v3 {
Perft perft_kernel(PerftRun& run, const Board& board, int depth);
}

}  // namespace wari
