// Late move reductions. Private; part of the kernels.
#pragma once

#include "parameters.hpp"

namespace wari::WARI_ISA_NAMESPACE {

/// The plies that a move loses by its place in the order, from 0. What then seems to be good is searched
/// again to the full depth.
constexpr int reduction(int move_index, int depth, int captured) {
    using namespace parameters;
    if (captured != 0 || move_index < kReductionFirstMove || depth < kReductionLeastDepth) return 0;
    return move_index >= kTwoPliesFirstMove && depth >= kTwoPliesLeastDepth ? 2 : 1;
}

}  // namespace wari::WARI_ISA_NAMESPACE
