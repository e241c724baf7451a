// Tables against the second algorithm, against each other and against published values.
// Without arguments a sample; "rules", "presets" or "proofs" is that part in full.
#include <cstring>
#include <string>

#include "check.hpp"
#include "table_build.hpp"
#include "table_oracle.hpp"
#include "wari/isa.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;

TablebasePtr build(const Rules& rules, int seeds, int threads = 1) {
    BuildOptions options;
    options.seeds = seeds;
    options.threads = threads;
    auto table = Tablebase::build(rules, options);
    CHECK(table.has_value());
    return table ? *table : nullptr;
}

void agrees(const Rules& rules, int seeds, int threads = 1) {
    const TablebasePtr table = build(rules, seeds, threads);
    const oracle::Solved solved = oracle::solve(seeds, table_rules(rules));
    int wrong = 0;
    for (int n = 0; n <= seeds; ++n) {
        const auto s = static_cast<std::size_t>(n);
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const auto bounds = table->bounds(board_from_index(n, i));
            Bounds expected{solved.mover[s][i], solved.mover[s][i]};
            if (table->kind() == TableKind::force) {
                expected = {2 * solved.mover[s][i] - n, n - 2 * solved.other[s][i]};
            }
            if (bounds != expected) ++wrong;
        }
    }
    if (wrong != 0)
        std::fprintf(stderr, "%s, %d seeds: %d entries differ\n", to_text(rules).c_str(), seeds, wrong);
    CHECK_EQUAL(wrong, 0);
}

// Every combination of the axes that tables depend on.
void all_rules(int seeds) {
    for (int code = 0; code < 7 * 2 * 2 * 2 * 2 * 3 * 2; ++code) {
        int rest = code;
        const auto axis = [&rest](int values) {
            const int value = rest % values;
            rest /= values;
            return value;
        };
        Rules rules;
        rules.grand_slam = static_cast<GrandSlam>(axis(7));
        rules.feeding = static_cast<Feeding>(axis(2));
        rules.single_seeds = static_cast<SingleSeeds>(axis(2));
        rules.stuck = static_cast<Stuck>(axis(2));
        rules.ends_when_emptied = axis(2) == 1;
        rules.remainder = static_cast<Remainder>(axis(3));
        rules.repetition = static_cast<Repetition>(axis(2));
        agrees(rules, seeds);
    }
}

// Each instruction set's kernel makes the same bytes.
void kernels_agree(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    std::vector<detail::SweepKernels> kernels = {portable::sweep_kernels()};
#ifdef __x86_64__
    if (best_isa() >= Isa::v3) kernels.push_back(v3::sweep_kernels());
#endif
    kernels.push_back(detail::best_sweep_kernels());
    std::vector<std::vector<detail::Layer>> made(kernels.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        detail::Progress progress({}, seeds);
        detail::Builder builder(rules, seeds, 2, {}, kernels[k]);
        for (int n = 0; n <= seeds; ++n) {
            auto layer = builder.solve(n, made[k], progress);
            CHECK(layer.has_value());
            made[k].push_back(std::move(*layer));
            const detail::Layer& first = made[0][static_cast<std::size_t>(n)];
            const detail::Layer& here = made[k].back();
            CHECK(std::memcmp(first.mover.data(), here.mover.data(), here.mover.size()) == 0);
            CHECK(first.other.size() == here.other.size());
            CHECK(!here.other || std::memcmp(first.other.data(), here.other.data(), here.other.size()) == 0);
        }
    }
}

// Whatever a cycle is worth, its being worth 0 is one case of it.
void kinds_agree(Rules rules, int seeds) {
    rules.repetition = Repetition::owner;
    const TablebasePtr force = build(rules, seeds);
    rules.repetition = Repetition::split;
    const TablebasePtr value = build(rules, seeds);
    int wrong = 0;
    for (int n = 0; n <= seeds; ++n) {
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const Board board = board_from_index(n, i);
            const Bounds wide = *force->bounds(board);
            const int exact = value->bounds(board)->lower;
            if (exact < wide.lower || exact > wide.upper) ++wrong;
        }
    }
    CHECK_EQUAL(wrong, 0);
}

// The published shares of boards, among those with an empty pit opposite, whose result no cycle can change.
void exact_shares(int seeds) {
    const TablebasePtr table = build(*preset("abapa"), seeds);
    const auto share = [&](int n) {
        std::uint64_t asked = 0;
        std::uint64_t exact = 0;
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const Board board = board_from_index(n, i);
            if (playable(board.opp) == 0x3F) continue;
            ++asked;
            if (table->bounds(board)->exact()) ++exact;
        }
        return static_cast<int>((exact * 2000 / asked + 1) / 2);  // per mille
    };
    const std::pair<int, int> published[] = {{4, 728}, {8, 611}, {12, 187}, {16, 65}};
    for (const auto& [n, permille] : published) {
        if (n <= seeds) CHECK_EQUAL(share(n), permille);
    }
}

// Solved again from nothing and compared entry by entry, laps and all.
void proved(const Rules& rules, int seeds) {
    VerifyOptions options;
    options.threads = 2;
    const auto failed = build(rules, seeds, 2)->verify(options);
    CHECK(!failed.has_value());
}

// Every decided entry has a distance, and the first move offered is a step of it.
void distances_exist(const Rules& rules, int seeds) {
    const TablebasePtr table = build(rules, seeds);
    int without = 0;
    for (int n = 1; n <= seeds; ++n) {
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const auto probe = table->probe(board_from_index(n, i));
            if (!probe || probe->over) continue;
            const bool something = table->kind() == TableKind::value ? probe->mover != 0 : probe->mover > 0;
            if (something && (probe->distance < 1 || probe->best[0].distance != probe->distance)) ++without;
        }
    }
    CHECK_EQUAL(without, 0);
}

// Every preset under both kinds of repetition: against the second algorithm, each other, their distances.
void both_kinds(int against_oracle, int against_each_other, int distances) {
    for (const Preset& preset : presets()) {
        agrees(preset.rules, against_oracle, 2);
        Rules cycles = preset.rules;
        cycles.repetition = Repetition::split;
        agrees(cycles, against_oracle);
        kinds_agree(preset.rules, against_each_other);
        distances_exist(preset.rules, distances);
    }
}

void kernels(int seeds) {
    for (const char* rules : {"awari", "ouri,repetition=split", "abapa", "singles"})
        kernels_agree(rules, seeds);
}

// What two threads make together: layers of few jobs and of many, proofs, passes, both kinds.
void threads_agree() {
    for (const char* rules : {"awari", "wari", "singles,remainder=split"}) {
        agrees(*parse_rules(rules), 4, 2);
        kernels_agree(rules, 6);
        proved(*parse_rules(rules), 7);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (check::kThreadsOnly) {
        threads_agree();
        return check::failures();
    }
    const std::string part = argc > 1 ? argv[1] : "";
    if (part.empty()) {
        const int less = check::kSampled ? 2 : 0;
        all_rules(4 - less);
        both_kinds(7 - less, 8 - less, 4);
        kernels(9 - less);
        exact_shares(12 - less);
        proved(*preset("awari"), 12 - less);
        proved(*preset("wari"), 12 - less);
    } else if (part == "rules") {
        all_rules(6);
    } else if (part == "presets") {
        both_kinds(9, 12, 6);
    } else if (part == "proofs") {
        kernels(12);
        exact_shares(16);
        proved(*preset("awari"), 16);
        proved(*preset("wari"), 15);
        proved(*parse_rules("ouri,grand_slam=keep_first,repetition=split"), 16);
        proved(*parse_rules("cairo,stuck=pass,remainder=split,feeding=optional"), 14);
        proved(*parse_rules("singles,grand_slam=forfeit_rest,repetition=split"), 14);
    } else {
        CHECK_EQUAL(part, "a known part");
    }
    return check::failures();
}
