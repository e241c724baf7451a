// The work behind Tablebase::build, save and verify: layers one after another with progress and stops.
// Private.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "layer_solver.hpp"
#include "table_data.hpp"
#include "table_file.hpp"

namespace wari::detail {

/// Reports how far the work has come, at most some times a second.
class Progress {
 public:
    Progress(const Task<BuildProgress>& task, int seeds, bool proving = false);

    void layer(int n, double fraction);

 private:
    Task<BuildProgress> task_;
    BuildProgress state_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point reported_;
};

/// Plans, working memory and threads for all layers of one rule set.
class Builder {
 public:
    Builder(const Rules& rules, int seeds, int threads, const Task<>* task = nullptr,
            SweepKernels kernels = best_sweep_kernels());

    bool ok() const noexcept { return solver_.ok(); }
    Crew& crew() noexcept { return crew_; }
    const Plans& plans() const noexcept { return plans_; }
    int rounds() const noexcept { return solver_.rounds(); }

    /// Layer n from the smaller ones. Errors: cancelled; no_memory.
    Expected<Layer> solve(int n, const std::vector<Layer>& layers, Progress& progress);
    /// The ranks of layer n; false when memory is refused or there are too many for a byte.
    bool rank(int n, const std::vector<Layer>& layers, Layer& ranks);

 private:
    Crew crew_;
    Plans plans_;
    LayerSolver solver_;
};

/// The error of a stopped build.
/// The caller ended the work that `what` names.
Error stopped(const char* what);
Error build_stopped();
Packing packing_of(TablePacking packing, int n) noexcept;

}  // namespace wari::detail
