// The tail of a layer: when few boards still change, only their predecessors are looked at.
//
// A cycle of the tail has three steps, each spread over the pool: evaluate the boards in question
// (nothing is written), write what changed, and mark the predecessors of what changed. A predecessor is
// in question only if the new byte beats what it has, or the old byte was what it had.
#include <algorithm>

#include "layer_solver.hpp"

namespace wari::detail {
namespace {

constexpr std::uint64_t kListJob = 4096;  // boards a job

template <class T>
void join(std::vector<std::vector<T>>& parts, std::vector<T>& all) {
    all.clear();
    for (std::vector<T>& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
        part.clear();
    }
}

}  // namespace

LayerSolver::Place LayerSolver::place_of(int m, std::uint32_t offset) const {
    const Block& block = blocks_[static_cast<std::size_t>(m)];
    const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
    const auto strip_size = static_cast<std::uint32_t>(block.strip_size);
    const std::uint32_t strip = offset / strip_size;
    const std::uint32_t in_strip = offset % strip_size;
    return {in_strip / lanes, strip * lanes + in_strip % lanes};
}

// What the successors within the layer say of a regular board.
LayerSolver::BestBytes LayerSolver::evaluate(int n, int m, std::uint32_t offset) const {
    const Block& block = blocks_[static_cast<std::size_t>(m)];
    const bool force = kind_ == TableKind::force;
    const auto lanes = static_cast<std::uint32_t>(kernels_.lanes);
    const Place at = place_of(m, offset);
    const int s = n - m;
    const std::size_t left =
        at.opp / lanes * block.best_strip_size + std::size_t{at.own} * lanes + at.opp % lanes;
    BestBytes best{block.best_mover[left], force ? block.best_other[left] : std::uint8_t{0}};
    const RowPlan& plan = plans_.row(m);
    for (std::uint32_t k = plan.first[at.own]; k < plan.first[at.own + 1]; ++k) {
        const RowMove& move = plan.moves[k];
        std::uint32_t target = at.opp;
        if (move.pattern != 0) target = plans_.column(s, static_cast<int>(move.pattern)).target[at.opp];
        if (target == kNoTarget) continue;
        const int own = s + static_cast<int>(move.pattern / 2);
        const Block& to = blocks_[static_cast<std::size_t>(own)];
        const std::size_t there = place(own, move.row, target);
        best.mover = std::max(best.mover, force ? to.other[there] : to.mover[there]);
        if (force) best.other = std::max(best.other, to.mover[there]);
    }
    return negated(best);
}

void LayerSolver::mark(int m, std::uint32_t offset, std::vector<Spot>& into) {
    const std::uint64_t bit = first_bit_[static_cast<std::size_t>(m)] + offset;
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    if ((marked_[bit / 64].fetch_or(mask, std::memory_order_relaxed) & mask) != 0) return;
    into.push_back({static_cast<std::uint32_t>(m), offset});
}

void LayerSolver::unmark(const Spot& spot) {
    const std::uint64_t bit = first_bit_[spot.block] + spot.offset;
    marked_[bit / 64].fetch_and(~(std::uint64_t{1} << (bit % 64)), std::memory_order_relaxed);
}

void LayerSolver::mark_predecessors(int n, const Changed& changed, std::vector<Spot>& into) {
    const int own = static_cast<int>(changed.spot.block);  // seeds of the changed board's mover
    const Block& block = blocks_[changed.spot.block];
    const bool force = kind_ == TableKind::force;
    const std::uint8_t new_mover = block.mover[changed.spot.offset];
    const std::uint8_t new_other = force ? block.other[changed.spot.offset] : std::uint8_t{0};
    const Place at = place_of(own, changed.spot.offset);
    const std::uint64_t row = plans_.row_at(own, at.own);
    const RowOrigins& origins = plans_.origins(n - own);
    const auto matters = [](std::uint8_t has, std::uint8_t old, std::uint8_t now) {
        return old != now && (now > has || old == has);
    };
    for (std::uint32_t k = origins.first[at.opp]; k < origins.first[at.opp + 1]; ++k) {
        const RowMove& move = origins.moves[k];
        const int m = n - own + static_cast<int>(move.pattern / 2);
        if (m >= n) continue;  // boards with an empty row are visited in every cycle
        const std::uint32_t column = plans_.column_before(own, row, static_cast<int>(move.pattern));
        if (column == kNoTarget) continue;
        const Block& from = blocks_[static_cast<std::size_t>(m)];
        const auto offset = static_cast<std::uint32_t>(place(m, column, move.row));
        const BestBytes has = negated({from.mover[offset], force ? from.other[offset] : std::uint8_t{0}});
        const bool in_question = force ? matters(has.mover, changed.other, new_other) ||
                                             matters(has.other, changed.mover, new_mover)
                                       : matters(has.mover, changed.mover, new_mover);
        if (in_question) mark(m, offset, into);
    }
}

std::vector<LayerSolver::Changed> LayerSolver::apply(std::vector<Changed> found) {
    const bool force = kind_ == TableKind::force;
    pool_.run((found.size() + kListJob - 1) / kListJob, [&](std::uint64_t job, int) {
        const std::size_t end = std::min(found.size(), static_cast<std::size_t>((job + 1) * kListJob));
        for (std::size_t i = job * kListJob; i < end; ++i) {
            Changed& changed = found[i];
            const Block& block = blocks_[changed.spot.block];
            std::swap(block.mover[changed.spot.offset], changed.mover);
            if (force) std::swap(block.other[changed.spot.offset], changed.other);
            note(changed.spot, block.mover[changed.spot.offset] != changed.mover,
                 force && block.other[changed.spot.offset] != changed.other);
        }
    });
    return found;
}

void LayerSolver::evaluate_specials(std::size_t begin, std::size_t end, std::vector<Changed>& found) const {
    for (std::size_t i = begin; i < end; ++i) {
        const Special& special = specials_[i];
        if (special.first == special.end && rounds_ > 1) continue;  // settled in the first round
        const Block& block = blocks_[special.spot.block];
        const BestBytes now = evaluate(special);
        const bool force = kind_ == TableKind::force;
        if (now.mover == block.mover[special.spot.offset] &&
            (!force || now.other == block.other[special.spot.offset])) {
            continue;
        }
        found.push_back({special.spot, now.mover, now.other});
    }
}

void LayerSolver::run_tail(int n, std::vector<Changed> changed) {
    const bool force = kind_ == TableKind::force;
    std::vector<Spot> spots;
    std::vector<std::vector<Spot>> spot_parts;
    std::vector<std::vector<Changed>> found_parts;
    while (!pool_.stopped()) {
        ++rounds_;
        const std::uint64_t mark_jobs = (changed.size() + kListJob - 1) / kListJob;
        spot_parts.resize(mark_jobs);
        pool_.run(mark_jobs, [&](std::uint64_t job, int) {
            const std::size_t end = std::min(changed.size(), static_cast<std::size_t>((job + 1) * kListJob));
            for (std::size_t i = job * kListJob; i < end; ++i)
                mark_predecessors(n, changed[i], spot_parts[job]);
        });
        join(spot_parts, spots);
        const std::uint64_t jobs = (spots.size() + kListJob - 1) / kListJob;
        found_parts.resize(jobs + 1);
        pool_.run(jobs + 1, [&](std::uint64_t job, int) {
            if (job == jobs) {
                evaluate_specials(0, specials_.size(), found_parts[job]);
                return;
            }
            const std::size_t end = std::min(spots.size(), static_cast<std::size_t>((job + 1) * kListJob));
            for (std::size_t i = job * kListJob; i < end; ++i) {
                const Spot& spot = spots[i];
                unmark(spot);
                const Block& block = blocks_[spot.block];
                const BestBytes now = evaluate(n, static_cast<int>(spot.block), spot.offset);
                if (now.mover != block.mover[spot.offset] ||
                    (force && now.other != block.other[spot.offset])) {
                    found_parts[job].push_back({spot, now.mover, now.other});
                }
            }
        });
        std::vector<Changed> found;
        join(found_parts, found);
        if (found.empty()) return;
        changed = apply(std::move(found));
    }
}

}  // namespace wari::detail
