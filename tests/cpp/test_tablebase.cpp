// Tables against the second algorithm, against each other and against published values.
// With the argument "slow" it goes deeper and through every combination of axes.
#include <cstring>

#include "check.hpp"
#include "table_oracle.hpp"
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

}  // namespace

int main(int argc, char** argv) {
    const bool slow = argc > 1 && std::strcmp(argv[1], "slow") == 0;
    all_rules(slow ? 6 : 4);
    for (const Preset& preset : presets()) {
        agrees(preset.rules, slow ? 9 : 7, 2);
        Rules cycles = preset.rules;
        cycles.repetition = Repetition::split;
        agrees(cycles, slow ? 9 : 7);
    }
    return check::failures();
}
