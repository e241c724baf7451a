// The evaluation network: how a board becomes an expected margin. training/ makes the weights; the numbering
// of the inputs stands in training/records.hpp, too.
//
//   12 pits, one-hot by count (22 and below; 23 and more share a place),
//   seeds on the board, one-hot (48 and more share a place),
//   the axes of the rules, one-hot (folded into the seed rows beforehand)
//   -> a sum of rows: kHidden units, each clipped to 0..1 and squared
//   -> one of eight sets of output weights, by six seeds on the board -> seeds the mover will net.
//
// All arithmetic is in integers and every order of summation gives the same number, so that each
// instruction set computes identical values. One stands for 255 in the hidden units; a sum of one pit
// row each and a seed row stays within 16 bits because training bounds the weights (training/export.hpp
// checks).
#pragma once

#include <cstdint>
#include <cstring>

#include "wari/board.hpp"

namespace wari {

inline constexpr int kHidden = 128;
inline constexpr int kCountPlaces = 24;
inline constexpr int kTotalPlaces = 49;
inline constexpr int kOutputSets = 8;
inline constexpr int kSeedsPerOutputSet = 6;
inline constexpr int kUnitOne = 255;

/// The weights, prepared for one rule set. About 90 KB; aligned for vector loads.
struct alignas(64) Network {
    std::int16_t pits[kPitsInAll][kCountPlaces][kHidden];
    std::int16_t total[kTotalPlaces][kHidden];  ///< bias and rules included
    std::int16_t out[kOutputSets][kHidden];
    std::int64_t out_scale[kOutputSets];  ///< hundredths of a seed for a weighted sum of 2^32
    std::int32_t out_bias[kOutputSets];   ///< hundredths of a seed
};

/// The linear evaluation: one weight for each input of the network, in hundredths of a seed. The one that
/// the network has to beat.
struct LinearWeights {
    std::int16_t pits[kPitsInAll][kCountPlaces];
    std::int16_t total[kTotalPlaces];  ///< rules included
};

/// All weights, prepared for one rule set.
struct EvaluationWeights {
    Network network;
    LinearWeights linear;
};

/// Fills `weights` with what is embedded in the library. Axes that change no value (majority, sowing,
/// seeds_per_pit) are ignored.
void prepare_weights(const Rules& rules, EvaluationWeights& weights);

/// Net seeds the side to move will still collect, in hundredths, by the linear evaluation.
static inline int linear_value(const LinearWeights& weights, const Board& b, int seeds) noexcept {
    int value = weights.total[seeds < kTotalPlaces ? seeds : kTotalPlaces - 1];
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        const int own = seeds_in(b.own, pit);
        const int opp = seeds_in(b.opp, pit);
        value += weights.pits[pit][own < kCountPlaces ? own : kCountPlaces - 1];
        value += weights.pits[pit + kPitsPerRow][opp < kCountPlaces ? opp : kCountPlaces - 1];
    }
    return value;
}

namespace detail {

/// The rows of weights that a board switches on.
struct ActiveRows {
    const std::int16_t* pits[kPitsInAll];
    const std::int16_t* total;
    int output_set;
};

static inline ActiveRows active_rows(const Network& network, const Board& b, int seeds) noexcept {
    ActiveRows rows;
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        const int own = seeds_in(b.own, pit);
        const int opp = seeds_in(b.opp, pit);
        rows.pits[pit] = network.pits[pit][own < kCountPlaces ? own : kCountPlaces - 1];
        rows.pits[pit + kPitsPerRow] =
            network.pits[pit + kPitsPerRow][opp < kCountPlaces ? opp : kCountPlaces - 1];
    }
    rows.total = network.total[seeds < kTotalPlaces ? seeds : kTotalPlaces - 1];
    const int set = seeds / kSeedsPerOutputSet;
    rows.output_set = set < kOutputSets ? set : kOutputSets - 1;
    return rows;
}

static inline int output_value(const Network& network, int set, std::int64_t sum) noexcept {
    return static_cast<int>((sum * network.out_scale[set]) >> 32) + network.out_bias[set];
}

}  // namespace detail

/// The arithmetic spelled out unit by unit: the yardstick of the vector version below.
static inline int network_value_plain(const Network& network, const Board& b, int seeds) noexcept {
    const detail::ActiveRows rows = detail::active_rows(network, b, seeds);
    std::int64_t sum = 0;
    for (int i = 0; i < kHidden; ++i) {
        int unit = rows.total[i];
        for (const std::int16_t* row : rows.pits) unit += row[i];
        unit = unit < 0 ? 0 : unit > kUnitOne ? kUnitOne : unit;
        sum += unit * unit * network.out[rows.output_set][i];
    }
    return detail::output_value(network, rows.output_set, sum);
}

#if defined(__GNUC__)

/// Net seeds the side to move will still collect, in hundredths.
static inline int network_value(const Network& network, const Board& b, int seeds) noexcept {
#if defined(__AVX512BW__)
    constexpr int kBytes = 64;
#elif defined(__AVX2__)
    constexpr int kBytes = 32;
#else
    constexpr int kBytes = 16;
#endif
    constexpr int kLanes = kBytes / 2;
    using Words [[gnu::vector_size(kBytes)]] = std::int16_t;
    using Sums [[gnu::vector_size(kBytes)]] = std::int32_t;
    static_assert(kHidden % kLanes == 0);
    const auto load = [](const std::int16_t* from) {
        Words words;
        std::memcpy(&words, from, sizeof words);
        return words;
    };
    const detail::ActiveRows rows = detail::active_rows(network, b, seeds);
    const std::int16_t* out = network.out[rows.output_set];
    Sums sums = {};
    for (int at = 0; at < kHidden; at += kLanes) {
        Words units = load(rows.total + at);
        for (const std::int16_t* row : rows.pits) units += load(row + at);
        const Words zero = {};
        const Words one = zero + static_cast<std::int16_t>(kUnitOne);
        units = units < zero ? zero : units;
        units = units > one ? one : units;
        const Words weighted = units * load(out + at);  // at most 255 * 127 in size
        // Odd and even words of both factors, sign-extended to 32 bits.
        Sums factor;
        Sums product;
        std::memcpy(&factor, &units, sizeof factor);
        std::memcpy(&product, &weighted, sizeof product);
        sums += ((factor << 16) >> 16) * ((product << 16) >> 16) + (factor >> 16) * (product >> 16);
    }
    std::int64_t sum = 0;
    for (int lane = 0; lane < kLanes / 2; ++lane) sum += sums[lane];
    return detail::output_value(network, rows.output_set, sum);
}

#else

static inline int network_value(const Network& network, const Board& b, int seeds) noexcept {
    return network_value_plain(network, b, seeds);
}

#endif

}  // namespace wari
