// How deep a move is looked at. Private; part of the kernels.
// Owns the plies that late moves lose. Must not know boards, windows or tables.
#pragma once

namespace wari::WARI_ISA_NAMESPACE {

// Quiet moves late in the order are looked at less deep; what then seems to be good, to the full depth.
inline constexpr int kReductionFirstMove = 2;  ///< place in the order
inline constexpr int kReductionLeastDepth = 3;
inline constexpr int kTwoPliesFirstMove = 3;
inline constexpr int kTwoPliesLeastDepth = 5;
constexpr int reduction(int move_index, int depth, int captured) {
    if (captured != 0 || move_index < kReductionFirstMove || depth < kReductionLeastDepth) return 0;
    return move_index >= kTwoPliesFirstMove && depth >= kTwoPliesLeastDepth ? 2 : 1;
}

}  // namespace wari::WARI_ISA_NAMESPACE
