// Works out the plans of row_plan.hpp from the rules of board.hpp.
#include "row_plan.hpp"

#include <algorithm>
#include <bit>

#include "wari/index.hpp"

namespace wari::detail {
namespace {

Pattern pattern_of(int number) {
    Pattern pattern;
    pattern.into = number / 2;
    if (number % 2 != 0) pattern.last = (pattern.into + kPitsPerRow - 1) % kPitsPerRow;
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        const int seeds = (pattern.into + kPitsPerRow - 1 - pit) / kPitsPerRow;
        pattern.add |= static_cast<std::uint64_t>(seeds) << (8 * pit);
    }
    return pattern;
}

/// The opponent's row after the sowing, with the chain that would be captured.
Sown sow_into(std::uint64_t row, const Pattern& pattern) {
    Sown sown;
    sown.opp = row + pattern.add;
    sown.lift = static_cast<std::uint64_t>(kTopByteShift - 8 * std::max(pattern.last, 0));
    for (int pit = pattern.last; pit >= 0; --pit) {
        const int seeds = seeds_in(sown.opp, pit);
        if (seeds != 2 && seeds != 3) break;
        sown.chain |= static_cast<std::uint64_t>(seeds) << (8 * pit);
    }
    return sown;
}

// Sorts the quiet targets of one strip by the strip they lie in. Targets ascend, so one walk does.
void add_segments(Segments& segments, const std::vector<std::int64_t>& targets, std::size_t lanes) {
    constexpr std::uint8_t kNone = 0x80;
    std::int64_t open = -1;
    std::size_t at = 0;
    for (std::size_t lane = 0; lane < targets.size(); ++lane) {
        if (targets[lane] < 0) continue;
        const std::int64_t from = targets[lane] / static_cast<std::int64_t>(lanes);
        if (from != open) {
            open = from;
            at = segments.index.size();
            segments.from.push_back(static_cast<std::uint32_t>(from));
            segments.index.resize(at + lanes, kNone);
        }
        segments.index[at + lane] =
            static_cast<std::uint8_t>(targets[lane] % static_cast<std::int64_t>(lanes));
    }
}

}  // namespace

Plans::Plans(const Rules& rules, int seeds, int lanes) : rules_(rules), seeds_(seeds), lanes_(lanes) {
    for (int number = 0; number < kPatterns; ++number) {
        patterns_[static_cast<std::size_t>(number)] = pattern_of(number);
    }
    const auto size = static_cast<std::size_t>(seeds) + 1;
    all_rows_.resize(size);
    rows_.resize(size);
    origins_.resize(size);
    columns_.resize(size);
    slams_.resize(size);
    for (int m = 0; m <= seeds; ++m) plan_row(m);
    for (int m = 0; m <= seeds; ++m) plan_origins(m);
    for (int s = 0; s <= seeds; ++s) {
        for (int into = 0; into <= std::min(seeds - s, kMaxIntoOpponent); ++into) {
            if (into > 0) plan_column(s, 2 * into);
            if (into > 0) plan_column(s, 2 * into + 1);
        }
        auto& slams = slams_[static_cast<std::size_t>(s)];
        std::sort(slams.begin(), slams.end());
        slams.erase(std::unique(slams.begin(), slams.end()), slams.end());
    }
}

void Plans::plan_row(int own_seeds) {
    RowPlan& plan = rows_[static_cast<std::size_t>(own_seeds)];
    const std::uint32_t count = rows_with(own_seeds);
    plan.first.reserve(count + 1);
    plan.first.push_back(0);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        const std::uint64_t row = row_from_rank(own_seeds, rank);
        all_rows_[static_cast<std::size_t>(own_seeds)].push_back(row);
        PitSet pits = playable(row);
        if (rules_.single_seeds == SingleSeeds::restricted) {
            const PitSet larger = gather(pits_with(row, 2));
            if (larger != 0) pits = larger;
        }
        const std::size_t before = plan.moves.size();
        bool empties = false;
        for (; pits != 0; pits &= pits - 1) {
            const Sown sown = sow({row, 0}, std::countr_zero(pits));
            const int into = row_seeds(sown.opp);
            const bool lands = sown.lift != kNoCaptureLift;
            empties = empties || sown.own == 0;
            plan.moves.push_back(
                {row_rank(sown.own), static_cast<std::uint32_t>(2 * into + (lands ? 1 : 0))});
        }
        if (rules_.ends_when_emptied && empties) {
            plan.moves.resize(before);
            plan.irregular.push_back(rank);
        }
        plan.first.push_back(static_cast<std::uint32_t>(plan.moves.size()));
    }
}

// A counting sort of all moves by where they lead.
void Plans::plan_origins(int own_seeds) {
    RowOrigins& origins = origins_[static_cast<std::size_t>(own_seeds)];
    origins.first.assign(rows_with(own_seeds) + 1, 0);
    for (const bool count : {true, false}) {
        for (int m = own_seeds; m <= std::min(seeds_, own_seeds + kMaxIntoOpponent); ++m) {
            const RowPlan& plan = row(m);
            const auto into = static_cast<std::uint32_t>(m - own_seeds);
            for (std::uint32_t rank = 0; rank < rows_with(m); ++rank) {
                for (std::uint32_t k = plan.first[rank]; k < plan.first[rank + 1]; ++k) {
                    const RowMove& move = plan.moves[k];
                    if (move.pattern / 2 != into) continue;
                    if (count) {
                        ++origins.first[move.row + 1];
                    } else {
                        origins.moves[origins.first[move.row]++] = {rank, move.pattern};
                    }
                }
            }
        }
        if (!count) break;
        for (std::size_t i = 1; i < origins.first.size(); ++i) origins.first[i] += origins.first[i - 1];
        origins.moves.resize(origins.first.back());
    }
    // Placing the moves has moved every start to the next one's.
    origins.first.insert(origins.first.begin(), 0);
    origins.first.pop_back();
}

std::uint32_t Plans::column_before(int seeds, std::uint64_t row, int number) const {
    constexpr std::uint64_t kHigh = kPitOnes << 7;
    const Pattern& pattern = patterns_[static_cast<std::size_t>(number)];
    if (pattern.into > seeds) return kNoTarget;
    if ((((row | kHigh) - pattern.add) & kHigh) != kHigh) return kNoTarget;
    const std::uint32_t before = row_rank(row - pattern.add);
    if (number == 0) return before;
    const bool quiet = column(seeds - pattern.into, number).target[before] != kNoTarget;
    return quiet ? before : kNoTarget;
}

void Plans::plan_column(int opp_seeds, int number) {
    const Pattern& pattern = patterns_[static_cast<std::size_t>(number)];
    ColumnPlan& plan = columns_[static_cast<std::size_t>(opp_seeds)][static_cast<std::size_t>(number)];
    const std::uint32_t count = rows_with(opp_seeds);
    const auto lanes = static_cast<std::uint32_t>(lanes_);
    std::array<std::vector<Capture>, 3 * kPitsPerRow + 1> by_captured;
    std::vector<std::int64_t> targets;
    plan.quiet.first.push_back(0);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        const Sown sown = sow_into(row_at(opp_seeds, rank), pattern);
        bool quiet = sown.chain == 0;
        if (is_slam(sown)) {
            slams_[static_cast<std::size_t>(opp_seeds)].push_back(rank);
            // A slam that takes nothing is a quiet move; every other is the caller's.
            const bool barred = rules_.grand_slam == GrandSlam::forbidden;
            quiet = !barred && slam_taken(sown, rules_.grand_slam) == 0;
        } else if (!quiet) {
            const auto captured = static_cast<std::size_t>(row_seeds(sown.chain));
            by_captured[captured].push_back({rank, row_rank(sown.opp ^ sown.chain)});
        }
        plan.target.push_back(quiet ? row_rank(sown.opp) : kNoTarget);
        targets.push_back(quiet ? std::int64_t{plan.target.back()} : -1);
        if (targets.size() == lanes || rank + 1 == count) {
            add_segments(plan.quiet, targets, lanes);
            plan.quiet.first.push_back(static_cast<std::uint32_t>(plan.quiet.from.size()));
            targets.clear();
        }
    }
    for (std::size_t captured = 0; captured < by_captured.size(); ++captured) {
        const auto& part = by_captured[captured];
        if (part.empty()) continue;
        const auto begin = static_cast<std::uint32_t>(plan.captures.size());
        plan.captures.insert(plan.captures.end(), part.begin(), part.end());
        plan.groups.push_back(
            {static_cast<int>(captured), begin, begin + static_cast<std::uint32_t>(part.size())});
    }
}

}  // namespace wari::detail
