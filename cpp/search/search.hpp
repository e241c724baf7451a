// One search by one or more threads on a shared table, and its answer in the core's terms.
#pragma once

#include "root_search.hpp"
#include "time_control.hpp"
#include "wari/analysis.hpp"
#include "wari/evaluation.hpp"

namespace wari {

/// What belongs to the engine and outlives the search.
struct SearchTools {
    TableView table;
    TablebasePtr tablebase;
    const EvaluationWeights* weights = nullptr;
    SearchKernel kernel = nullptr;
    int threads = 1;
    bool full_width = false;
    /// Share of the table in use, asked for a report.
    std::function<int()> hash_permille;
};

/// The kernel for this processor that values leaves so.
SearchKernel kernel_for(EvaluationKind kind);

/// The part of the question that the position and its history make.
RootProblem problem_of(const Root& root);

/// The checked question: the position's game goes on, and `only` are legal pits.
struct CheckedSearch {
    const SearchRequest& request;
    PitSet only = kAllMoves;
};

/// Runs until a limit, a stop or a proof. The stopwatch and the control are shared with whoever stops it.
Analysis run_search(const CheckedSearch& search, const SearchTools& tools, SearchControl& control,
                    const Stopwatch& watch);

}  // namespace wari
