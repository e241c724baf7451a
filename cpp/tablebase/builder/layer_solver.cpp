// One layer: working memory, the rounds, and the way out. The values of moves that leave the layer are
// in layer_exits.cpp.
#include "layer_solver.hpp"

#include <algorithm>
#include <cstring>

#include "wari/isa.hpp"

namespace wari::detail {
namespace {

constexpr std::uint64_t kJobBoards = 1U << 18;
constexpr std::uint64_t kTailShare = 200;
constexpr double kRoundShare = 0.03;  // some thirty rounds are usual
constexpr double kMostOfLayer = 0.95;
constexpr int kMaxRound = 255;

/// Does the order of blocks let block m read itself?
bool reads_itself(int n, int m) { return m > 0 && m < n && 2 * m >= n; }

struct Sizes {
    std::size_t boards = 0;
    std::size_t twins = 0;
    std::size_t best = 0;
};

std::size_t strips_of(int seeds, int lanes) {
    const auto width = static_cast<std::size_t>(lanes);
    return (rows_with(seeds) + width - 1) / width;
}

Sizes sizes_of(int n, int lanes) {
    Sizes sizes;
    for (int m = 0; m <= n; ++m) {
        const auto width = static_cast<std::size_t>(lanes);
        const std::size_t block = strips_of(m, lanes) * rows_with(n - m) * width;
        sizes.boards += block;
        if (reads_itself(n, m)) sizes.twins += block;
        if (m > 0 && m < n) sizes.best += strips_of(n - m, lanes) * rows_with(m) * width;
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

namespace {

std::size_t working_bytes(TableKind kind, int seeds, int lanes) {
    const Sizes sizes = sizes_of(seeds, lanes);
    return (sizes.boards + sizes.twins + sizes.best) * (kind == TableKind::force ? 2U : 1U);
}

}  // namespace

std::uint64_t LayerSolver::memory_needed(TableKind kind, int seeds, int lanes, int threads) {
    // Measured, with the growth of vectors: changes and marks of the tail, and a board with an empty row.
    constexpr std::uint64_t kTailPart = 8;
    constexpr std::uint64_t kSpecialBytes = 160;
    const std::uint64_t changes = static_cast<std::uint64_t>(threads) *
                                  std::min<std::uint64_t>(kJobBoards, boards_with(seeds)) *
                                  sizeof(SweepChange);
    return Bytes::taken(working_bytes(kind, seeds, lanes)) + changes + boards_with(seeds) / kTailPart +
           2 * rows_with(seeds) * kSpecialBytes;
}

std::uint64_t LayerSolver::marks_needed(int seeds, int lanes) { return sizes_of(seeds, lanes).boards / 8; }

std::uint64_t LayerSolver::rounds_needed(TableKind kind, int seeds, int lanes) {
    return Bytes::taken(sizes_of(seeds, lanes).boards * (kind == TableKind::force ? 2U : 1U));
}

LayerSolver::LayerSolver(const Plans& plans, TableKind kind, int seeds, SweepKernels kernels,
                         WorkerPool& pool)
    : plans_(plans),
      kind_(kind),
      kernels_(kernels),
      pool_(pool),
      memory_(working_bytes(kind, seeds, kernels.lanes)) {
    marked_ = std::make_unique<std::atomic<std::uint64_t>[]>(sizes_of(seeds, kernels.lanes).boards / 64 + 1);
}

std::size_t LayerSolver::place(int m, std::uint32_t opp, std::uint32_t own) const {
    const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
    return own / lanes * blocks_[static_cast<std::size_t>(m)].strip_size + std::size_t{opp} * lanes +
           own % lanes;
}

void LayerSolver::lay_out(int n) {
    std::uint8_t* at = memory_.data();
    const auto take = [&at](std::size_t size) {
        std::uint8_t* taken = at;
        at += size;
        return taken;
    };
    blocks_.assign(static_cast<std::size_t>(n) + 1, {});
    first_bit_.assign(1, 0);
    const auto lanes = static_cast<std::size_t>(kernels_.lanes);
    for (const bool other : {false, true}) {
        if (other && kind_ == TableKind::value) break;
        for (int m = 0; m <= n; ++m) {
            Block& block = blocks_[static_cast<std::size_t>(m)];
            block.strip_size = rows_with(n - m) * lanes;
            block.best_strip_size = rows_with(m) * lanes;
            const std::size_t size = strips_of(m, kernels_.lanes) * block.strip_size;
            (other ? block.other : block.mover) = take(size);
            if (!other) first_bit_.push_back(first_bit_.back() + size);
            if (reads_itself(n, m)) (other ? block.twin_other : block.twin_mover) = take(size);
            if (m == 0 || m == n) continue;
            (other ? block.best_other : block.best_mover) =
                take(strips_of(n - m, kernels_.lanes) * block.best_strip_size);
        }
    }
}

void LayerSolver::reset(int n) {
    pool_.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t m, int) {
        const Block& block = blocks_[m];
        const std::size_t size = strips_of(static_cast<int>(m), kernels_.lanes) * block.strip_size;
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
    described.round = round_mark();
    return described;
}

LayerSolver::BestBytes LayerSolver::negated(const BestBytes& best) const noexcept {
    if (kind_ == TableKind::value) return {static_cast<std::uint8_t>(-best.mover), 0};
    return {static_cast<std::uint8_t>(~best.mover), static_cast<std::uint8_t>(~best.other)};
}

LayerSolver::BestBytes LayerSolver::evaluate(const Special& special) const {
    const bool force = kind_ == TableKind::force;
    BestBytes best{special.best_mover, special.best_other};
    for (std::uint32_t k = special.first; k < special.end; ++k) {
        const Block& block = blocks_[successors_[k].block];
        const std::uint32_t at = successors_[k].offset;
        best.mover = std::max(best.mover, force ? block.other[at] : block.mover[at]);
        if (force) best.other = std::max(best.other, block.mover[at]);
    }
    return negated(best);
}

// In two steps, so that no board of the list sees another one's new bytes.
std::uint64_t LayerSolver::visit_specials(std::size_t begin, std::size_t end, std::vector<Changed>* changes) {
    std::vector<Changed> found;
    evaluate_specials(begin, end, found);
    found = apply(std::move(found));
    if (changes != nullptr) changes->insert(changes->end(), found.begin(), found.end());
    return found.size();
}

int LayerSolver::order_in_round(int n, int own_seeds) noexcept {
    if (own_seeds == 0) return 0;
    return reads_itself(n, own_seeds) || own_seeds == n ? own_seeds + 1 : 1;
}

std::uint8_t LayerSolver::round_mark() const noexcept {
    return static_cast<std::uint8_t>(std::min(rounds_, kMaxRound));
}

bool LayerSolver::record_rounds() {
    std::size_t size = 0;
    for (std::size_t m = 0; m < blocks_.size(); ++m) {
        size += strips_of(static_cast<int>(m), kernels_.lanes) * blocks_[m].strip_size;
    }
    const bool force = kind_ == TableKind::force;
    when_ = Bytes(force ? 2 * size : size);
    if (!when_) return false;
    std::uint8_t* at = when_.data();
    for (std::size_t m = 0; m < blocks_.size(); ++m) {
        const std::size_t bytes = strips_of(static_cast<int>(m), kernels_.lanes) * blocks_[m].strip_size;
        blocks_[m].when_mover = at;
        if (force) blocks_[m].when_other = at + size;
        at += bytes;
    }
    return true;
}

void LayerSolver::note(const Spot& spot, bool mover, bool other) const {
    const Block& block = blocks_[spot.block];
    if (block.when_mover == nullptr) return;
    if (mover) block.when_mover[spot.offset] = round_mark();
    if (other && block.when_other != nullptr) block.when_other[spot.offset] = round_mark();
}

// Blocks whose movers have fewer than half of the seeds read none of each other, so all their jobs may
// run side by side; the others follow one by one, each with its twin.
std::uint64_t LayerSolver::round(int n, std::vector<Changed>* changes) {
    std::uint64_t changed = visit_specials(0, specials_of_empty_row_, changes);
    const SweepKernel kernel = kind_ == TableKind::force ? kernels_.force : kernels_.value;
    const auto sources = std::make_unique<std::array<SweepSource, kPatterns>[]>(blocks_.size());
    std::vector<SweepBlock> described(blocks_.size());
    std::vector<std::uint64_t> counts(jobs_.size(), 0);
    if (changes != nullptr) changes_.resize(static_cast<std::size_t>(pool_.threads()) * kJobBoards);
    std::vector<std::vector<SweepChange>> lists(changes != nullptr ? jobs_.size() : 0);
    int m = 1;
    while (m < n) {
        int end = m + 1;
        while (!reads_itself(n, m) && end < n && !reads_itself(n, end)) ++end;
        for (int b = m; b < end; ++b) {
            const auto at = static_cast<std::size_t>(b);
            described[at] = describe(n, b, sources[at].data());
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
        for (int b = m; b < end; ++b) {
            Block& block = blocks_[static_cast<std::size_t>(b)];
            if (block.twin_mover == nullptr) continue;
            std::swap(block.mover, block.twin_mover);
            std::swap(block.other, block.twin_other);
        }
        m = end;
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        changed += counts[i];
        if (changes == nullptr) continue;
        for (const SweepChange& change : lists[i]) {
            changes->push_back(
                {{static_cast<std::uint32_t>(jobs_[i].block), change.offset}, change.mover, change.other});
        }
    }
    return changed + visit_specials(specials_of_empty_row_, specials_.size(), changes);
}

bool LayerSolver::copy_out(int n, Layer& into, bool last_rounds) {
    const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
    const bool force = kind_ == TableKind::force;
    into.mover = Bytes(boards_with(n));
    if (force) into.other = Bytes(boards_with(n));
    if (!into.mover || (force && !into.other)) return false;
    pool_.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t at, int) {
        const int m = static_cast<int>(at);
        const Block& block = blocks_[at];
        const std::uint32_t width = rows_with(m);
        std::uint64_t to = kBlocks.start[static_cast<std::size_t>(n)][at];
        for (std::uint32_t opp = 0; opp < rows_with(n - m); ++opp) {
            for (std::uint32_t own = 0; own < width; own += lanes) {
                const std::uint32_t size = std::min(lanes, width - own);
                const std::size_t from = place(m, opp, own);
                std::memcpy(into.mover.data() + to, (last_rounds ? block.when_mover : block.mover) + from,
                            size);
                if (force) {
                    std::memcpy(into.other.data() + to, (last_rounds ? block.when_other : block.other) + from,
                                size);
                }
                to += size;
            }
        }
    });
    return true;
}

bool LayerSolver::solve(int n, const std::vector<Layer>& layers, Layer& into,
                        const std::function<void(double)>& report, Layer* last_rounds) {
    lay_out(n);
    if (last_rounds != nullptr && !record_rounds()) return false;
    plan_jobs(n);
    reset(n);
    fill_best(n, layers);
    list_specials(n, layers);
    rounds_ = 0;
    std::uint64_t changed = boards_with(n);
    while (changed != 0) {
        if (pool_.stopped()) return false;
        report(std::min(rounds_ * kRoundShare, kMostOfLayer));
        ++rounds_;
        // Looking at a changed board's predecessors costs as much as sweeping some hundred boards.
        if (changed > boards_with(n) / kTailShare) {
            changed = round(n, nullptr);
            continue;
        }
        std::vector<Changed> changes;
        if (round(n, &changes) != 0) run_tail(n, std::move(changes));
        break;
    }
    if (pool_.stopped()) return false;
    if (last_rounds != nullptr && (rounds_ >= kMaxRound || !copy_out(n, *last_rounds, true))) return false;
    return copy_out(n, into, false) && !pool_.stopped();
}

}  // namespace wari::detail
