// Tables against the second algorithm, against each other and against published values: smaller ones, and in
// the suite `slow` larger ones.
#include <doctest/doctest.h>

#include <utility>

#include "sampling.hpp"
#include "table_checks.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using namespace table_checks;

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
    CHECK(wrong == 0);
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
        if (n <= seeds) CHECK(share(n) == permille);
    }
}

// Every decided entry has a distance, and the first move offered is a step of it.
void distances_exist(const Rules& rules, int seeds) {
    const TablebasePtr table = build(rules, seeds);
    int decided = 0;
    int wrong = 0;
    for (int n = 1; n <= seeds; ++n) {
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const auto probe = table->probe(board_from_index(n, i));
            REQUIRE(probe.has_value());
            if (probe->over) continue;
            const bool something = table->kind() == TableKind::value ? probe->mover != 0 : probe->mover > 0;
            decided += something ? 1 : 0;
            if (something && (probe->distance < 1 || probe->best[0].distance != probe->distance)) ++wrong;
        }
    }
    CHECK(decided > 0);
    CHECK(wrong == 0);
}

// Every preset under both kinds of repetition.
void presets_agree(int seeds) {
    for (const Preset& preset : presets()) {
        Rules rules = preset.rules;
        for (const Repetition repetition : {Repetition::owner, Repetition::split}) {
            rules.repetition = repetition;
            agrees(rules, seeds, 2);
        }
    }
}

void kernels(int seeds) {
    for (const char* rules : {"awari", "ouri,repetition=split", "abapa", "singles"})
        kernels_agree(rules, seeds);
}

// Under the address sanitizer so many seeds less.
constexpr int kLess = sampling::kSampled ? 2 : 0;

TEST_CASE("tables of every combination of rules agree with the second algorithm") { all_rules(4 - kLess); }

TEST_CASE("tables of the presets agree with the second algorithm") { presets_agree(7 - kLess); }

TEST_CASE("the value of a board lies within what both sides can force") {
    for (const Preset& preset : presets()) kinds_agree(preset.rules, 8 - kLess);
}

TEST_CASE("every decided board has a distance") {
    for (const Preset& preset : presets()) distances_exist(preset.rules, 4 - kLess);
}

TEST_CASE("every kernel makes the same table") { kernels(9 - kLess); }

TEST_CASE("the published shares of exact boards are found") { exact_shares(12 - kLess); }

TEST_CASE("an entry that is wrong between those of the sample is found when all are compared") {
    for (const char* text : {"awari", "abapa"}) {
        const Rules rules = table_rules(*preset(text));
        constexpr int kSeeds = kFullCheckSeeds + 1;
        detail::Progress progress({}, kSeeds);
        detail::Builder builder(rules, kSeeds, 2);
        std::vector<detail::Layer> layers;
        for (int n = 0; n <= kSeeds; ++n) {
            auto layer = builder.solve(n, layers, progress);
            REQUIRE(layer.has_value());
            layers.push_back(std::move(*layer));
        }
        const auto wrong = [&](std::uint64_t step) {
            return detail::first_wrong_entry(rules, layers, kSeeds, step, builder.pool(), [](double) {});
        };
        CHECK_FALSE(wrong(1).has_value());
        // A board whose mover captures now: nothing that leads to it within the layer is in the sample, too.
        std::uint64_t at = boards_with(kSeeds) / 2;
        while (at % kPartOfLarge == 0) ++at;
        ++layers[kSeeds].mover.data()[at];
        REQUIRE(wrong(1).has_value());
        CHECK(*wrong(1) <= at);
    }
}

TEST_CASE("tables are verified") {
    verified(*preset("awari"), 12 - kLess);
    verified(*preset("wari"), 12 - kLess);
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("tables of six seeds of every combination of rules agree with the second algorithm") {
    all_rules(6);
}

TEST_CASE("tables of nine seeds of the presets agree with the second algorithm") { presets_agree(9); }

TEST_CASE("the value of a board of twelve seeds lies within what both sides can force") {
    for (const Preset& preset : presets()) kinds_agree(preset.rules, 12);
}

TEST_CASE("every decided board of six seeds has a distance") {
    for (const Preset& preset : presets()) distances_exist(preset.rules, 6);
}

TEST_CASE("every kernel makes the same table of twelve seeds") { kernels(12); }

TEST_CASE("the published share of exact boards of sixteen seeds is found") { exact_shares(16); }

TEST_CASE("a table of sixteen seeds of awari is verified") { verified(*preset("awari"), 16); }

TEST_CASE("a table of fifteen seeds of wari is verified") { verified(*preset("wari"), 15); }

TEST_CASE("larger tables of other rules are verified") {
    verified(*parse_rules("ouri,grand_slam=keep_first,repetition=split"), 16);
    verified(*parse_rules("cairo,stuck=pass,remainder=split,feeding=optional"), 14);
    verified(*parse_rules("singles,grand_slam=forfeit_rest,repetition=split"), 14);
}

TEST_SUITE_END();

}  // namespace
