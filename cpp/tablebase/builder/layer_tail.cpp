// The cycles of the tail.
#include "layer_tail.hpp"

#include <algorithm>

namespace wari::detail {
namespace {

constexpr std::uint64_t kListJob = 4096;  // boards a job

std::uint64_t jobs_for(std::size_t boards) { return (boards + kListJob - 1) / kListJob; }

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& parts) {
    std::size_t size = 0;
    for (const std::vector<T>& part : parts) size += part.size();
    std::vector<T> all;
    all.reserve(size);
    for (const std::vector<T>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

LayerTail::LayerTail(const Plans& plans, LayerMemory& memory, const OneSidedBoards& one_sided,
                     WorkerPool& pool, std::size_t board_bytes)
    : plans_(plans),
      memory_(memory),
      one_sided_(one_sided),
      pool_(pool),
      marked_(std::make_unique<std::atomic<std::uint64_t>[]>(board_bytes / 64 + 1)) {}

// What the successors of a board with seeds in both rows say of it.
EntryBytes LayerTail::evaluate(const BoardSpot& spot) const {
    const int m = static_cast<int>(spot.block);
    const int s = memory_.seeds() - m;
    const RowRanks ranks = memory_.ranks_of(spot);
    EntryBytes best = memory_.best_at(spot, ranks);
    const RowPlan& plan = plans_.row(m);
    for (std::uint32_t k = plan.first[ranks.own]; k < plan.first[ranks.own + 1]; ++k) {
        const RowMove& move = plan.moves[k];
        std::uint32_t target = ranks.opp;
        if (move.pattern != 0) target = plans_.column(s, static_cast<int>(move.pattern)).target[ranks.opp];
        if (target == kNoTarget) continue;
        const int own = s + static_cast<int>(move.pattern / 2);
        memory_.raise(best, own, memory_.offset_of(own, move.row, target));
    }
    return memory_.negated(best);
}

void LayerTail::mark(const BoardSpot& spot, std::vector<BoardSpot>& into) {
    const std::uint64_t bit = memory_.bytes_before(static_cast<int>(spot.block)) + spot.offset;
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    if ((marked_[bit / 64].fetch_or(mask, std::memory_order_relaxed) & mask) != 0) return;
    into.push_back(spot);
}

void LayerTail::unmark(const BoardSpot& spot) {
    const std::uint64_t bit = memory_.bytes_before(static_cast<int>(spot.block)) + spot.offset;
    marked_[bit / 64].fetch_and(~(std::uint64_t{1} << (bit % 64)), std::memory_order_relaxed);
}

void LayerTail::mark_predecessors(const ChangedBoard& changed, std::vector<BoardSpot>& into) {
    const int n = memory_.seeds();
    const int own = static_cast<int>(changed.spot.block);  // seeds of the changed board's mover
    const EntryBytes now = memory_.at(changed.spot);
    const EntryBytes& old = changed.bytes;
    const RowRanks at = memory_.ranks_of(changed.spot);
    const std::uint64_t row = plans_.row_at(own, at.own);
    const RowOrigins& origins = plans_.origins(n - own);
    const auto matters = [](std::uint8_t has, std::uint8_t before, std::uint8_t after) {
        return before != after && (after > has || before == has);
    };
    for (std::uint32_t k = origins.first[at.opp]; k < origins.first[at.opp + 1]; ++k) {
        const RowMove& move = origins.moves[k];
        const int m = n - own + static_cast<int>(move.pattern / 2);
        if (m >= n) continue;  // boards with an empty row are visited in every cycle
        const std::uint32_t column = plans_.column_before(own, row, static_cast<int>(move.pattern));
        if (column == kNoTarget) continue;
        const BoardSpot from{static_cast<std::uint32_t>(m), memory_.offset_of(m, column, move.row)};
        const EntryBytes has = memory_.negated(memory_.at(from));
        const bool in_question = memory_.force() ? matters(has.mover, old.other, now.other) ||
                                                       matters(has.other, old.mover, now.mover)
                                                 : matters(has.mover, old.mover, now.mover);
        if (in_question) mark(from, into);
    }
}

void LayerTail::mark_all(const std::vector<ChangedBoard>& changed, std::vector<BoardSpot>& spots) {
    std::vector<std::vector<BoardSpot>> parts(jobs_for(changed.size()));
    pool_.run(parts.size(), [&](std::uint64_t job, int) {
        const std::size_t end = std::min(changed.size(), static_cast<std::size_t>((job + 1) * kListJob));
        for (std::size_t i = job * kListJob; i < end; ++i) mark_predecessors(changed[i], parts[job]);
    });
    spots = joined(parts);
}

std::vector<ChangedBoard> LayerTail::evaluate_all(const std::vector<BoardSpot>& spots) {
    const std::uint64_t jobs = jobs_for(spots.size());
    std::vector<std::vector<ChangedBoard>> parts(jobs + 1);
    pool_.run(jobs + 1, [&](std::uint64_t job, int) {
        if (job == jobs) {
            one_sided_.evaluate(0, one_sided_.size(), parts[job]);
            return;
        }
        const std::size_t end = std::min(spots.size(), static_cast<std::size_t>((job + 1) * kListJob));
        for (std::size_t i = job * kListJob; i < end; ++i) {
            unmark(spots[i]);
            const EntryBytes now = evaluate(spots[i]);
            if (memory_.differs(now, memory_.at(spots[i]))) parts[job].push_back({spots[i], now});
        }
    });
    return joined(parts);
}

void LayerTail::write(std::vector<ChangedBoard>& changed) {
    pool_.run(jobs_for(changed.size()), [&](std::uint64_t job, int) {
        const std::size_t end = std::min(changed.size(), static_cast<std::size_t>((job + 1) * kListJob));
        for (std::size_t i = job * kListJob; i < end; ++i) memory_.write(changed[i]);
    });
}

int LayerTail::run(std::vector<ChangedBoard> changed, int rounds) {
    std::vector<BoardSpot> spots;
    while (!pool_.stopped()) {
        memory_.set_round(++rounds);
        mark_all(changed, spots);
        changed = evaluate_all(spots);
        if (changed.empty()) break;
        write(changed);
    }
    return rounds;
}

}  // namespace wari::detail
