// The evaluation network: every instruction set computes the same numbers as the arithmetic spelled out,
// within the limits of its contract, and nothing but the pits and the rules counts.
#define WARI_ISA_NAMESPACE portable

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>

#include "evaluation.hpp"
#include "sampling.hpp"
#include "search_kernel.hpp"
#include "wari/isa.hpp"

namespace {

using namespace wari;

// splitmix64.
std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
}

// A board of up to 96 seeds; one in four piles most of them into one pit.
Board random_board(std::uint64_t& state) {
    Board board;
    int left = static_cast<int>(next(state) % (kMaxSeeds + 1));
    const auto drop = [&](std::uint64_t pit, int seeds) {
        (pit < kPitsPerRow ? board.own : board.opp) += static_cast<std::uint64_t>(seeds)
                                                       << (8 * (pit % kPitsPerRow));
        left -= seeds;
    };
    if (next(state) % 4 == 0) drop(next(state) % kPitsInAll, left * 3 / 4);
    while (left > 0) drop(next(state) % kPitsInAll, 1);
    return board;
}

std::unique_ptr<EvaluationWeights> weights_for(const Rules& rules) {
    auto weights = std::make_unique<EvaluationWeights>();
    prepare_weights(rules, *weights);
    return weights;
}

TEST_CASE("every kernel computes the network as the plain arithmetic does") {
    std::uint64_t state = 1;
    for (const Preset& preset : presets()) {
        const auto weights = weights_for(preset.rules);
        const Network& network = weights->network;
        int wrong = 0;
        for (int i = 0; i < sampling::sample(20000); ++i) {
            const Board board = random_board(state);
            const int seeds = board_seeds(board);
            const int plain = network_value_plain(network, board, seeds);
            wrong += portable::search_kernels().network_value(network, board, seeds) != plain;
#ifdef WARI_X86_KERNELS
            if (best_isa() >= Isa::v3) {
                wrong += v3::search_kernels().network_value(network, board, seeds) != plain;
            }
            if (best_isa() >= Isa::v4) {
                wrong += v4::search_kernels().network_value(network, board, seeds) != plain;
            }
#endif
        }
        INFO(preset.name);
        CHECK(wrong == 0);
    }
}

TEST_CASE("an evaluation stays within the seeds on the board and counts no store") {
    std::uint64_t state = 2;
    const auto weights = weights_for(*preset("abapa"));
    const portable::NetworkEvaluator network(weights->network);
    const portable::LinearEvaluator linear(weights->linear);
    for (int i = 0; i < sampling::sample(20000); ++i) {
        Board board = random_board(state);
        const int seeds = board_seeds(board);
        const int value = network(board, seeds);
        CHECK(std::abs(value) <= 100 * seeds);
        CHECK(std::abs(linear(board, seeds)) <= 100 * seeds);
        // The stores count for nothing.
        board.own += std::uint64_t{7} << kStoreShift;
        CHECK(network(board, seeds) == value);
    }
}

TEST_CASE("only rules that change values change the network") {
    std::uint64_t state = 3;
    Rules other = *preset("abapa");
    other.majority = false;
    other.sowing = Sowing::clockwise;
    other.seeds_per_pit = 6;
    const auto weights = weights_for(*preset("abapa"));
    const auto same = weights_for(other);
    const auto different = weights_for(*preset("singles"));
    int differ = 0;
    for (int i = 0; i < 1000; ++i) {
        const Board board = random_board(state);
        const int seeds = board_seeds(board);
        CHECK(network_value_plain(weights->network, board, seeds) ==
              network_value_plain(same->network, board, seeds));
        differ += network_value_plain(weights->network, board, seeds) !=
                  network_value_plain(different->network, board, seeds);
    }
    CHECK(differ > 500);
}

}  // namespace
