// Distances against plain loops over all boards: the plies to the next capture or end that the side with
// something to force (the seeker) can force, neither side giving up any of what the table says.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "capture_distance.hpp"
#include "sampling.hpp"
#include "table_builder.hpp"
#include "table_oracle.hpp"

namespace {

using namespace wari;
using detail::Quest;

constexpr int kNever = 1'000'000;

/// All distances of the boards of one number of seeds, by the second algorithm.
class Plain {
 public:
    Plain(const Rules& rules, int seeds)
        : net_(rules.repetition == Repetition::split),
          seeds_(seeds),
          solved_(oracle::solve(seeds, rules)),
          steps_(oracle::steps_of_layer(seeds, rules)) {
        for (auto& side : distance_) side.assign(steps_.size(), kNever);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint64_t i = 0; i < steps_.size(); ++i) {
                for (const bool seeking : {false, true}) {
                    const int now = next_distance(i, seeking);
                    changed = changed || now != distance_[seeking ? 1 : 0][i];
                    distance_[seeking ? 1 : 0][i] = now;
                }
            }
        }
    }

    bool net() const { return net_; }

    int gain(const Quest& quest) const {
        return gain(board_seeds(quest.board), board_index(quest.board), quest.seeking);
    }

    int distance(const Quest& quest) const {
        return distance_[quest.seeking ? 1 : 0][board_index(quest.board)];
    }

 private:
    int gain(int seeds, std::uint64_t index, bool seeking) const {
        const auto s = static_cast<std::size_t>(seeds);
        const int mover = solved_.mover[s][index];
        if (seeking) return mover;
        return net_ ? -mover : solved_.other[s][index];
    }

    bool keeps(const oracle::Step& step, bool seeking, int has) const {
        const int seeker = seeking ? step.mine : step.theirs;
        const int defender = seeking ? step.theirs : step.mine;
        const int rest = step.goes_on ? gain(step.seeds, step.index, !seeking) : 0;
        return (net_ ? seeker - defender : seeker) + rest == has;
    }

    int next_distance(std::uint64_t index, bool seeking) const {
        const int has = gain(seeds_, index, seeking);
        bool leaves = false;
        int quiet = 0;
        int shortest = kNever;
        int longest = 0;
        for (const oracle::Step& step : steps_[index]) {
            if (!keeps(step, seeking, has)) continue;
            if (!step.goes_on || step.seeds < seeds_) {
                leaves = true;
                continue;
            }
            ++quiet;
            const int there = distance_[seeking ? 0 : 1][step.index];
            shortest = std::min(shortest, there);
            longest = std::max(longest, there);
        }
        if (leaves && (seeking || quiet == 0)) return 1;
        if (quiet == 0) return kNever;
        return std::min(kNever, 1 + (seeking ? shortest : longest));
    }

    bool net_;
    int seeds_;
    oracle::Solved solved_;
    std::vector<std::vector<oracle::Step>> steps_;
    std::vector<int> distance_[2];  ///< of the defender to move and of the seeker, by index
};

/// Both ways of the library on every board of so many seeds that something is forced from.
void distances_are_true(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    const Plain plain(rules, seeds);
    const detail::SeekerGain gain = [&](const Quest& quest) { return plain.gain(quest); };
    const detail::RankOf rank = [&](const Quest& quest) {
        return plain.distance(quest) == kNever ? 0 : plain.distance(quest);
    };
    int longest = 0;
    int wrong = 0;
    for (std::uint64_t i = 0; i < boards_with(seeds); ++i) {
        for (const bool seeking : {true, false}) {
            const Quest quest{board_from_index(seeds, i), seeking};
            const detail::TableMoves moves = detail::table_moves(quest.board, rules);
            if (moves.count == 0 || plain.gain(quest) <= 0) continue;
            const int expected = plain.distance(quest);
            const detail::DistanceProblem problem{quest, {}, rules, plain.net(), gain, {}};
            detail::Distances near;
            detail::Distances ranked;
            const bool found =
                detail::near_distances(problem, 0, near) == detail::DistanceAnswer::found &&
                detail::ranked_distances(problem, rank, ranked) == detail::DistanceAnswer::found;
            wrong += !found || near.root != expected || ranked.root != expected;
            longest = std::max(longest, expected);
            // A move of the seeker leads one ply nearer, those of the defender no farther than promised.
            const auto [least, most] =
                std::minmax_element(near.of_move.begin(), near.of_move.begin() + moves.count);
            wrong += seeking ? std::count(near.of_move.begin(), near.of_move.end(), expected) == 0
                             : *most != expected && expected != kNever;
            wrong += *least < 0;
        }
    }
    INFO(std::string(text), ", ", seeds, " seeds");
    CHECK(wrong == 0);
    CHECK(longest > 2);
    CHECK(longest < kNever);
}

/// The rounds in which the builder decides boards rank them: from each that something is forced from, lines
/// that keep the value lead to ever smaller ranks.
void ranks_lead_on(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    const Plain plain(rules, seeds);
    const detail::SeekerGain gain = [&](const Quest& quest) { return plain.gain(quest); };
    detail::Progress progress({}, seeds);
    detail::Builder builder(rules, seeds, 1);
    std::vector<detail::Layer> layers;
    for (int n = 0; n < seeds; ++n) layers.push_back(std::move(*builder.solve(n, layers, progress)));
    detail::Layer ranks;
    REQUIRE(builder.rank(seeds, layers, ranks));
    const detail::RankOf rank = [&](const Quest& quest) {
        const auto& rounds = plain.net() || quest.seeking ? ranks.mover : ranks.other;
        const int order = detail::LayerSolver::rank_order(seeds, row_seeds(quest.board.own));
        return rounds.data()[board_index(quest.board)] * (kMaxTableSeeds + 2) + order;
    };
    int wrong = 0;
    int forced = 0;
    for (std::uint64_t i = 0; i < boards_with(seeds); ++i) {
        const Quest quest{board_from_index(seeds, i), true};
        if (detail::table_moves(quest.board, rules).count == 0 || plain.gain(quest) <= 0) continue;
        detail::Distances found;
        const auto answer = detail::ranked_distances({quest, {}, rules, plain.net(), gain, {}}, rank, found);
        wrong += answer != detail::DistanceAnswer::found || found.root < 1;
        ++forced;
    }
    INFO(std::string(text), ", ", seeds, " seeds");
    CHECK(wrong == 0);
    CHECK(forced > 0);
}

TEST_CASE("the ranks of the builder lead to the next capture or end") {
    for (const char* rules : {"awari", "wari", "singles"}) ranks_lead_on(rules, 4);
}

TEST_CASE("the distances of value tables are those of plain loops") {
    for (int seeds = 2; seeds <= 5 - (sampling::kSampled ? 2 : 0); ++seeds) {
        distances_are_true("awari", seeds);
        distances_are_true("ouri,repetition=split", seeds);
    }
}

TEST_CASE("the distances of force tables are those of plain loops") {
    for (int seeds = 2; seeds <= 4 - (sampling::kSampled ? 1 : 0); ++seeds) {
        distances_are_true("wari", seeds);
        distances_are_true("singles", seeds);
    }
}

}  // namespace
