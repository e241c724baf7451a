// Distances against plain loops over all boards: the plies to the next capture or end that the side with
// something to force (the attacker) can force, neither side giving up any of what the table says.
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
using detail::DistanceQuery;

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
                for (const bool attacker_to_move : {false, true}) {
                    const int now = next_distance(i, attacker_to_move);
                    changed = changed || now != distance_[attacker_to_move ? 1 : 0][i];
                    distance_[attacker_to_move ? 1 : 0][i] = now;
                }
            }
        }
    }

    bool net() const { return net_; }

    int gain(const DistanceQuery& query) const {
        return gain(board_seeds(query.board), board_index(query.board), query.attacker_to_move);
    }

    int distance(const DistanceQuery& query) const {
        return distance_[query.attacker_to_move ? 1 : 0][board_index(query.board)];
    }

 private:
    int gain(int seeds, std::uint64_t index, bool attacker_to_move) const {
        const auto s = static_cast<std::size_t>(seeds);
        const int mover = solved_.mover[s][index];
        if (attacker_to_move) return mover;
        return net_ ? -mover : solved_.other[s][index];
    }

    bool keeps(const oracle::Step& step, bool attacker_to_move, int has) const {
        const int attacker = attacker_to_move ? step.mine : step.theirs;
        const int defender = attacker_to_move ? step.theirs : step.mine;
        const int rest = step.goes_on ? gain(step.seeds, step.index, !attacker_to_move) : 0;
        return (net_ ? attacker - defender : attacker) + rest == has;
    }

    int next_distance(std::uint64_t index, bool attacker_to_move) const {
        const int has = gain(seeds_, index, attacker_to_move);
        bool leaves = false;
        int quiet = 0;
        int shortest = kNever;
        int longest = 0;
        for (const oracle::Step& step : steps_[index]) {
            if (!keeps(step, attacker_to_move, has)) continue;
            if (!step.goes_on || step.seeds < seeds_) {
                leaves = true;
                continue;
            }
            ++quiet;
            const int there = distance_[attacker_to_move ? 0 : 1][step.index];
            shortest = std::min(shortest, there);
            longest = std::max(longest, there);
        }
        if (leaves && (attacker_to_move || quiet == 0)) return 1;
        if (quiet == 0) return kNever;
        return std::min(kNever, 1 + (attacker_to_move ? shortest : longest));
    }

    bool net_;
    int seeds_;
    oracle::Solved solved_;
    std::vector<std::vector<oracle::Step>> steps_;
    std::vector<int> distance_[2];  ///< of the defender to move and of the attacker, by index
};

/// Both ways of the library on every board of so many seeds that something is forced from.
void distances_are_true(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    const Plain plain(rules, seeds);
    const detail::AttackerGain gain = [&](const DistanceQuery& query) { return plain.gain(query); };
    const detail::RoundOf round_of = [&](const DistanceQuery& query) {
        return plain.distance(query) == kNever ? 0 : plain.distance(query);
    };
    int longest = 0;
    int wrong = 0;
    for (std::uint64_t i = 0; i < boards_with(seeds); ++i) {
        for (const bool attacker_to_move : {true, false}) {
            const DistanceQuery query{board_from_index(seeds, i), attacker_to_move};
            const detail::TableMoves moves = detail::table_moves(query.board, rules);
            if (moves.count == 0 || plain.gain(query) <= 0) continue;
            const int expected = plain.distance(query);
            const detail::DistanceProblem problem{query, {}, rules, plain.net(), gain, {}};
            detail::Distances near;
            detail::Distances by_round;
            const bool found =
                detail::near_distances(problem, 0, near) == detail::DistanceAnswer::found &&
                detail::distances_by_round(problem, round_of, by_round) == detail::DistanceAnswer::found;
            wrong += !found || near.root != expected || by_round.root != expected;
            longest = std::max(longest, expected);
            // A move of the attacker leads one ply nearer, those of the defender no farther than promised.
            const auto [least, most] =
                std::minmax_element(near.of_move.begin(), near.of_move.begin() + moves.count);
            wrong += attacker_to_move ? std::count(near.of_move.begin(), near.of_move.end(), expected) == 0
                                      : *most != expected && expected != kNever;
            wrong += *least < 0;
        }
    }
    INFO(std::string(text), ", ", seeds, " seeds");
    CHECK(wrong == 0);
    CHECK(longest > 2);
    CHECK(longest < kNever);
}

/// The rounds in which the builder decides boards order them: from each that something is forced from, lines
/// that keep the value lead to ever earlier rounds.
void rounds_lead_on(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    const Plain plain(rules, seeds);
    const detail::AttackerGain gain = [&](const DistanceQuery& query) { return plain.gain(query); };
    detail::Progress progress({}, seeds);
    detail::Builder builder(rules, seeds, 1);
    std::vector<detail::Layer> layers;
    for (int n = 0; n < seeds; ++n) layers.push_back(std::move(*builder.solve(n, layers, progress)));
    detail::Layer last_rounds;
    REQUIRE(builder.find_rounds(seeds, layers, last_rounds));
    const detail::RoundOf round_of = [&](const DistanceQuery& query) {
        const auto& rounds = plain.net() || query.attacker_to_move ? last_rounds.mover : last_rounds.other;
        const int order = detail::LayerSolver::order_in_round(seeds, row_seeds(query.board.own));
        return rounds.data()[board_index(query.board)] * (kMaxTableSeeds + 2) + order;
    };
    int wrong = 0;
    int forced = 0;
    for (std::uint64_t i = 0; i < boards_with(seeds); ++i) {
        const DistanceQuery query{board_from_index(seeds, i), true};
        if (detail::table_moves(query.board, rules).count == 0 || plain.gain(query) <= 0) continue;
        detail::Distances found;
        const auto answer =
            detail::distances_by_round({query, {}, rules, plain.net(), gain, {}}, round_of, found);
        wrong += answer != detail::DistanceAnswer::found || found.root < 1;
        ++forced;
    }
    INFO(std::string(text), ", ", seeds, " seeds");
    CHECK(wrong == 0);
    CHECK(forced > 0);
}

TEST_CASE("the rounds of the builder lead to the next capture or end") {
    for (const char* rules : {"awari", "wari", "singles"}) rounds_lead_on(rules, 4);
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
