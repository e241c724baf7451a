// The training records on disk, and the numbering of the network's inputs. The numbering is that of
// cpp/evaluation/network.hpp and network.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "network.hpp"

namespace training {

/// The axes that change how a game goes on, as numbers of wari::axes(), and how many values each has.
inline constexpr std::array<int, 7> kRuleAxes = {0, 1, 2, 3, 4, 5, 7};
inline constexpr std::array<int, 7> kRuleOffsets = {0, 7, 9, 11, 13, 15, 18};
inline constexpr int kRuleValues = 20;

inline constexpr int kTotalInputs = wari::kPitsInAll * wari::kCountPlaces;
inline constexpr int kRuleInputs = kTotalInputs + wari::kTotalPlaces;
inline constexpr int kInputs = kRuleInputs + kRuleValues;
/// Inputs that are on at a time: one for each pit, the total, one for each rule axis.
inline constexpr int kActive = wari::kPitsInAll + 1 + static_cast<int>(kRuleAxes.size());

#pragma pack(push, 1)
/// 24 bytes, little-endian. Values are net seeds that the mover will still collect, in hundredths.
struct Record {
    std::uint8_t pits[wari::kPitsInAll];  ///< the mover's row in sowing order, then the opponent's
    std::uint8_t rules[7];                ///< the value's number on each of kRuleAxes
    std::uint8_t exact;                   ///< 1: `score` is exact under the rules in force
    std::int16_t score;                   ///< by search and tables
    std::int16_t outcome;                 ///< as the game really ended
};
#pragma pack(pop)
static_assert(sizeof(Record) == 24);

inline int seeds_of(const Record& record) {
    int seeds = 0;
    for (const std::uint8_t pit : record.pits) seeds += pit;
    return seeds;
}

inline std::array<std::uint16_t, kActive> inputs_of(const Record& record) {
    std::array<std::uint16_t, kActive> inputs{};
    std::size_t at = 0;
    for (int pit = 0; pit < wari::kPitsInAll; ++pit) {
        const int count = record.pits[pit] < wari::kCountPlaces ? record.pits[pit] : wari::kCountPlaces - 1;
        inputs[at++] = static_cast<std::uint16_t>(pit * wari::kCountPlaces + count);
    }
    const int seeds = seeds_of(record);
    const int total = seeds < wari::kTotalPlaces ? seeds : wari::kTotalPlaces - 1;
    inputs[at++] = static_cast<std::uint16_t>(kTotalInputs + total);
    for (std::size_t axis = 0; axis < kRuleAxes.size(); ++axis) {
        inputs[at++] = static_cast<std::uint16_t>(kRuleInputs + kRuleOffsets[axis] + record.rules[axis]);
    }
    return inputs;
}

/// Appends a file's records; false when it cannot be read or holds no whole number of them.
inline bool read_records(const std::string& path, std::vector<Record>& records) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return false;
    Record record;
    std::size_t got = 0;
    while ((got = std::fread(&record, 1, sizeof record, file)) == sizeof record) records.push_back(record);
    const bool whole = got == 0 && std::ferror(file) == 0;
    std::fclose(file);
    return whole;
}

}  // namespace training
