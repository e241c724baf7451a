// What the tablebase says of the moves at the root: see search_tables.hpp.
#include "search_tables.hpp"

#include <algorithm>

namespace wari {

PitSet RootTables::choice() const noexcept {
    if (!known || !bounds.exact()) return kAllMoves;
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

RootTables ask_tables(const RootProblem& problem, std::span<const RootMove> moves) {
    RootTables tables;
    if (!problem.tablebase) return tables;
    const auto probe = problem.tablebase->probe(problem.board, static_cast<int>(problem.history.size()));
    if (!probe.has_value()) return tables;
    tables.known = true;
    tables.quiet_history = !problem.history.empty();
    tables.bounds = {probe->bounds.lower * kSeedUnits, probe->bounds.upper * kSeedUnits};
    tables.distance = probe->distance;
    for (const RootMove& move : moves) {
        TableWord& word = tables.words[static_cast<std::size_t>(move.pit)];
        if (move.decided) {
            word.known = word.proved = word.decided = true;
            word.lower = word.upper = move.captured - move.end.value;
            continue;
        }
        const auto after = problem.tablebase->bounds(move.next);
        if (!after.has_value()) continue;
        word.known = true;
        word.lower = move.captured - after->upper * kSeedUnits;
        word.upper = move.captured - after->lower * kSeedUnits;
        word.proved = move.captured != 0;
        // No move is worth more than the position.
        word.upper = std::min(word.upper, tables.bounds.upper);
        word.lower = std::min(word.lower, word.upper);
    }
    int rank = 0;
    for (int i = 0; i < probe->best_count; ++i) {
        TableWord& word =
            tables.words[static_cast<std::size_t>(probe->best[static_cast<std::size_t>(i)].pit)];
        if (!word.known || word.decided) continue;
        word.rank = rank++;
        // With nothing to force (distance 0) there is no progress to be sure of.
        if (word.rank == 0 && !tables.quiet_history && tables.distance > 0) word.proved = true;
    }
    return tables;
}

Judged judge(const RootTables& tables, const RootMove& move) {
    Judged judged{move.shown.value, move.shown.proof, false};
    const TableWord& word = tables.words[static_cast<std::size_t>(move.pit)];
    if (!tables.known || !word.known || (judged.proof & kBoth) == kBoth) return judged;
    if (judged.value > word.lower && judged.value < word.upper) return judged;
    // What search has proved outranks a guide: a position of the game's past may come up again.
    if (!word.proved && judged.value >= word.upper && (judged.proof & kAtLeast) != 0) return judged;
    if (!word.proved && judged.value <= word.lower && (judged.proof & kAtMost) != 0) return judged;
    const bool exact = word.lower == word.upper;
    const bool low = judged.value <= word.lower;
    judged.value = low ? word.lower : word.upper;
    judged.proof = static_cast<std::uint8_t>((exact ? kBoth : low ? kAtLeast : kAtMost) | kFromTable);
    if (!word.proved) {
        judged.proof = kFromTable;
        judged.history_ignored = true;
    }
    return judged;
}

}  // namespace wari
