// One layer from beginning to end: exits, rounds, tail.
#include "layer_solver.hpp"

#include <algorithm>

#include "layer_exits.hpp"
#include "wari/isa.hpp"

namespace wari::detail {
namespace {

// Looking at a changed board's predecessors costs as much as sweeping some hundred boards.
constexpr std::uint64_t kTailShare = 200;
constexpr double kRoundShare = 0.03;  // some thirty rounds are usual
constexpr double kMostOfLayer = 0.95;

}  // namespace

SweepKernels best_sweep_kernels() {
#ifdef WARI_X86_KERNELS
    if (best_isa() >= Isa::v4 && __builtin_cpu_supports("avx512vbmi") != 0) return v4::sweep_kernels();
    if (best_isa() >= Isa::v3) return v3::sweep_kernels();
#endif
    return portable::sweep_kernels();
}

std::uint64_t LayerSolver::memory_needed(TableKind kind, int seeds, int lanes, int threads) {
    // Measured, with the growth of vectors: changes and marks of the tail, and a board with an empty row.
    constexpr std::uint64_t kTailPart = 8;
    constexpr std::uint64_t kOneSidedBytes = 160;
    const std::uint64_t changes = static_cast<std::uint64_t>(threads) *
                                  std::min<std::uint64_t>(LayerSweep::kJobBoards, boards_with(seeds)) *
                                  sizeof(SweepChange);
    return Bytes::taken(LayerMemory::bytes(kind, seeds, lanes)) + changes + boards_with(seeds) / kTailPart +
           2 * rows_with(seeds) * kOneSidedBytes;
}

std::uint64_t LayerSolver::marks_needed(int seeds, int lanes) {
    return LayerMemory::board_bytes(seeds, lanes) / 8;
}

std::uint64_t LayerSolver::rounds_needed(TableKind kind, int seeds, int lanes) {
    return LayerMemory::round_bytes(kind, seeds, lanes);
}

LayerSolver::LayerSolver(const Plans& plans, TableKind kind, int seeds, SweepKernels kernels,
                         WorkerPool& pool)
    : plans_(plans),
      pool_(pool),
      memory_(kind, seeds, kernels.lanes),
      one_sided_(plans, memory_),
      sweep_(plans, kernels, memory_, pool),
      tail_(plans, memory_, one_sided_, pool, LayerMemory::board_bytes(seeds, kernels.lanes)) {}

int LayerSolver::order_in_round(int n, int own_seeds) noexcept {
    if (own_seeds == 0) return 0;
    return reads_itself(n, own_seeds) || own_seeds == n ? own_seeds + 1 : 1;
}

// In two steps, so that no board of the list sees another one's new bytes.
std::uint64_t LayerSolver::visit_one_sided(std::size_t begin, std::size_t end,
                                           std::vector<ChangedBoard>* changes) {
    std::vector<ChangedBoard> found;
    one_sided_.evaluate(begin, end, found);
    tail_.write(found);
    if (changes != nullptr) changes->insert(changes->end(), found.begin(), found.end());
    return found.size();
}

std::uint64_t LayerSolver::round(std::vector<ChangedBoard>* changes) {
    std::uint64_t changed = visit_one_sided(0, one_sided_.of_empty_row(), changes);
    changed += sweep_.run(changes);
    return changed + visit_one_sided(one_sided_.of_empty_row(), one_sided_.size(), changes);
}

bool LayerSolver::solve(int n, const std::vector<Layer>& layers, Layer& into,
                        const std::function<void(double)>& report, Layer* last_rounds) {
    memory_.begin(n, pool_);
    if (last_rounds != nullptr && !memory_.record_rounds()) return false;
    LayerExits exits(plans_, memory_, layers);
    exits.fill(pool_);
    one_sided_.list(exits);
    sweep_.plan();
    rounds_ = 0;
    std::uint64_t changed = boards_with(n);
    while (changed != 0) {
        if (pool_.stopped()) return false;
        report(std::min(rounds_ * kRoundShare, kMostOfLayer));
        memory_.set_round(++rounds_);
        if (changed > boards_with(n) / kTailShare) {
            changed = round(nullptr);
            continue;
        }
        std::vector<ChangedBoard> changes;
        if (round(&changes) != 0) rounds_ = tail_.run(std::move(changes), rounds_);
        break;
    }
    if (pool_.stopped()) return false;
    if (last_rounds != nullptr && (rounds_ >= kMaxRound || !memory_.copy_out(*last_rounds, true, pool_))) {
        return false;
    }
    return memory_.copy_out(into, false, pool_) && !pool_.stopped();
}

}  // namespace wari::detail
