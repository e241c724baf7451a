// The words of the rule axes, the preset table, and reading and writing rule sets as text.
#include "wari/rules.hpp"

#include <cctype>
#include <iterator>

namespace wari {
namespace {

constexpr AxisValue kGrandSlamValues[] = {
    {"capture", "a grand slam is legal and captures everything"},
    {"no_capture", "a grand slam is legal and captures nothing"},
    {"forbidden", "a grand slam is illegal, always"},
    {"last_resort",
     "a grand slam is illegal while another legal move exists, otherwise it captures everything"},
    {"keep_last", "the pit where the last seed fell is not captured, the rest of the chain is"},
    {"keep_first", "the pit furthest back in the chain is not captured, the rest is"},
    {"forfeit_rest",
     "a grand slam captures everything and ends the game; the seeds left on the board go to the opponent"},
};
constexpr AxisValue kFeedingValues[] = {
    {"required", "when the opponent's row is empty, only moves that leave seeds there are legal"},
    {"optional", "there is no duty to feed an empty row"},
};
constexpr AxisValue kSingleSeedsValues[] = {
    {"free", "a pit with one seed may always be played"},
    {"restricted", "a pit with one seed may not be played while an own pit holds more"},
};
constexpr AxisValue kStuckValues[] = {
    {"end", "a side without a legal move ends the game"},
    {"pass", "a side with an empty row passes while the opponent has a legal move; otherwise the game ends"},
};
constexpr AxisValue kEmptiedValues[] = {
    {"false", "a move that leaves the mover's own row empty has no special effect"},
    {"true", "a move that leaves the mover's own row empty ends the game"},
};
constexpr AxisValue kRemainderValues[] = {
    {"owner", "at a stuck or emptied end each side takes its own row"},
    {"starved",
     "at a stuck or emptied end all seeds go to the side whose row is empty; if neither is, each takes its "
     "own"},
    {"split",
     "at a stuck or emptied end each side takes half of the seeds on the board; an odd seed is dropped"},
};
constexpr AxisValue kMajorityValues[] = {
    {"false", "play goes on whatever the stores hold"},
    {"true", "play stops at once when a store holds more than half of all seeds"},
};
constexpr AxisValue kRepetitionValues[] = {
    {"owner", "a position that recurs with no capture since ends the game; each side takes its own row"},
    {"split",
     "a position that recurs with no capture since ends the game; each side takes half, an odd seed is "
     "dropped"},
};
constexpr AxisValue kSowingValues[] = {
    {"counterclockwise", "sowing runs A to F, then a to f"},
    {"clockwise", "sowing runs F to A, then f to a"},
};
constexpr AxisValue kSeedsPerPitValues[] = {
    {"1", "1 seed in each pit at the start"},  {"2", "2 seeds in each pit at the start"},
    {"3", "3 seeds in each pit at the start"}, {"4", "4 seeds in each pit at the start"},
    {"5", "5 seeds in each pit at the start"}, {"6", "6 seeds in each pit at the start"},
    {"7", "7 seeds in each pit at the start"}, {"8", "8 seeds in each pit at the start"},
};

enum AxisIndex : int {
    kGrandSlam,
    kFeeding,
    kSingleSeeds,
    kStuck,
    kEndsWhenEmptied,
    kRemainder,
    kMajority,
    kRepetition,
    kSowing,
    kSeedsPerPit,
};

constexpr std::array<Axis, kAxisCount> kAxes = {{
    {"grand_slam", "what happens when a capture would take every seed of the opponent's row",
     kGrandSlamValues},
    {"feeding", "whether an opponent with an empty row must be given seeds", kFeedingValues},
    {"single_seeds", "whether a pit with one seed may be played while a fuller one could",
     kSingleSeedsValues},
    {"stuck", "what happens when the side to move has no legal move", kStuckValues},
    {"ends_when_emptied", "whether emptying one's own row ends the game", kEmptiedValues},
    {"remainder", "who gets the seeds left on the board at a stuck or emptied end", kRemainderValues},
    {"majority", "whether play stops once a store holds more than half of all seeds", kMajorityValues},
    {"repetition", "who gets the seeds left on the board when a position recurs", kRepetitionValues},
    {"sowing", "which way the seeds are sown", kSowingValues},
    {"seeds_per_pit", "how many seeds each pit holds at the start", kSeedsPerPitValues},
}};

constexpr Preset kPresets[] = {
    {"wari", "rule books that let a side without seeds pass", {}},
    {"cairo",
     "rule books that forbid the grand slam",
     {.grand_slam = GrandSlam::forbidden, .stuck = Stuck::end, .majority = false}},
    {"singles",
     "rule books that bar single seeds",
     {.feeding = Feeding::optional,
      .single_seeds = SingleSeeds::restricted,
      .stuck = Stuck::end,
      .ends_when_emptied = true,
      .majority = false}},
    {"nostarve",
     "rule books that forbid starving the opponent",
     {.grand_slam = GrandSlam::last_resort, .stuck = Stuck::end}},
    {"abapa", "international tournament rules", {.grand_slam = GrandSlam::no_capture, .stuck = Stuck::end}},
    {"awari",
     "computer-game research databases",
     {.grand_slam = GrandSlam::last_resort, .stuck = Stuck::end, .repetition = Repetition::split}},
    {"ouri", "Cape Verde and Portugal tournaments", {.single_seeds = SingleSeeds::restricted}},
};

// Places in kPresets, the most widely played first: of two equally near, it names the rules.
constexpr int kByUse[] = {0, 4, 5, 6, 1, 3, 2};
static_assert(std::size(kByUse) == std::size(kPresets));

std::string quoted(std::string_view text) {
    std::string out = "'";
    out += text;
    out += "'";
    return out;
}

template <class Items>
std::string names_of(const Items& items) {
    std::string list;
    for (const auto& item : items) {
        if (!list.empty()) list += ", ";
        list += item.name;
    }
    return list;
}

void set_axis(Rules& rules, int axis, int value) {
    const auto v = static_cast<std::uint8_t>(value);
    switch (axis) {
        case kGrandSlam: rules.grand_slam = GrandSlam{v}; break;
        case kFeeding: rules.feeding = Feeding{v}; break;
        case kSingleSeeds: rules.single_seeds = SingleSeeds{v}; break;
        case kStuck: rules.stuck = Stuck{v}; break;
        case kEndsWhenEmptied: rules.ends_when_emptied = value != 0; break;
        case kRemainder: rules.remainder = Remainder{v}; break;
        case kMajority: rules.majority = value != 0; break;
        case kRepetition: rules.repetition = Repetition{v}; break;
        case kSowing: rules.sowing = Sowing{v}; break;
        case kSeedsPerPit: rules.seeds_per_pit = static_cast<std::uint8_t>(value + kMinSeedsPerPit); break;
        default: assert(false);
    }
}

}  // namespace

std::span<const Axis, kAxisCount> axes() { return kAxes; }

std::span<const Preset> presets() { return kPresets; }

Expected<Rules> preset(std::string_view name) {
    for (const Preset& p : kPresets) {
        if (p.name == name) return p.rules;
    }
    return Error{ErrorKind::bad_value, "rules",
                 "rules: unknown preset " + quoted(name) + "; known are " + names_of(presets())};
}

std::string_view preset_name(const Rules& rules) {
    for (const Preset& p : kPresets) {
        if (p.rules == rules) return p.name;
    }
    return {};
}

int axis_value(const Rules& rules, int axis) {
    switch (axis) {
        case kGrandSlam: return static_cast<int>(rules.grand_slam);
        case kFeeding: return static_cast<int>(rules.feeding);
        case kSingleSeeds: return static_cast<int>(rules.single_seeds);
        case kStuck: return static_cast<int>(rules.stuck);
        case kEndsWhenEmptied: return rules.ends_when_emptied ? 1 : 0;
        case kRemainder: return static_cast<int>(rules.remainder);
        case kMajority: return rules.majority ? 1 : 0;
        case kRepetition: return static_cast<int>(rules.repetition);
        case kSowing: return static_cast<int>(rules.sowing);
        case kSeedsPerPit: return rules.seeds_per_pit - kMinSeedsPerPit;
        default: assert(false); return 0;
    }
}

Expected<Rules> with_axis(const Rules& rules, std::string_view axis, std::string_view value) {
    for (int i = 0; i < kAxisCount; ++i) {
        const Axis& a = kAxes[static_cast<std::size_t>(i)];
        if (a.name != axis) continue;
        for (std::size_t v = 0; v < a.values.size(); ++v) {
            if (a.values[v].name != value) continue;
            Rules changed = rules;
            set_axis(changed, i, static_cast<int>(v));
            return changed;
        }
        return Error{
            ErrorKind::bad_value, std::string(axis),
            std::string(axis) + ": unknown value " + quoted(value) + "; known are " + names_of(a.values)};
    }
    return Error{ErrorKind::bad_value, "rules",
                 "rules: unknown axis " + quoted(axis) + "; known are " + names_of(axes())};
}

Expected<Rules> parse_rules(std::string_view text) {
    Rules rules;
    bool first = true;
    std::size_t at = 0;
    const auto separates = [](char c) {
        return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0;
    };
    while (true) {
        while (at < text.size() && separates(text[at])) ++at;
        if (at == text.size()) break;
        std::size_t end = at;
        while (end < text.size() && !separates(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        at = end;
        const std::size_t equals = word.find('=');
        Expected<Rules> next =
            Error{ErrorKind::bad_value, "rules", "rules: expected axis=value, not " + quoted(word)};
        if (equals != std::string_view::npos) {
            next = with_axis(rules, word.substr(0, equals), word.substr(equals + 1));
        } else if (first) {
            next = preset(word);
        }
        if (!next) return next;
        rules = *next;
        first = false;
    }
    if (first) return preset(text);
    return rules;
}

std::string to_text(const Rules& rules) {
    const Preset* nearest = nullptr;
    int fewest = kAxisCount + 1;
    for (const int place : kByUse) {
        const Preset& p = kPresets[place];
        int differ = 0;
        for (int i = 0; i < kAxisCount; ++i) differ += axis_value(rules, i) != axis_value(p.rules, i);
        if (differ < fewest) {
            fewest = differ;
            nearest = &p;
        }
    }
    std::string text(nearest->name);
    for (int i = 0; i < kAxisCount; ++i) {
        const int value = axis_value(rules, i);
        if (value == axis_value(nearest->rules, i)) continue;
        const Axis& axis = kAxes[static_cast<std::size_t>(i)];
        text += ",";
        text += axis.name;
        text += "=";
        text += axis.values[static_cast<std::size_t>(value)].name;
    }
    return text;
}

}  // namespace wari
