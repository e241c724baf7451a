// Turns trained weights into the integers that the library embeds, as a C++ include file.
#pragma once

#include <cstdio>

#include "model.hpp"

namespace training {

inline constexpr int kOutLimit = 127;

inline void write_array(std::FILE* file, const char* type, const char* name,
                        const std::vector<long>& values) {
    std::fprintf(file, "alignas(64) constexpr %s %s[%zu] = {", type, name, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::fprintf(file, "%s%ld,", i % 24 == 0 ? "\n" : "", values[i]);
    }
    std::fputs("};\n", file);
}

inline std::vector<long> rounded(const float* from, std::size_t count, double scale) {
    std::vector<long> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(std::lround(from[i] * scale));
    return values;
}

/// Could one row from each group of inputs, with the bias, leave 16 bits in some hidden unit?
inline bool sums_may_overflow(const std::vector<long>& inputs, const std::vector<long>& bias, int hidden) {
    std::vector<int> groups;
    for (int pit = 0; pit < wari::kPitsInAll; ++pit) groups.push_back(pit * wari::kCountPlaces);
    groups.push_back(kTotalInputs);
    for (const int offset : kRuleOffsets) groups.push_back(kRuleInputs + offset);
    groups.push_back(kInputs);
    for (int unit = 0; unit < hidden; ++unit) {
        long high = bias[static_cast<std::size_t>(unit)];
        long low = high;
        for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
            long most = -40000;
            long least = 40000;
            for (int row = groups[g]; row < groups[g + 1]; ++row) {
                const long weight = inputs[static_cast<std::size_t>(row * hidden + unit)];
                most = std::max(most, weight);
                least = std::min(least, weight);
            }
            high += most;
            low += least;
        }
        if (high > 32767 || low < -32768) return true;
    }
    return false;
}

/// Writes the include file; returns what is wrong, or nothing.
inline std::string export_weights(const Model& model, const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) return path + ": cannot be written";
    std::fputs("// Made by training/train.cpp; see network.hpp for the meaning.\n", file);
    const std::size_t h = static_cast<std::size_t>(model.hidden());
    std::string problem;
    if (h == 0) {
        write_array(file, "std::int16_t", "kLinearWeights", rounded(model.values.data(), kInputs, 100));
    } else {
        const auto inputs = rounded(model.values.data(), kInputs * h, wari::kUnitOne);
        const auto bias = rounded(&model.values[model.bias()], h, wari::kUnitOne);
        if (sums_may_overflow(inputs, bias, model.hidden())) problem = "the sums could leave 16 bits";
        std::vector<long> out;
        std::vector<long> scales;
        for (std::size_t set = 0; set < wari::kOutputSets; ++set) {
            const float* weights = &model.values[model.out() + set * h];
            double largest = 1e-6;
            for (std::size_t i = 0; i < h; ++i) largest = std::max(largest, std::abs(double{weights[i]}));
            const auto part = rounded(weights, h, kOutLimit / largest);
            out.insert(out.end(), part.begin(), part.end());
            scales.push_back(
                std::lround(largest / kOutLimit * 100 * 0x1p32 / (wari::kUnitOne * wari::kUnitOne)));
        }
        const auto at = [&](std::size_t input) {
            return inputs.begin() + static_cast<std::ptrdiff_t>(input * h);
        };
        std::fprintf(file, "constexpr int kWeightsHidden = %zu;\n", h);
        write_array(file, "std::int16_t", "kPitWeights", {at(0), at(kTotalInputs)});
        write_array(file, "std::int16_t", "kTotalWeights", {at(kTotalInputs), at(kRuleInputs)});
        write_array(file, "std::int16_t", "kRuleWeights", {at(kRuleInputs), at(kInputs)});
        write_array(file, "std::int16_t", "kBiasWeights", bias);
        write_array(file, "std::int16_t", "kOutWeights", out);
        write_array(file, "std::int64_t", "kOutScale", scales);
        write_array(file, "std::int32_t", "kOutBias",
                    rounded(&model.values[model.out_bias()], wari::kOutputSets, 100));
    }
    if (std::fclose(file) != 0) problem = path + ": cannot be written";
    return problem;
}

}  // namespace training
