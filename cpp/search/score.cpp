// The names of what a score claims and where it comes from.
#include "wari/score.hpp"

namespace wari {

std::string_view to_text(Bound bound) noexcept {
    switch (bound) {
        case Bound::estimate: return "estimate";
        case Bound::lower: return "lower";
        case Bound::upper: return "upper";
        case Bound::exact: return "exact";
    }
    return {};
}

std::string_view to_text(ScoreSource source) noexcept {
    switch (source) {
        case ScoreSource::search: return "search";
        case ScoreSource::tablebase: return "tablebase";
        case ScoreSource::end: return "end";
    }
    return {};
}

}  // namespace wari
