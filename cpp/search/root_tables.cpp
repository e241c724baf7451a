// What the tablebase says of the moves at the root: see root_tables.hpp.
#include "root_tables.hpp"

#include <algorithm>

#include "game_end.hpp"

namespace wari {

PitSet RootTables::choice() const noexcept {
    if (!known) return kAllMoves;
    return bounds.exact() ? keeping_the_value() : with_the_highest_floor();
}

PitSet RootTables::keeping_the_value() const noexcept {
    int best = -kInfinite;
    for (const TableVerdict& verdict : verdicts) {
        if (verdict.known) best = std::max(best, verdict.lower);
    }
    PitSet pits = 0;
    for (int pit = 0; pit <= kPassPit; ++pit) {
        const TableVerdict& verdict = verdicts[static_cast<std::size_t>(pit)];
        if (!verdict.known || verdict.lower < best) continue;
        if (sure() && verdict.rank == 0) return 1U << pit;
        pits |= 1U << pit;
    }
    return pits != 0 ? pits : kAllMoves;
}

// With quiet plies behind the root it may be that nothing is sure of what the table says; then every move
// that may keep as much as is sure is left, for search to choose.
PitSet RootTables::with_the_highest_floor() const noexcept {
    int floor = -kInfinite;
    int most = -kInfinite;
    for (const TableVerdict& verdict : verdicts) {
        if (!verdict.known) continue;
        most = std::max(most, verdict.lower);
        if (verdict.sure) floor = std::max(floor, verdict.lower);
    }
    const bool all_is_sure = floor >= most;
    if (!all_is_sure && !quiet_history) floor = most;
    PitSet pits = 0;
    for (int pit = 0; pit <= kPassPit; ++pit) {
        const TableVerdict& verdict = verdicts[static_cast<std::size_t>(pit)];
        if (verdict.known && verdict.lower >= floor && (verdict.sure || !all_is_sure)) pits |= 1U << pit;
    }
    return pits != 0 ? pits : kAllMoves;
}

bool RootTables::settled() const noexcept {
    if (!known || !distance_known) return false;
    const PitSet pits = choice();
    bool all_sure = true;
    bool first_sure = false;
    int count = 0;
    for (int pit = 0; pit <= kPassPit; ++pit) {
        const TableVerdict& verdict = verdicts[static_cast<std::size_t>(pit)];
        if (!verdict.known || (pits >> pit & 1U) == 0) continue;
        ++count;
        all_sure = all_sure && verdict.sure;
        if (verdict.rank == 0 && verdict.sure) first_sure = true;
    }
    if (!quiet_history) return all_sure && (count == 1 || bounds.exact());
    if (!bounds.exact()) return all_sure && count == 1;
    // In a value table the other side loses nothing by a cycle, so with any past it keeps what it has.
    return kind == TableKind::value && bounds.lower >= 0 && first_sure;
}

namespace {

TableVerdict verdict_of(const RootTables& tables, const RootMove& move, const Tablebase& tablebase) {
    TableVerdict verdict;
    if (move.finished) {
        verdict.known = verdict.at_least = verdict.at_most = verdict.sure = verdict.finished = true;
        verdict.lower = verdict.upper = move.captured - move.value.value;
        return verdict;
    }
    const auto after = tablebase.bounds(move.next);
    if (!after.has_value()) return verdict;
    verdict.known = true;
    verdict.lower = move.captured - after->upper * kSeedUnits;
    verdict.upper = move.captured - after->lower * kSeedUnits;
    verdict.at_least = verdict.at_most = verdict.sure = move.captured != 0;
    // No move is worth more than the position.
    verdict.upper = std::min(verdict.upper, tables.bounds.upper);
    verdict.lower = std::min(verdict.lower, verdict.upper);
    if (!tables.quiet_history && verdict.upper == tables.bounds.upper) verdict.at_most = true;
    return verdict;
}

// A quiet line that ends before anything of the past can come up again meets none of it.
bool too_short_to_recur(const ProbeMove& best, const RootMove& move) {
    return best.distance > 0 && best.distance - 1 <= plies_to_recur(move.place);
}

}  // namespace

RootTables ask_tables(const RootProblem& problem, std::span<const RootMove> moves, ProbeOptions options) {
    RootTables tables;
    if (!problem.tablebase) return tables;
    options.quiet_plies = static_cast<int>(problem.history.size());
    options.past = problem.history;
    const auto probe = problem.tablebase->probe(problem.board, options);
    if (!probe.has_value()) return tables;
    tables.known = true;
    tables.kind = problem.tablebase->kind();
    tables.quiet_history = !problem.history.empty();
    tables.bounds = {probe->bounds.lower * kSeedUnits, probe->bounds.upper * kSeedUnits};
    tables.distance = probe->distance;
    tables.distance_known = probe->distance_known;
    for (const RootMove& move : moves) {
        tables.verdicts[static_cast<std::size_t>(move.pit)] = verdict_of(tables, move, *problem.tablebase);
    }
    int rank = 0;
    for (int i = 0; i < probe->best_count; ++i) {
        const ProbeMove& best = probe->best[static_cast<std::size_t>(i)];
        TableVerdict& verdict = tables.verdicts[static_cast<std::size_t>(best.pit)];
        if (!verdict.known || verdict.finished) continue;
        verdict.rank = rank++;
        const auto move = std::ranges::find(moves, best.pit, &RootMove::pit);
        if (best.sure || (probe->past_no_better && too_short_to_recur(best, *move))) verdict.sure = true;
        // With nothing to force (distance 0) there is no progress to be sure of.
        if (verdict.sure && best.distance > 0 && !tables.quiet_history) verdict.at_least = true;
    }
    return tables;
}

RootScore score_of_root_move(const RootTables& tables, const RootMove& move) {
    RootScore root_score{move.shown.value, move.shown.proof, false};
    const TableVerdict& verdict = tables.verdicts[static_cast<std::size_t>(move.pit)];
    if (!tables.known || !verdict.known || (root_score.proof & kBoth) == kBoth) return root_score;
    if (root_score.value > verdict.lower && root_score.value < verdict.upper) return root_score;
    // What search has proved outranks a guide: a position of the game's past may come up again.
    const bool low = root_score.value <= verdict.lower;
    if (low && !verdict.at_least && (root_score.proof & kAtMost) != 0) return root_score;
    if (!low && !verdict.at_most && (root_score.proof & kAtLeast) != 0) return root_score;
    root_score.value = low ? verdict.lower : verdict.upper;
    root_score.proof = kFromTable;
    if (verdict.at_least && root_score.value == verdict.lower) root_score.proof |= kAtLeast;
    if (verdict.at_most && root_score.value == verdict.upper) root_score.proof |= kAtMost;
    root_score.history_ignored = (root_score.proof & kBoth) == 0;
    return root_score;
}

}  // namespace wari
