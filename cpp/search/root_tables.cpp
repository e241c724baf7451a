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
    for (const TableWord& word : words) {
        if (word.known) best = std::max(best, word.lower);
    }
    PitSet pits = 0;
    for (int pit = 0; pit <= kPassPit; ++pit) {
        const TableWord& word = words[static_cast<std::size_t>(pit)];
        if (!word.known || word.lower < best) continue;
        if (sure() && word.rank == 0) return 1U << pit;
        pits |= 1U << pit;
    }
    return pits != 0 ? pits : kAllMoves;
}

// With quiet plies behind the root it may be that nothing is sure of what the table says; then every move
// that may keep as much as is sure is left, for search to choose.
PitSet RootTables::with_the_highest_floor() const noexcept {
    int floor = -kInfinite;
    int most = -kInfinite;
    for (const TableWord& word : words) {
        if (!word.known) continue;
        most = std::max(most, word.lower);
        if (word.sure) floor = std::max(floor, word.lower);
    }
    const bool all_is_sure = floor >= most;
    if (!all_is_sure && !quiet_history) floor = most;
    PitSet pits = 0;
    for (int pit = 0; pit <= kPassPit; ++pit) {
        const TableWord& word = words[static_cast<std::size_t>(pit)];
        if (word.known && word.lower >= floor && (word.sure || !all_is_sure)) pits |= 1U << pit;
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
        const TableWord& word = words[static_cast<std::size_t>(pit)];
        if (!word.known || (pits >> pit & 1U) == 0) continue;
        ++count;
        all_sure = all_sure && word.sure;
        if (word.rank == 0 && word.sure) first_sure = true;
    }
    if (!quiet_history) return all_sure && (count == 1 || bounds.exact());
    if (!bounds.exact()) return all_sure && count == 1;
    // In a value table the other side loses nothing by a cycle, so with any past it keeps what it has.
    return kind == TableKind::value && bounds.lower >= 0 && first_sure;
}

namespace {

TableWord word_of(const RootTables& tables, const RootMove& move, const Tablebase& tablebase) {
    TableWord word;
    if (move.decided) {
        word.known = word.at_least = word.at_most = word.sure = word.decided = true;
        word.lower = word.upper = move.captured - move.end.value;
        return word;
    }
    const auto after = tablebase.bounds(move.next);
    if (!after.has_value()) return word;
    word.known = true;
    word.lower = move.captured - after->upper * kSeedUnits;
    word.upper = move.captured - after->lower * kSeedUnits;
    word.at_least = word.at_most = word.sure = move.captured != 0;
    // No move is worth more than the position.
    word.upper = std::min(word.upper, tables.bounds.upper);
    word.lower = std::min(word.lower, word.upper);
    if (!tables.quiet_history && word.upper == tables.bounds.upper) word.at_most = true;
    return word;
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
        tables.words[static_cast<std::size_t>(move.pit)] = word_of(tables, move, *problem.tablebase);
    }
    int rank = 0;
    for (int i = 0; i < probe->best_count; ++i) {
        const ProbeMove& best = probe->best[static_cast<std::size_t>(i)];
        TableWord& word = tables.words[static_cast<std::size_t>(best.pit)];
        if (!word.known || word.decided) continue;
        word.rank = rank++;
        const auto move = std::ranges::find(moves, best.pit, &RootMove::pit);
        if (best.sure || (probe->past_no_better && too_short_to_recur(best, *move))) word.sure = true;
        // With nothing to force (distance 0) there is no progress to be sure of.
        if (word.sure && best.distance > 0 && !tables.quiet_history) word.at_least = true;
    }
    return tables;
}

Judged judge(const RootTables& tables, const RootMove& move) {
    Judged judged{move.shown.value, move.shown.proof, false};
    const TableWord& word = tables.words[static_cast<std::size_t>(move.pit)];
    if (!tables.known || !word.known || (judged.proof & kBoth) == kBoth) return judged;
    if (judged.value > word.lower && judged.value < word.upper) return judged;
    // What search has proved outranks a guide: a position of the game's past may come up again.
    const bool low = judged.value <= word.lower;
    if (low && !word.at_least && (judged.proof & kAtMost) != 0) return judged;
    if (!low && !word.at_most && (judged.proof & kAtLeast) != 0) return judged;
    judged.value = low ? word.lower : word.upper;
    judged.proof = kFromTable;
    if (word.at_least && judged.value == word.lower) judged.proof |= kAtLeast;
    if (word.at_most && judged.value == word.upper) judged.proof |= kAtMost;
    judged.history_ignored = (judged.proof & kBoth) == 0;
    return judged;
}

}  // namespace wari
