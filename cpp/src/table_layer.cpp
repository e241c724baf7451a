// One layer: working memory, the rounds, and the way out. The values of moves that leave the layer are
// in table_best.cpp.
#include "table_layer.hpp"

#include <algorithm>
#include <cstring>

#include "wari/isa.hpp"

namespace wari::detail {
namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kPad = 128;  ///< a window may be read beyond the last row
constexpr std::uint64_t kJobBoards = 1U << 18;

std::size_t padded(std::size_t size) { return (size + kAlign - 1) / kAlign * kAlign; }

/// Does the order of blocks let block m read itself?
bool reads_itself(int n, int m) { return m > 0 && m < n && 2 * m >= n; }

struct Sizes {
    std::size_t boards = 0;
    std::size_t twins = 0;
    std::size_t best = 0;
};

Sizes sizes_of(int n) {
    Sizes sizes;
    for (int m = 0; m <= n; ++m) {
        const std::size_t block = rows_with(n - m) * padded(rows_with(m)) + kPad;
        sizes.boards += padded(block);
        if (reads_itself(n, m)) sizes.twins += padded(block);
        if (m > 0 && m < n) sizes.best += rows_with(m) * padded(rows_with(n - m));
    }
    return sizes;
}

}  // namespace

SweepKernels best_sweep_kernels() {
#ifdef WARI_X86_KERNELS
    if (best_isa() >= Isa::v4 && __builtin_cpu_supports("avx512vbmi") != 0) return v4::sweep_kernels();
    if (best_isa() >= Isa::v3) return v3::sweep_kernels();
#endif
    return portable::sweep_kernels();
}

std::uint64_t LayerSolver::memory_needed(TableKind kind, int seeds) {
    const Sizes sizes = sizes_of(seeds);
    return (sizes.boards + sizes.twins + sizes.best) * (kind == TableKind::force ? 2U : 1U) + kPad;
}

LayerSolver::LayerSolver(const Plans& plans, TableKind kind, int seeds, SweepKernels kernels, Crew& crew)
    : plans_(plans), kind_(kind), kernels_(kernels), crew_(crew), memory_(memory_needed(kind, seeds)) {}

void LayerSolver::lay_out(int n) {
    std::uint8_t* at = memory_.data();
    const auto take = [&at](std::size_t size) {
        std::uint8_t* taken = at;
        at += padded(size);
        return taken;
    };
    blocks_.assign(static_cast<std::size_t>(n) + 1, {});
    for (const bool other : {false, true}) {
        if (other && kind_ == TableKind::value) break;
        for (int m = 0; m <= n; ++m) {
            Block& block = blocks_[static_cast<std::size_t>(m)];
            block.stride = padded(rows_with(m));
            block.best_stride = padded(rows_with(n - m));
            const std::size_t size = rows_with(n - m) * block.stride + kPad;
            (other ? block.other : block.mover) = take(size);
            if (reads_itself(n, m)) (other ? block.twin_other : block.twin_mover) = take(size);
            if (m > 0 && m < n)
                (other ? block.best_other : block.best_mover) = take(rows_with(m) * block.best_stride);
        }
    }
}

void LayerSolver::reset(int n) {
    crew_.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t m) {
        const Block& block = blocks_[m];
        const std::size_t size = rows_with(n - static_cast<int>(m)) * block.stride;
        const bool force = kind_ == TableKind::force;
        std::memset(block.mover, force ? kForceZero : kValueZero, size);
        if (force) std::memset(block.other, 0, size);
    });
}

void LayerSolver::plan_jobs(int n) {
    jobs_.clear();
    first_job_.assign(static_cast<std::size_t>(n) + 2, 0);
    const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
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

SweepBlock LayerSolver::describe(int n, int m, SweepSource* sources) const {
    const Block& block = blocks_[static_cast<std::size_t>(m)];
    const int s = n - m;
    for (int number = 0; number < kPatterns; ++number) {
        const int into = number / 2;
        if (into > m) break;
        const Block& from = blocks_[static_cast<std::size_t>(s + into)];
        sources[number] = {from.mover, from.other, from.stride, &plans_.column(s, number).quiet};
    }
    SweepBlock described;
    described.rows = &plans_.row(m);
    described.row_count = rows_with(m);
    described.column_count = rows_with(s);
    described.sources = sources;
    described.best_mover = block.best_mover;
    described.best_other = block.best_other;
    described.best_stride = block.best_stride;
    described.old_mover = block.mover;
    described.old_other = block.other;
    described.new_mover = block.twin_mover != nullptr ? block.twin_mover : block.mover;
    described.new_other = block.twin_other != nullptr ? block.twin_other : block.other;
    described.stride = block.stride;
    return described;
}

std::uint64_t LayerSolver::visit_specials(std::size_t begin, std::size_t end) {
    std::uint64_t changed = 0;
    const bool force = kind_ == TableKind::force;
    for (std::size_t i = begin; i < end; ++i) {
        const Special& special = specials_[i];
        BestBytes best{special.best_mover, special.best_other};
        for (std::uint32_t k = special.first; k < special.end; ++k) {
            const Block& block = blocks_[static_cast<std::size_t>(successors_[k].block)];
            const std::size_t at = successors_[k].offset;
            best.mover = std::max(best.mover, force ? block.other[at] : block.mover[at]);
            if (force) best.other = std::max(best.other, block.mover[at]);
        }
        const auto mover = static_cast<std::uint8_t>(force ? ~best.mover : -best.mover);
        changed += *special.mover != mover ? 1U : 0U;
        *special.mover = mover;
        if (!force) continue;
        const auto other = static_cast<std::uint8_t>(~best.other);
        changed += *special.other != other ? 1U : 0U;
        *special.other = other;
    }
    return changed;
}

// Blocks whose movers have fewer than half of the seeds read none of each other, so all their jobs may
// run side by side; the others follow one by one, each with its twin.
std::uint64_t LayerSolver::round(int n) {
    std::uint64_t changed = visit_specials(0, specials_of_empty_row_);
    const SweepKernel kernel = kind_ == TableKind::force ? kernels_.force : kernels_.value;
    const auto sources = std::make_unique<std::array<SweepSource, kPatterns>[]>(blocks_.size());
    std::vector<SweepBlock> described(blocks_.size());
    std::vector<std::uint64_t> changes(jobs_.size(), 0);
    int m = 1;
    while (m < n) {
        int end = m + 1;
        while (!reads_itself(n, m) && end < n && !reads_itself(n, end)) ++end;
        for (int b = m; b < end; ++b) {
            const auto at = static_cast<std::size_t>(b);
            described[at] = describe(n, b, sources[at].data());
        }
        const std::size_t first = first_job_[static_cast<std::size_t>(m)];
        crew_.run(first_job_[static_cast<std::size_t>(end)] - first, [&](std::uint64_t i) {
            const Job& job = jobs_[first + i];
            changes[first + i] = kernel(described[static_cast<std::size_t>(job.block)], job.piece);
        });
        for (int b = m; b < end; ++b) {
            Block& block = blocks_[static_cast<std::size_t>(b)];
            if (block.twin_mover == nullptr) continue;
            std::swap(block.mover, block.twin_mover);
            std::swap(block.other, block.twin_other);
        }
        m = end;
    }
    for (const std::uint64_t count : changes) changed += count;
    return changed + visit_specials(specials_of_empty_row_, specials_.size());
}

bool LayerSolver::copy_out(int n, Layer& into) {
    const bool force = kind_ == TableKind::force;
    into.mover = Bytes(boards_with(n));
    if (force) into.other = Bytes(boards_with(n));
    if (!into.mover || (force && !into.other)) return false;
    crew_.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t at) {
        const int m = static_cast<int>(at);
        const Block& block = blocks_[at];
        const std::size_t width = rows_with(m);
        std::uint64_t to = kBlocks.start[static_cast<std::size_t>(n)][at];
        for (std::uint32_t row = 0; row < rows_with(n - m); ++row, to += width) {
            std::memcpy(into.mover.data() + to, block.mover + row * block.stride, width);
            if (force) std::memcpy(into.other.data() + to, block.other + row * block.stride, width);
        }
    });
    return true;
}

bool LayerSolver::solve(int n, const std::vector<Layer>& layers, Layer& into, const StopQuery& stop) {
    lay_out(n);
    plan_jobs(n);
    reset(n);
    fill_best(n, layers);
    list_specials(n, layers);
    rounds_ = 0;
    while (true) {
        if (stop.stopped()) return false;
        ++rounds_;
        if (round(n) == 0) break;
    }
    return copy_out(n, into);
}

}  // namespace wari::detail
