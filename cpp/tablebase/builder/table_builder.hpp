// The work behind Tablebase::build, save and verify: layers one after another with progress and stops.
// Private.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "layer_solver.hpp"
#include "table_data.hpp"
#include "table_file.hpp"

namespace wari::detail {

/// Reports how far the work has come, at most some times a second.
class Progress {
 public:
    Progress(const Task<BuildProgress>& task, int seeds, bool verifying = false);

    /// Of the work on layer n, which is this part of it.
    void layer(int n, double fraction);
    /// From now on what layer() hears is this part of the work on a layer.
    void part(double share) noexcept { share_ = share; }

 private:
    Task<BuildProgress> task_;
    BuildProgress state_;
    double share_ = 1;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point reported_;
};

/// Plans, working memory and threads for all layers of one rule set.
class Builder {
 public:
    Builder(const Rules& rules, int seeds, int threads, const Task<>* task = nullptr,
            SweepKernels kernels = best_sweep_kernels());

    bool ok() const noexcept { return solver_.ok(); }
    WorkerPool& pool() noexcept { return pool_; }
    const Plans& plans() const noexcept { return plans_; }
    int rounds() const noexcept { return solver_.rounds(); }

    /// Layer n from the smaller ones. Errors: cancelled; no_memory.
    Expected<Layer> solve(int n, const std::vector<Layer>& layers, Progress& progress);
    /// The rounds of the last changes of layer n; false when memory is refused or there are too many for a
    /// byte.
    bool find_rounds(int n, const std::vector<Layer>& layers, Layer& rounds);

 private:
    WorkerPool pool_;
    Plans plans_;
    LayerSolver solver_;
};

/// Of every `step`-th entry of layer n, the first that is not what its successors' entries leave by the
/// general rules. `layers` holds the layers up to n; `report` gets the part that is done, from the calling
/// thread.
std::optional<std::uint64_t> first_wrong_entry(const Rules& rules, const std::vector<Layer>& layers, int n,
                                               std::uint64_t step, WorkerPool& pool,
                                               const std::function<void(double)>& report);

/// The error of a stopped build.
/// The caller ended the work that `what` names.
Error stopped(const char* what);
Error build_stopped();
Packing packing_of(TablePacking packing, int n) noexcept;

}  // namespace wari::detail
