// How deep a move is looked at. Private; part of the kernels.
// Owns the plies that late moves lose. Must not know boards, windows or tables.
#pragma once

namespace wari::WARI_ISA_NAMESPACE {

// Quiet moves late in the order are looked at less deep; what then seems to be good, to the full depth.
inline constexpr int kLessDeepFrom = 2;  ///< place in the order
inline constexpr int kLessDeepLeast = 3;
inline constexpr int kTwoLessFrom = 3;
inline constexpr int kTwoLessLeast = 5;
constexpr int plies_less(int place_in_order, int depth, int captured) {
    if (captured != 0 || place_in_order < kLessDeepFrom || depth < kLessDeepLeast) return 0;
    return place_in_order >= kTwoLessFrom && depth >= kTwoLessLeast ? 2 : 1;
}

}  // namespace wari::WARI_ISA_NAMESPACE
