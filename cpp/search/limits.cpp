// What limits may be: the first that is wrong is named.
#include "wari/limits.hpp"

#include <cmath>
#include <string>

namespace wari {
namespace {

Error bad(const char* field, const std::string& what) {
    return {ErrorKind::bad_value, field, std::string(field) + ": " + what};
}

bool positive(double seconds) { return std::isfinite(seconds) && seconds > 0; }

}  // namespace

Status check_limits(const Limits& limits) {
    if (limits.depth.has_value() && (*limits.depth < 1 || *limits.depth > kMaxSearchDepth)) {
        return bad("depth", "expected 1 to " + std::to_string(kMaxSearchDepth) + ", not " +
                                std::to_string(*limits.depth));
    }
    if (limits.nodes.has_value() && (*limits.nodes < 1 || *limits.nodes > kMaxNodes)) {
        return bad("nodes",
                   "expected 1 to " + std::to_string(kMaxNodes) + ", not " + std::to_string(*limits.nodes));
    }
    if (limits.seconds.has_value() && !positive(*limits.seconds)) {
        return bad("time", "expected a number of seconds above 0, not " + std::to_string(*limits.seconds));
    }
    if (limits.clock.has_value()) {
        const Clock& clock = *limits.clock;
        if (!positive(clock.remaining)) {
            return bad("clock", "expected more than 0 seconds left, not " + std::to_string(clock.remaining));
        }
        if (!std::isfinite(clock.increment) || clock.increment < 0) {
            return bad("increment", "expected 0 or more seconds, not " + std::to_string(clock.increment));
        }
        if (clock.moves_to_go < 0) {
            return bad("moves_to_go", "expected 0 or more moves, not " + std::to_string(clock.moves_to_go));
        }
    }
    return std::nullopt;
}

}  // namespace wari
