// The jobs of a sweep, and the order of the blocks.
#include "layer_sweep.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace wari::detail {

void LayerSweep::plan() {
    const int n = memory_.seeds();
    jobs_.clear();
    first_job_.assign(static_cast<std::size_t>(n) + 2, 0);
    const auto lanes = static_cast<std::uint32_t>(memory_.lanes());
    for (int m = 0; m <= n; ++m) {
        first_job_[static_cast<std::size_t>(m)] = jobs_.size();
        if (m == 0 || m == n) continue;
        const std::uint32_t strips = (rows_with(n - m) + lanes - 1) / lanes;
        const std::uint32_t groups = (rows_with(m) + lanes - 1) / lanes;
        const auto step = static_cast<std::uint32_t>(kJobBoards / lanes / lanes);
        for (std::uint32_t strip = 0; strip < strips; ++strip) {
            for (std::uint32_t group = 0; group < groups; group += step) {
                jobs_.push_back({m, {strip, group, std::min(groups, group + step)}});
            }
        }
    }
    first_job_[static_cast<std::size_t>(n) + 1] = jobs_.size();
}

SweepBlock LayerSweep::describe(int m, SweepSource* sources) const {
    const LayerBlock& block = memory_.block(m);
    const int s = memory_.seeds() - m;
    for (int number = 0; number < kPatterns; ++number) {
        const int into = number / 2;
        if (into > m) break;
        const LayerBlock& from = memory_.block(s + into);
        sources[number] = {from.mover, from.other, from.strip_size, &plans_.column(s, number).quiet};
    }
    SweepBlock described;
    described.rows = &plans_.row(m);
    described.row_count = rows_with(m);
    described.column_count = rows_with(s);
    described.sources = sources;
    described.best_mover = block.best_mover;
    described.best_other = block.best_other;
    described.old_mover = block.mover;
    described.old_other = block.other;
    described.new_mover = block.twin_mover != nullptr ? block.twin_mover : block.mover;
    described.new_other = block.twin_other != nullptr ? block.twin_other : block.other;
    described.when_mover = block.when_mover;
    described.when_other = block.when_other;
    described.round = memory_.round();
    return described;
}

// Blocks whose movers have fewer than half of the seeds read none of each other, so all their jobs may
// run side by side; the others follow one by one, each with its twin.
std::uint64_t LayerSweep::run(std::vector<ChangedBoard>* changes) {
    const int n = memory_.seeds();
    const SweepKernel kernel = memory_.force() ? kernels_.force : kernels_.value;
    const auto blocks = static_cast<std::size_t>(memory_.block_count());
    const auto sources = std::make_unique<std::array<SweepSource, kPatterns>[]>(blocks);
    std::vector<SweepBlock> described(blocks);
    std::vector<std::uint64_t> counts(jobs_.size(), 0);
    if (changes != nullptr) changes_.resize(static_cast<std::size_t>(pool_.threads()) * kJobBoards);
    std::vector<std::vector<SweepChange>> lists(changes != nullptr ? jobs_.size() : 0);
    for (int m = 1; m < n;) {
        int end = m + 1;
        while (!reads_itself(n, m) && end < n && !reads_itself(n, end)) ++end;
        for (int b = m; b < end; ++b) {
            const auto at = static_cast<std::size_t>(b);
            described[at] = describe(b, sources[at].data());
        }
        const std::size_t first = first_job_[static_cast<std::size_t>(m)];
        pool_.run(first_job_[static_cast<std::size_t>(end)] - first, [&](std::uint64_t i, int worker) {
            const Job& job = jobs_[first + i];
            SweepPiece piece = job.piece;
            SweepChange* buffer = changes_.data() + static_cast<std::size_t>(worker) * kJobBoards;
            if (changes != nullptr) piece.changes = buffer;
            counts[first + i] = kernel(described[static_cast<std::size_t>(job.block)], piece);
            if (changes != nullptr) lists[first + i].assign(buffer, buffer + counts[first + i]);
        });
        for (int b = m; b < end; ++b) memory_.swap_twins(b);
        m = end;
    }
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        changed += counts[i];
        if (changes == nullptr) continue;
        for (const SweepChange& change : lists[i]) {
            changes->push_back(
                {{static_cast<std::uint32_t>(jobs_[i].block), change.offset}, {change.mover, change.other}});
        }
    }
    return changed;
}

}  // namespace wari::detail
