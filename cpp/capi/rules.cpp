// Rules for C: the presets, the axes and their words by number, and texts in their shortest form.
#include "wari/rules.hpp"

#include "handles.hpp"

using namespace wari;
using namespace wari::capi;

namespace {

/// The core's names are literals, so a zero stands behind each; a test compares lengths.
const char* literal(std::string_view text) { return text.data(); }

const Preset* preset_at(std::size_t number) {
    return number < presets().size() ? &presets()[number] : nullptr;
}

const Axis* axis_at(std::size_t number) { return number < axes().size() ? &axes()[number] : nullptr; }

const AxisValue* value_at(std::size_t axis, std::size_t value) {
    const Axis* found = axis_at(axis);
    return found != nullptr && value < found->values.size() ? &found->values[value] : nullptr;
}

template <class T>
const char* text_or_null(const T* owner, std::string_view T::* text) {
    return owner != nullptr ? literal(owner->*text) : nullptr;
}

std::optional<Refusal> refusal_from(int number) {
    if (number <= 0 || number > WARI_REFUSAL_CANNOT_PASS) return std::nullopt;
    return static_cast<Refusal>(number - 1);
}

std::optional<Ending> ending_from(int number) {
    if (number <= 0 || number > WARI_ENDING_TIME) return std::nullopt;
    return static_cast<Ending>(number - 1);
}

static_assert(static_cast<int>(Refusal::game_over) + 1 == WARI_REFUSAL_GAME_OVER);
static_assert(static_cast<int>(Refusal::single_seed) + 1 == WARI_REFUSAL_SINGLE_SEED);
static_assert(static_cast<int>(Refusal::cannot_pass) + 1 == WARI_REFUSAL_CANNOT_PASS);
static_assert(static_cast<int>(Ending::emptied) + 1 == WARI_ENDING_EMPTIED);
static_assert(static_cast<int>(Ending::repetition) + 1 == WARI_ENDING_REPETITION);
static_assert(static_cast<int>(Ending::time) + 1 == WARI_ENDING_TIME);
static_assert(static_cast<int>(Side::south) == WARI_SOUTH && static_cast<int>(Side::north) == WARI_NORTH);

}  // namespace

namespace wari::capi {

Expected<Rules> rules_of(const char* text) {
    if (text == nullptr) return Rules{};
    return parse_rules(text);
}

Expected<Side> side_of(std::int32_t side) {
    if (side == WARI_SOUTH) return Side::south;
    if (side == WARI_NORTH) return Side::north;
    return Error{ErrorKind::bad_value, "side",
                 "side: expected 0 (South) or 1 (North), not " + std::to_string(side)};
}

}  // namespace wari::capi

size_t wari_preset_count(void) { return presets().size(); }
const char* wari_preset_name(size_t preset) { return text_or_null(preset_at(preset), &Preset::name); }
const char* wari_preset_origin(size_t preset) { return text_or_null(preset_at(preset), &Preset::origin); }

size_t wari_axis_count(void) { return axes().size(); }
const char* wari_axis_name(size_t axis) { return text_or_null(axis_at(axis), &Axis::name); }
const char* wari_axis_question(size_t axis) { return text_or_null(axis_at(axis), &Axis::question); }
size_t wari_axis_value_count(size_t axis) {
    const Axis* found = axis_at(axis);
    return found != nullptr ? found->values.size() : 0;
}
const char* wari_axis_value_name(size_t axis, size_t value) {
    return text_or_null(value_at(axis, value), &AxisValue::name);
}
const char* wari_axis_value_meaning(size_t axis, size_t value) {
    return text_or_null(value_at(axis, value), &AxisValue::meaning);
}

const char* wari_refusal_code(int refusal) {
    const auto found = refusal_from(refusal);
    return found.has_value() ? literal(to_text(*found)) : nullptr;
}
const char* wari_refusal_in_words(int refusal) {
    const auto found = refusal_from(refusal);
    return found.has_value() ? literal(in_words(*found)) : nullptr;
}
const char* wari_ending_code(int ending) {
    const auto found = ending_from(ending);
    return found.has_value() ? literal(to_text(*found)) : nullptr;
}
const char* wari_ending_in_words(int ending) {
    const auto found = ending_from(ending);
    return found.has_value() ? literal(in_words(*found)) : nullptr;
}

wari_status wari_rules_text(const char* rules, char* buffer, size_t size, size_t* needed, wari_error* error) {
    return report(error, [&]() -> Problem {
        const auto read = rules_of(rules);
        if (!read) return read.error();
        return copy_text(to_text(*read), buffer, size, needed);
    });
}

wari_status wari_rules_value(const char* rules, const char* axis, int32_t* value, wari_error* error) {
    return report(error, [&]() -> Problem {
        if (axis == nullptr) return null("axis");
        if (value == nullptr) return null("value");
        const auto read = rules_of(rules);
        if (!read) return read.error();
        for (int i = 0; i < kAxisCount; ++i) {
            if (axes()[static_cast<std::size_t>(i)].name == axis) {
                *value = axis_value(*read, i);
                return {};
            }
        }
        return bad("axis", "there is no axis '" + std::string(axis) + "'");
    });
}
