// What a leaf is worth to the search. Private.
// Owns the contract of an evaluator and the material one. Must not know search, tables or history.
//
// The contract. An evaluator is a type with
//
//     int operator()(const Board& board, int seeds) const noexcept;
//
// which says how many seeds more than the opponent the side to move will still collect, in
// hundredths of a seed (score.hpp), for a board whose game goes on:
//   - it reads the twelve pits only, never the stores, so that table entries serve every score;
//   - it depends on nothing else, and gives the same number on every instruction set and build type;
//   - -100 * seeds <= value <= 100 * seeds, where `seeds` (given) is the number of seeds on the board;
//   - the board stands from the side to move, so South and North are treated alike by construction.
// The kernels (search_kernel.cpp) are templates over the evaluator and are compiled once for each
// instruction set. To add one: define it in a header whose functions live in WARI_ISA_NAMESPACE (or are
// `static`), name it in EvaluationKind (engine.hpp), and add its line to `with_evaluator` below the
// kernels. Weights are constant data in a file of their own, shared by all instruction sets.
#pragma once

#include "wari/board.hpp"

namespace wari::WARI_ISA_NAMESPACE {

/// Material: what lies in the stores. The seeds on the board are worth nothing to either side.
struct MaterialEvaluator {
    int operator()(const Board&, int) const noexcept { return 0; }
};

}  // namespace wari::WARI_ISA_NAMESPACE
