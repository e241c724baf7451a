// A second way to solve tables, written apart from the builder: bounds swept from both ends.
//
// L(P) is what the mover is sure of, a cycle counting as the worst for it; U(P) what it can hope for, a
// cycle counting as the best. L starts at the bottom and rises, U at the top and falls, each fed by the
// other bound of the successors. A value table, where a cycle is worth 0, holds the middle one of L, 0
// and U. A force table, where bounds are seeds of the mover, holds g = L and h = n - U.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "wari/board.hpp"
#include "wari/index.hpp"
#include "wari/rules.hpp"

namespace oracle {

using namespace wari;

struct Solved {
    std::vector<std::vector<int>> mover;  ///< by seeds, then index: the value, or g
    std::vector<std::vector<int>> other;  ///< h
};

/// One way out of a board: seeds for the mover and the other side, then maybe a board to go on with.
struct Step {
    int mine = 0;
    int theirs = 0;
    bool goes_on = false;
    int seeds = 0;
    std::uint64_t index = 0;
};

inline std::vector<Step> steps_of(const Board& b, const Rules& rules) {
    std::vector<Step> steps;
    const PitSet legal = legal_pits(b, rules);
    const auto on = [&](const Board& next, int mine) {
        const Board bare{next.own & kRowBits, next.opp & kRowBits};
        steps.push_back({mine, 0, true, board_seeds(bare), board_index(bare)});
    };
    if (legal == 0 && must_pass(b, rules)) on(pass(b), 0);
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        if ((legal >> pit & 1U) == 0) continue;
        const Made made = make(b, pit, rules);
        if (made.end != MoveEnd::none || board_seeds(made.next) == 0) {
            steps.push_back({store_of(made.next.opp), store_of(made.next.own)});
        } else {
            on(made.next, made.captured);
        }
    }
    if (steps.empty()) {
        const Board swept = sweep(b, rules.remainder);
        steps.push_back({store_of(swept.own), store_of(swept.opp)});
    }
    return steps;
}

inline std::vector<std::vector<Step>> steps_of_layer(int n, const Rules& rules) {
    std::vector<std::vector<Step>> all;
    for (std::uint64_t i = 0; i < boards_with(n); ++i) all.push_back(steps_of(board_from_index(n, i), rules));
    return all;
}

// What a step is worth to the mover when the board after it is worth `reply` to the other side: seeds
// of n for force tables, net seeds for value tables.
inline int worth(const Step& step, bool net, int n, int reply) {
    if (net) return step.mine - step.theirs - reply;
    return step.goes_on ? n - reply : step.mine;
}

// The bounds of a board from the bounds of its successors.
struct Sweep {
    int n = 0;
    bool net = false;
    const Solved& solved;
    std::vector<int> low;
    std::vector<int> high;

    int from_lower_layer(const Step& step, bool want_low) const {
        const auto s = static_cast<std::size_t>(step.seeds);
        const int mover = solved.mover[s][step.index];
        if (net) return mover;
        return want_low ? mover : step.seeds - solved.other[s][step.index];
    }

    int best(const std::vector<Step>& steps, bool want_low) const {
        int most = -kMaxSeeds;
        for (const Step& step : steps) {
            int reply = 0;
            if (step.goes_on && step.seeds == n) reply = (want_low ? high : low)[step.index];
            if (step.goes_on && step.seeds < n) reply = from_lower_layer(step, !want_low);
            // An end that drops a seed gives the mover less than the other side leaves.
            const int ceiling =
                !net && !want_low && !step.goes_on ? n - step.theirs : worth(step, net, n, reply);
            most = std::max(most, ceiling);
        }
        return most;
    }
};

inline void solve_layer(int n, bool net, const std::vector<std::vector<Step>>& all, Solved& solved) {
    const std::size_t count = all.size();
    Sweep sweep{n, net, solved, std::vector<int>(count, net ? -n : 0), std::vector<int>(count, n)};
    bool changed = true;
    while (changed) {
        changed = false;
        for (std::size_t i = count; i-- > 0;) {  // another order than the builder's
            const int low = sweep.best(all[i], true);
            const int high = sweep.best(all[i], false);
            changed = changed || low != sweep.low[i] || high != sweep.high[i];
            sweep.low[i] = low;
            sweep.high[i] = high;
        }
    }
    std::vector<int> mover(count);
    std::vector<int> other(net ? 0 : count);
    for (std::size_t i = 0; i < count; ++i) {
        mover[i] = net ? std::clamp(0, sweep.low[i], sweep.high[i]) : sweep.low[i];
        if (!net) other[i] = n - sweep.high[i];
    }
    solved.mover.push_back(std::move(mover));
    solved.other.push_back(std::move(other));
}

inline Solved solve(int seeds, const Rules& rules) {
    Solved solved;
    for (int n = 0; n <= seeds; ++n) {
        solve_layer(n, rules.repetition == Repetition::split, steps_of_layer(n, rules), solved);
    }
    return solved;
}

}  // namespace oracle
