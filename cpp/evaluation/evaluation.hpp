// What a leaf is worth to the search.
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
// `static`), name it in EvaluationKind (engine.hpp), and add its kernel to SearchKernels
// (search_kernel.hpp). Weights are constant data in a file of their own, shared by all instruction sets.
#pragma once

#include "network.hpp"
#include "wari/board.hpp"

namespace wari::WARI_ISA_NAMESPACE {

/// Material: what lies in the stores. The seeds on the board are worth nothing to either side.
struct MaterialEvaluator {
    int operator()(const Board&, int) const noexcept { return 0; }
};

/// No guess at all: beyond the horizon the side that wants to prove something collects nothing.
struct ProofEvaluator {};

/// No more than all the seeds on the board can change hands.
static inline int within(int value, int seeds) noexcept {
    const int most = seeds * 100;
    return value > most ? most : value < -most ? -most : value;
}

/// A weight for each pit's count (network.hpp).
class LinearEvaluator {
 public:
    explicit LinearEvaluator(const LinearWeights& weights) : weights_(&weights) {}
    int operator()(const Board& b, int seeds) const noexcept {
        return within(linear_value(*weights_, b, seeds), seeds);
    }

 private:
    const LinearWeights* weights_;
};

/// The network (network.hpp).
class NetworkEvaluator {
 public:
    explicit NetworkEvaluator(const Network& network) : network_(&network) {}
    int operator()(const Board& b, int seeds) const noexcept {
        return within(network_value(*network_, b, seeds), seeds);
    }

 private:
    const Network* network_;
};

}  // namespace wari::WARI_ISA_NAMESPACE
