// The names of the evaluations.
#include "wari/evaluation.hpp"

#include <string>

namespace wari {

std::span<const std::string_view> evaluations() noexcept {
    static constexpr std::string_view kNames[] = {"material", "linear", "network"};
    return kNames;
}

std::string_view to_text(EvaluationKind kind) noexcept {
    return evaluations()[static_cast<std::size_t>(kind)];
}

Expected<EvaluationKind> parse_evaluation(std::string_view text) {
    std::string known;
    for (std::size_t i = 0; i < evaluations().size(); ++i) {
        if (evaluations()[i] == text) return static_cast<EvaluationKind>(i);
        known += (i == 0 ? "" : ", ") + std::string(evaluations()[i]);
    }
    return Error{ErrorKind::bad_value, "evaluation",
                 "evaluation: expected one of " + known + ", not '" + std::string(text) + "'"};
}

}  // namespace wari
