// The rule axes and the named presets.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wari/error.hpp"
#include "wari/export.hpp"

namespace wari {

enum class GrandSlam : std::uint8_t {
    capture,
    no_capture,
    forbidden,
    last_resort,
    keep_last,
    keep_first,
    forfeit_rest,
};
enum class Feeding : std::uint8_t { required, optional };
enum class SingleSeeds : std::uint8_t { free, restricted };
enum class Stuck : std::uint8_t { end, pass };
enum class Remainder : std::uint8_t { owner, starved, split };
enum class Repetition : std::uint8_t { owner, split };
enum class Sowing : std::uint8_t { counterclockwise, clockwise };

inline constexpr int kMinSeedsPerPit = 1;
inline constexpr int kMaxSeedsPerPit = 8;

/// One rule set: a choice on every axis. Every combination is valid; the default is preset "wari".
struct Rules {
    GrandSlam grand_slam = GrandSlam::capture;
    Feeding feeding = Feeding::required;
    SingleSeeds single_seeds = SingleSeeds::free;
    Stuck stuck = Stuck::pass;
    bool ends_when_emptied = false;
    Remainder remainder = Remainder::owner;
    bool majority = true;
    Repetition repetition = Repetition::owner;
    Sowing sowing = Sowing::counterclockwise;
    std::uint8_t seeds_per_pit = 4;

    friend auto operator<=>(const Rules&, const Rules&) = default;
};

/// A value of an axis and what it means, in words.
struct AxisValue {
    std::string_view name;
    std::string_view meaning;
};

/// An axis: its name, what it decides, and its values in the order of the enumerators.
/// The boolean axes list "false" and "true"; `seeds_per_pit` lists "1" to "8".
struct Axis {
    std::string_view name;
    std::string_view question;
    std::span<const AxisValue> values;
};

inline constexpr int kAxisCount = 10;

/// Every axis, in the order of the fields of Rules.
WARI_API std::span<const Axis, kAxisCount> axes();

struct Preset {
    std::string_view name;
    std::string_view origin;  ///< where the rules are met: rule books, tournaments, research
    Rules rules;
};

/// The named rule sets; the first is the default, "wari".
WARI_API std::span<const Preset> presets();

/// The preset of that name. Error: bad_value naming `rules`.
WARI_API Expected<Rules> preset(std::string_view name);

/// The name of the preset equal to `rules`, or "" when none is.
WARI_API std::string_view preset_name(const Rules& rules);

/// The index in axis.values of the value that `rules` has on axis number `axis`.
WARI_API int axis_value(const Rules& rules, int axis);

/// `rules` with one axis set by name. Error: bad_value naming the axis.
WARI_API Expected<Rules> with_axis(const Rules& rules, std::string_view axis, std::string_view value);

/// Reads a preset name followed by any number of `axis=value`, separated by commas or spaces:
/// "abapa", "abapa,grand_slam=forbidden". A leading `axis=value` changes the default preset.
WARI_API Expected<Rules> parse_rules(std::string_view text);

/// The shortest text that parse_rules reads back to `rules`: the nearest preset and what differs.
WARI_API std::string to_text(const Rules& rules);

}  // namespace wari
