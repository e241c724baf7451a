// The choice of questions that prove what a position is worth.
#pragma once

#include <optional>

#include "root_search.hpp"
#include "time_control.hpp"
#include "wari/analysis.hpp"
#include "wari/solve.hpp"

namespace wari {

/// Proves what it can of the margin within the limits, `problem` being the request's. `first` is what an
/// ordinary search found, `earlier` what was proved of the same position before, null for nothing.
Solution prove(const SolveRequest& request, const RootProblem& problem, SearchControl& control,
               const Stopwatch& watch, const std::optional<Analysis>& first, const Solution* earlier);

}  // namespace wari
