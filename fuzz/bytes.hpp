// What every target shares: the input read as numbers, texts, rules and positions, and laws that must hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "wari/position.hpp"
#include "wari/rules.hpp"

/// One input. Returns 0; breaking a law aborts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#define LAW(condition)                                                                       \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            std::fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                    \
        }                                                                                    \
    } while (false)

namespace fuzz {

/// The input, read from its front. At its end every number is 0 and every text empty. No two readings stand
/// in one list of arguments: compilers differ in their order.
class Bytes {
 public:
    Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    bool empty() const noexcept { return rest_.empty(); }
    std::size_t size() const noexcept { return rest_.size(); }

    int byte() noexcept {
        if (rest_.empty()) return 0;
        const int value = rest_.front();
        rest_ = rest_.subspan(1);
        return value;
    }
    /// 0 to bound - 1.
    int below(int bound) noexcept { return byte() % bound; }
    bool flag() noexcept { return (byte() & 1) != 0; }
    std::uint64_t number(int bytes) noexcept {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value = value << 8 | static_cast<std::uint64_t>(byte());
        return value;
    }
    /// Up to `most` bytes, the first byte of the input saying how many.
    std::string text(int most) {
        const auto wanted = static_cast<std::size_t>(below(most + 1));
        const std::size_t size = std::min(wanted, rest_.size());
        const std::string read(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
        rest_ = rest_.subspan(size);
        return read;
    }
    /// Up to the next line end, which is taken, too.
    std::string line() {
        std::string read;
        while (!rest_.empty()) {
            const char next = static_cast<char>(byte());
            if (next == '\n') break;
            read.push_back(next);
        }
        return read;
    }
    std::span<const std::uint8_t> rest() noexcept { return rest_; }

    wari::Rules rules() noexcept {
        wari::Rules rules = wari::presets()[static_cast<std::size_t>(below(7))].rules;
        const int changes = byte();
        if ((changes & 1) != 0) rules.grand_slam = static_cast<wari::GrandSlam>(below(7));
        if ((changes & 2) != 0) rules.feeding = static_cast<wari::Feeding>(below(2));
        if ((changes & 4) != 0) rules.single_seeds = static_cast<wari::SingleSeeds>(below(2));
        if ((changes & 8) != 0) rules.stuck = static_cast<wari::Stuck>(below(2));
        if ((changes & 16) != 0) rules.remainder = static_cast<wari::Remainder>(below(3));
        if ((changes & 32) != 0) rules.repetition = static_cast<wari::Repetition>(below(2));
        if ((changes & 64) != 0) rules.ends_when_emptied = !rules.ends_when_emptied;
        if ((changes & 128) != 0) {
            rules.majority = flag();
            rules.sowing = static_cast<wari::Sowing>(below(2));
            rules.seeds_per_pit = static_cast<std::uint8_t>(1 + below(wari::kMaxSeedsPerPit));
        }
        return rules;
    }

    /// Any position of at most `most` seeds in the pits, most of them with few in each, some with one heap.
    wari::Position position(const wari::Rules& rules, int most = wari::kMaxSeeds) {
        std::array<int, wari::kPitsInAll> pits{};
        int left = std::min(most, wari::kMaxSeeds);
        const int range = 1 + below(16);
        for (int& pit : pits) left -= pit = std::min(below(range), left);
        const int heap = std::min(below(wari::kMaxSeeds), left);
        pits[static_cast<std::size_t>(below(wari::kPitsInAll))] += heap;
        int seeds = 0;
        for (const int pit : pits) seeds += pit;
        const int south = below(wari::kMaxSeeds - seeds + 1);
        const int north = below(wari::kMaxSeeds - seeds - south + 1);
        const auto side = static_cast<wari::Side>(below(2));
        const auto made = wari::Position::from_counts(pits, south, north, side, rules);
        return made ? *made : wari::Position(rules);  // no seeds at all are refused
    }

 private:
    std::span<const std::uint8_t> rest_;
};

inline constexpr std::string_view kLetters = "ABCDEFabcdef-";

}  // namespace fuzz
