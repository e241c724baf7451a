// The two evaluations being trained, in floating point, with their gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "records.hpp"

namespace training {

using Inputs = std::array<std::uint16_t, kActive>;

/// One example: what is on, which output weights count, and the answer wanted, in seeds.
struct Example {
    Inputs inputs{};
    std::uint8_t output_set = 0;
    std::uint8_t seeds = 0;
    float target = 0;
};

/// Parameters in one array, so that optimiser and threads need not know their meaning.
/// Network: inputs x hidden, bias, output sets x hidden, output bias. Linear (hidden 0): one for each input.
class Model {
 public:
    explicit Model(int hidden, std::uint64_t seed) : hidden_(hidden) {
        const std::size_t h = static_cast<std::size_t>(hidden);
        values.resize(hidden == 0 ? kInputs : kInputs * h + h + wari::kOutputSets * h + wari::kOutputSets);
        if (hidden == 0) return;
        std::uint64_t state = seed;
        const auto noise = [&state] {  // roughly normal, variance 1
            float sum = 0;
            for (int i = 0; i < 12; ++i) {
                state = state * 6364136223846793005U + 1442695040888963407U;
                sum += static_cast<float>(state >> 40) * 0x1p-24F;
            }
            return sum - 6.0F;
        };
        for (std::size_t i = 0; i < kInputs * h; ++i) values[i] = 0.12F * noise();
        for (std::size_t i = 0; i < h; ++i) values[bias() + i] = 0.3F;
        for (std::size_t i = 0; i < wari::kOutputSets * h; ++i) values[out() + i] = 0.5F * noise();
    }

    int hidden() const { return hidden_; }
    std::size_t bias() const { return static_cast<std::size_t>(kInputs * hidden_); }
    std::size_t out() const { return bias() + static_cast<std::size_t>(hidden_); }
    std::size_t out_bias() const { return out() + static_cast<std::size_t>(wari::kOutputSets * hidden_); }

    float answer(const Example& example) const {
        std::vector<float> sums(static_cast<std::size_t>(hidden_));
        return forward(example, sums.data());
    }

    /// Adds the gradient of a share of a batch; returns nothing but that. `sums` is scratch.
    void learn(std::span<const Example> batch, std::vector<float>& gradient, std::vector<float>& sums) const {
        sums.resize(static_cast<std::size_t>(hidden_));
        for (const Example& example : batch) {
            // Huber: squared near the target, linear beyond two seeds.
            const float error = forward(example, sums.data()) - example.target;
            backward(example, std::clamp(error, -2.0F, 2.0F), sums.data(), gradient.data());
        }
    }

    std::vector<float> values;

 private:
    float forward(const Example& example, float* sums) const {
        if (hidden_ == 0) {
            float sum = 0;
            for (const std::uint16_t input : example.inputs) sum += values[input];
            return sum;
        }
        const std::size_t h = static_cast<std::size_t>(hidden_);
        std::copy_n(&values[bias()], h, sums);
        for (const std::uint16_t input : example.inputs) {
            const float* row = &values[input * h];
            for (std::size_t i = 0; i < h; ++i) sums[i] += row[i];
        }
        const float* weights = &values[out() + example.output_set * h];
        float total = 0;
        for (std::size_t i = 0; i < h; ++i) {
            const float unit = std::min(std::max(sums[i], 0.0F), 1.0F);
            total += unit * unit * weights[i];
        }
        return total + values[out_bias() + example.output_set];
    }

    void backward(const Example& example, float slope, float* sums, float* gradient) const {
        if (hidden_ == 0) {
            for (const std::uint16_t input : example.inputs) gradient[input] += slope;
            return;
        }
        const std::size_t h = static_cast<std::size_t>(hidden_);
        const float* weights = &values[out() + example.output_set * h];
        float* weight_slopes = gradient + out() + example.output_set * h;
        gradient[out_bias() + example.output_set] += slope;
        for (std::size_t i = 0; i < h; ++i) {
            const float unit = std::min(std::max(sums[i], 0.0F), 1.0F);
            weight_slopes[i] += slope * unit * unit;
            sums[i] = sums[i] > 0 && sums[i] < 1 ? slope * 2 * unit * weights[i] : 0.0F;
        }
        for (const std::uint16_t input : example.inputs) {
            float* row = gradient + input * h;
            for (std::size_t i = 0; i < h; ++i) row[i] += sums[i];
        }
        float* bias_slopes = gradient + bias();
        for (std::size_t i = 0; i < h; ++i) bias_slopes[i] += sums[i];
    }

    int hidden_;
};

/// Adam (Kingma and Ba 2015).
class Optimiser {
 public:
    explicit Optimiser(std::size_t size) : first_(size), second_(size) {}

    void step(std::vector<float>& values, const std::vector<float>& gradient, float rate, float limit) {
        constexpr float kFirst = 0.9F;
        constexpr float kSecond = 0.999F;
        ++steps_;
        const float first_scale = 1 / (1 - std::pow(kFirst, static_cast<float>(steps_)));
        const float second_scale = 1 / (1 - std::pow(kSecond, static_cast<float>(steps_)));
        for (std::size_t i = 0; i < values.size(); ++i) {
            first_[i] = kFirst * first_[i] + (1 - kFirst) * gradient[i];
            second_[i] = kSecond * second_[i] + (1 - kSecond) * gradient[i] * gradient[i];
            const float move = first_[i] * first_scale / (std::sqrt(second_[i] * second_scale) + 1e-8F);
            values[i] = std::clamp(values[i] - rate * move, -limit, limit);
        }
    }

 private:
    std::vector<float> first_;
    std::vector<float> second_;
    int steps_ = 0;
};

}  // namespace training
