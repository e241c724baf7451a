// The packed board and the rules of movement on it: sowing, captures, slams, feeding, endings. This is the
// hot path of perft, search and tables. Pits are numbered in sowing order from the
// side to move; letters, South and North are those of position.hpp.
//
// A board is two words, one a side, the side to move first. Byte k of a word is pit k of that row
// in sowing order, byte 6 the store, byte 7 is zero:
//
//     bits  63..56  55..48   47..40  39..32  31..24  23..16  15..8   7..0
//           zero    store    pit 5   pit 4   pit 3   pit 2   pit 1   pit 0
//
// The start is own = opp = 0x0000'0404'0404'0404. Playing pit 2 adds 0x0000'0001'0101'FFFC'0000
// (mod 2^64; minus four seeds in pit 2, one in pits 3, 4, 5) to own and 1 to opp.
//
// Every function is `static`: a translation unit compiled for a newer instruction set keeps its own
// copies, so the linker can never hand its code to an older machine.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "wari/rules.hpp"

namespace wari {

inline constexpr int kPitsPerRow = 6;
inline constexpr int kPitsInAll = 12;
inline constexpr int kMaxSeeds = 96;  ///< most seeds on board and stores together
inline constexpr int kPassPit = 6;    ///< the "pit" of a pass, where moves are pit numbers

inline constexpr std::uint64_t kRowBits = 0x0000'FFFF'FFFF'FFFF;
inline constexpr std::uint64_t kPitOnes = 0x0000'0101'0101'0101;
inline constexpr int kStoreShift = 48;

struct Board {
    std::uint64_t own = 0;
    std::uint64_t opp = 0;

    friend auto operator<=>(const Board&, const Board&) = default;
};

/// A set of the six pits of a row: bit k is pit k in sowing order.
using PitSet = unsigned;

/// How a move itself ends the game.
enum class MoveEnd : std::uint8_t { none, emptied, forfeit };

/// A move made. `next` is seen from the opponent, whose turn it is.
struct Made {
    Board next;
    int captured = 0;
    MoveEnd end = MoveEnd::none;
};

namespace detail {

inline constexpr int kTopByteShift = 56;
inline constexpr std::uint64_t kTopByte = std::uint64_t{0xFF} << kTopByteShift;
/// Of the opponent's word only the lowest bit is left, as bit 63: no pit holding 2 or 3.
inline constexpr std::uint64_t kNoCaptureLift = 63;

/// What sowing `count` seeds from `pit` adds to the two words, and the shift that brings the pit of
/// the last seed to the top byte of the opponent's word.
struct SowEntry {
    std::uint64_t own = 0;
    std::uint64_t opp = 0;
    std::uint64_t lift = kNoCaptureLift;
};
using SowTable = std::array<std::array<SowEntry, kMaxSeeds + 1>, kPitsPerRow>;

constexpr SowTable make_sow_table() {
    SowTable table{};
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        for (int count = 1; count <= kMaxSeeds; ++count) {
            // R2 and R3: each full lap gives one seed to each of the other eleven pits.
            const int laps = (count - 1) / (kPitsInAll - 1);
            const int rest = count - laps * (kPitsInAll - 1);
            SowEntry entry;
            for (int step = 1; step < kPitsInAll; ++step) {
                const int to = (pit + step) % kPitsInAll;
                const auto seeds = static_cast<std::uint64_t>(laps) + (step <= rest ? 1U : 0U);
                if (to < kPitsPerRow) {
                    entry.own += seeds << (8 * to);
                } else {
                    entry.opp += seeds << (8 * (to - kPitsPerRow));
                }
            }
            entry.own -= static_cast<std::uint64_t>(count) << (8 * pit);
            const int last = (pit + rest) % kPitsInAll - kPitsPerRow;
            if (last >= 0) entry.lift = static_cast<std::uint64_t>(kTopByteShift - 8 * last);
            table[static_cast<std::size_t>(pit)][static_cast<std::size_t>(count)] = entry;
        }
    }
    return table;
}

inline constexpr SowTable kSow = make_sow_table();

}  // namespace detail

static inline int seeds_in(std::uint64_t row, int pit) noexcept {
    return static_cast<int>((row >> (8 * pit)) & 0xFF);
}

static inline int store_of(std::uint64_t row) noexcept { return static_cast<int>(row >> kStoreShift); }

/// The seeds in the six pits of a row; the store is not counted. At most 96, so bytes cannot carry.
static inline int row_seeds(std::uint64_t row) noexcept {
    return static_cast<int>(((row & kRowBits) * kPitOnes) >> 40 & 0xFF);
}

static inline bool row_empty(std::uint64_t row) noexcept { return (row & kRowBits) == 0; }

static inline int board_seeds(const Board& b) noexcept { return row_seeds(b.own) + row_seeds(b.opp); }

/// Bit 7 of each byte whose pit holds more than `at_least - 1` seeds (1 <= at_least <= 128).
static inline std::uint64_t pits_with(std::uint64_t row, unsigned at_least) noexcept {
    return ((row & kRowBits) + kPitOnes * (0x80 - at_least)) & (kPitOnes << 7);
}

/// Gathers bit 7 of the six pit bytes into a PitSet. One multiplication: the factor has one bit for
/// each pit, spaced so that no two products meet.
static inline PitSet gather(std::uint64_t high_bits) noexcept {
    constexpr std::uint64_t kFactor = 0x0000'0102'0408'1020;
    return static_cast<PitSet>(((high_bits >> 7) * kFactor) >> 40 & 0x3F);
}

static inline PitSet playable(std::uint64_t row) noexcept { return gather(pits_with(row, 1)); }

static inline Board pass(const Board& b) noexcept { return {b.opp, b.own}; }

/// A sowing and the chain it would capture (R2 to R4), before any rule has its say.
struct Sown {
    std::uint64_t own = 0;    ///< after the sowing
    std::uint64_t opp = 0;    ///< after the sowing, nothing taken yet
    std::uint64_t chain = 0;  ///< the pits of `opp` in the chain, with their seeds; 0 when there is none
    std::uint64_t seeds = 0;  ///< in the chain
    std::uint64_t lift = 0;   ///< shift that brings the pit of the last seed to the top byte
};

/// Sows `pit` (0..5). No branch: whether a move captures is a coin toss that no predictor can learn.
static inline Sown sow(const Board& b, int pit) noexcept {
    constexpr std::uint64_t kAllOnes = 0x0101'0101'0101'0101;
    const detail::SowEntry& entry =
        detail::kSow[static_cast<std::size_t>(pit)][static_cast<std::size_t>(seeds_in(b.own, pit))];
    Sown sown;
    sown.own = b.own + entry.own;
    sown.opp = b.opp + entry.opp;
    sown.lift = entry.lift;
    // With the last pit as top byte the chain is all the bytes above the first one that does not hold
    // 2 or 3. `other` is zero in exactly the bytes that do; the zeros shifted in from below stop it.
    const std::uint64_t lifted = sown.opp << entry.lift;
    const std::uint64_t other = (lifted ^ (kAllOnes * 2)) & (kAllOnes * 0xFE);
    const std::uint64_t beyond = ~std::uint64_t{0} >> (std::countl_zero(other) & 0x38);
    const std::uint64_t top = lifted & ~beyond;
    sown.chain = top >> entry.lift;
    sown.seeds = (top * kAllOnes) >> detail::kTopByteShift;
    return sown;
}

/// R4: does the chain hold every seed of the opponent's row? An empty chain does not.
static inline bool is_slam(const Sown& sown) noexcept {
    return row_empty(sown.opp ^ sown.chain) && sown.chain != 0;
}

/// True when a slam is out of the question: each captured pit gets a seed first, so a pit of the
/// opponent that already holds 3 or more escapes.
static inline bool slam_impossible(std::uint64_t opp) noexcept { return pits_with(opp, 3) != 0; }

/// Moves the seeds of a board whose game has ended into the stores by the `remainder` rule.
static inline Board sweep(const Board& b, Remainder rule) noexcept {
    const auto own = static_cast<std::uint64_t>(row_seeds(b.own));
    const auto opp = static_cast<std::uint64_t>(row_seeds(b.opp));
    std::uint64_t to_own = own;
    std::uint64_t to_opp = opp;
    if (rule == Remainder::split) {
        to_own = to_opp = (own + opp) / 2;
    } else if (rule == Remainder::starved && (own == 0 || opp == 0)) {
        to_own = own == 0 ? opp : 0;
        to_opp = opp == 0 ? own : 0;
    }
    return {(b.own & ~kRowBits) + (to_own << kStoreShift), (b.opp & ~kRowBits) + (to_opp << kStoreShift)};
}

/// The part of a slam's chain that is taken under `policy`.
static inline std::uint64_t slam_taken(const Sown& sown, GrandSlam policy) noexcept {
    switch (policy) {
        case GrandSlam::no_capture: return 0;
        case GrandSlam::keep_last: return sown.chain & ~(detail::kTopByte >> sown.lift);
        case GrandSlam::keep_first:
            return sown.chain & ~(std::uint64_t{0xFF} << (std::countr_zero(sown.chain) & 0x38));
        default: return sown.chain;
    }
}

/// The rest of make() where a row is empty after the captures: a slam, or a move that ends the game.
static inline Made make_at_an_empty_row(const Sown& sown, const Rules& rules) noexcept {
    const bool slam = is_slam(sown);
    const std::uint64_t taken = slam ? slam_taken(sown, rules.grand_slam) : sown.chain;
    Made made;
    made.captured = row_seeds(taken);
    std::uint64_t opp = sown.opp ^ taken;
    std::uint64_t own = sown.own + (static_cast<std::uint64_t>(made.captured) << kStoreShift);
    if (slam && rules.grand_slam == GrandSlam::forfeit_rest) {
        opp += static_cast<std::uint64_t>(row_seeds(own)) << kStoreShift;
        own &= ~kRowBits;
        made.end = MoveEnd::forfeit;
    } else if (rules.ends_when_emptied && row_empty(own)) {
        const Board swept = sweep({own, opp}, rules.remainder);
        own = swept.own;
        opp = swept.opp;
        made.end = MoveEnd::emptied;
    }
    made.next = {opp, own};
    return made;
}

/// Plays `pit` (0..5, not empty) without asking whether it is legal.
static inline Made make(const Board& b, int pit, const Rules& rules) noexcept {
    const Sown sown = sow(b, pit);
    const std::uint64_t own = sown.own + (sown.seeds << kStoreShift);
    const std::uint64_t opp = sown.opp ^ sown.chain;
    if (row_empty(own) || row_empty(opp)) [[unlikely]]
        return make_at_an_empty_row(sown, rules);
    return {{opp, own}, static_cast<int>(sown.seeds), MoveEnd::none};
}

/// Does `pit` leave the opponent seeds, after the captures it would really make?
/// Judged before any sweep by an ending of the move itself.
static inline bool feeds(const Board& b, int pit, const Rules& rules) noexcept {
    Rules movement = rules;
    movement.ends_when_emptied = false;
    const Made made = make(b, pit, movement);
    return !row_empty(made.next.own);
}

/// Would `pit` capture every seed of the opponent's row (R4)?
static inline bool is_slam(const Board& b, int pit) noexcept { return is_slam(sow(b, pit)); }

/// The filters in their order, kept apart so that a refusal can be explained.
struct LegalSteps {
    PitSet playable = 0;  ///< own pits with seeds
    PitSet allowed = 0;   ///< of those, not barred by `single_seeds`
    PitSet feeding = 0;   ///< of those, not barred by the duty to feed
    PitSet legal = 0;     ///< of those, not barred by `grand_slam`
};

static inline LegalSteps legal_steps(const Board& b, const Rules& rules) noexcept {
    LegalSteps steps;
    steps.playable = playable(b.own);
    steps.allowed = steps.playable;
    if (rules.single_seeds == SingleSeeds::restricted) {
        const PitSet larger = gather(pits_with(b.own, 2));
        if (larger != 0) steps.allowed = larger;
    }
    steps.feeding = steps.allowed;
    if (rules.feeding == Feeding::required && row_empty(b.opp)) {
        for (PitSet rest = steps.allowed; rest != 0; rest &= rest - 1) {
            const int pit = std::countr_zero(rest);
            if (!feeds(b, pit, rules)) steps.feeding &= ~(1U << pit);
        }
    }
    steps.legal = steps.feeding;
    const bool bars_slams =
        rules.grand_slam == GrandSlam::forbidden || rules.grand_slam == GrandSlam::last_resort;
    if (bars_slams && !slam_impossible(b.opp)) {
        for (PitSet rest = steps.feeding; rest != 0; rest &= rest - 1) {
            const int pit = std::countr_zero(rest);
            if (is_slam(b, pit)) steps.legal &= ~(1U << pit);
        }
        if (steps.legal == 0 && rules.grand_slam == GrandSlam::last_resort) steps.legal = steps.feeding;
    }
    return steps;
}

/// Is every pit with seeds legal, as can be seen at a glance? True on nearly every board in play.
static inline bool all_pits_legal(const Board& b, const Rules& rules) noexcept {
    const bool bars_slams =
        rules.grand_slam == GrandSlam::forbidden || rules.grand_slam == GrandSlam::last_resort;
    return rules.single_seeds == SingleSeeds::free && !row_empty(b.opp) &&
           (!bars_slams || slam_impossible(b.opp));
}

/// The legal pits, a pass not among them. Knows nothing of majority or repetition: an empty set means
/// that the side to move has no legal sowing.
static inline PitSet legal_pits(const Board& b, const Rules& rules) noexcept {
    if (all_pits_legal(b, rules)) [[likely]]
        return playable(b.own);
    return legal_steps(b, rules).legal;
}

/// With no legal sowing: is the move a pass? Otherwise the game ends here.
static inline bool must_pass(const Board& b, const Rules& rules) noexcept {
    return rules.stuck == Stuck::pass && row_empty(b.own) && legal_pits(pass(b), rules) != 0;
}

/// Has a store more than half of `total`, the seeds on board and stores together?
static inline bool has_majority(const Board& b, int total) noexcept {
    return 2 * store_of(b.own) > total || 2 * store_of(b.opp) > total;
}

}  // namespace wari
