// The embedded weights, and folding a rule set into them.
#include "network.hpp"

#include <cstddef>
#include <iterator>

namespace wari {
namespace {

constexpr int kRuleValues = 20;

// Defines kWeightsHidden, kPitWeights, kTotalWeights, kRuleWeights, kBiasWeights, kOutWeights,
// kOutScale and kOutBias. Written by training/train.cpp.
#include "network_weights.inc"
// Defines kLinearWeights. Written by training/train.cpp.
#include "linear_weights.inc"

static_assert(kWeightsHidden == kHidden, "network_weights.inc was made for another kHidden");
static_assert(std::size(kRuleWeights) == kRuleValues * kHidden);

// The place of each axis value among the rule inputs, in the order of training/records.hpp.
struct RuleInputs {
    int places[7];
};
RuleInputs rule_inputs(const Rules& rules) {
    return {{static_cast<int>(rules.grand_slam), 7 + static_cast<int>(rules.feeding),
             9 + static_cast<int>(rules.single_seeds), 11 + static_cast<int>(rules.stuck),
             13 + (rules.ends_when_emptied ? 1 : 0), 15 + static_cast<int>(rules.remainder),
             18 + static_cast<int>(rules.repetition)}};
}

void prepare_linear(const RuleInputs& inputs, LinearWeights& linear) {
    const std::int16_t* from = kLinearWeights;
    std::memcpy(linear.pits, from, sizeof linear.pits);
    from += kPitsInAll * kCountPlaces;
    int rules = 0;
    for (const int place : inputs.places) rules += from[kTotalPlaces + place];
    for (int total = 0; total < kTotalPlaces; ++total) {
        linear.total[total] = static_cast<std::int16_t>(from[total] + rules);
    }
}

}  // namespace

void prepare_weights(const Rules& rules, EvaluationWeights& weights) {
    const RuleInputs inputs = rule_inputs(rules);
    prepare_linear(inputs, weights.linear);
    Network& network = weights.network;
    std::memcpy(network.pits, kPitWeights, sizeof network.pits);
    std::memcpy(network.out, kOutWeights, sizeof network.out);
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        int bias = kBiasWeights[unit];
        for (const int place : inputs.places)
            bias += kRuleWeights[static_cast<std::size_t>(place) * kHidden + unit];
        for (std::size_t total = 0; total < kTotalPlaces; ++total) {
            network.total[total][unit] =
                static_cast<std::int16_t>(kTotalWeights[total * kHidden + unit] + bias);
        }
    }
    for (int set = 0; set < kOutputSets; ++set) {
        network.out_scale[set] = kOutScale[set];
        network.out_bias[set] = kOutBias[set];
    }
}

}  // namespace wari
