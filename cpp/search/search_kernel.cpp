// The alpha-beta recursion. Compiled once for each instruction set, each time in that set's namespace. See
// docs/search.md for the ideas and what each gains.
#include "search_kernel.hpp"

#include <type_traits>

#include "child.hpp"
#include "evaluation.hpp"
#include "late_move_reduction.hpp"
#include "node_accumulator.hpp"

namespace wari::WARI_ISA_NAMESPACE {
namespace {

template <class Evaluator>
class Search {
    static constexpr bool kForProof = std::is_same_v<Evaluator, ProofEvaluator>;

 public:
    Search(SearchThread& thread, const Evaluator& evaluator) : t_(thread), evaluate_(evaluator) {}

    template <bool kPv>
    NodeValue node(const NodePlace& place, std::uint64_t key, int alpha, int beta, int depth);

    NodeValue leaf(const NodePlace& place, const Board& b);

    const TableView& table(const NodePlace& place) const {
        if constexpr (kForProof) return t_.proof_tables[proves(place) ? 0 : 1];
        return t_.table;
    }

 private:
    template <bool kPv>
    NodeValue frontier(const NodePlace& place, int beta);
    template <bool kPv>
    NodeValue inner(const NodePlace& place, std::uint64_t key, int hint, int alpha, int beta, int depth);
    template <bool kPv>
    NodeValue visit(const Child& child, bool first, int move_index, int alpha, int beta, int depth);

    int ply(const NodePlace& place) const { return place.at - t_.root_at; }
    /// Does the side to move in the node want to prove something?
    bool proves(const NodePlace& place) const { return (ply(place) + t_.prover_ply) % 2 == 0; }
    NodeValue evaluate_leaf(const NodePlace& place, const Board& b) const;
    bool usable(const Entry& entry, const NodePlace& place, int depth, BoundSet side) const;
    bool table_bounds(const NodePlace& place, const Board& b, int depth, Bounds& bounds);
    bool pays_to_unpack(int depth) const;
    void make_child(const NodePlace& place, const Board& b, int pit, Child& child);
    int make_children(const NodePlace& place, const Board& b, Child* children);
    void order_moves(const Child* children, int count, int hint, const Board& b, std::uint8_t* order);
    void update_history(const Board& b, const Child& child, int depth);
    void store(const NodePlace& place, std::uint64_t key, const NodeAccumulator& accumulator,
               const NodeValue& result, BoundSet bound, int depth);
    void keep_line(int ply, int pit);

    SearchThread& t_;
    const Evaluator& evaluate_;
};

// May the entry's bound on `side` be taken for the node's value? Its tree must be too shallow to meet a
// position above the node: then the value is the same with this history as with any other.
template <class E>
bool Search<E>::usable(const Entry& entry, const NodePlace& place, int depth, BoundSet side) const {
    if ((entry.bound & side) == 0 || plies_to_recur(place) <= entry.quiet_chain) return false;
    if (t_.full_width) return entry.depth == depth && depth < kMaxEntryDepth;
    return (entry.depth >= depth && depth < kMaxEntryDepth) || (entry.proof & side) != 0;
}

// A block takes as long to unpack as so many nodes to search: it has to save some of them, and all blocks
// together may not take more than a part of the time.
template <class E>
bool Search<E>::pays_to_unpack(int depth) const {
    return depth >= parameters::kUnpackLeastDepth &&
           t_.unpacked * parameters::kNodesABlock <= t_.nodes / parameters::kUnpackOneIn;
}

// Tables know boards without quiet history: those directly after a capture.
template <class E>
bool Search<E>::table_bounds(const NodePlace& place, const Board& b, int depth, Bounds& bounds) {
    const int most = depth >= parameters::kUnpackLeastDepth ? t_.tablebase_seeds : t_.leaf_tablebase_seeds;
    if (place.seeds > most || place.at != place.since) return false;
    bool cold = false;
    auto found = t_.tablebase->kept_bounds(b, cold);
    if (cold) [[unlikely]] {
        if (t_.saves_time && !pays_to_unpack(depth)) return false;
        found = t_.tablebase->bounds(b);
        ++t_.unpacked;
        // So that the clock is looked at as often as ever.
        t_.next_poll = t_.next_poll > t_.nodes + parameters::kNodesABlock
                           ? t_.next_poll - parameters::kNodesABlock
                           : t_.nodes;
    }
    if (!found.has_value()) return false;
    ++t_.table_hits;
    bounds = {found->lower * kSeedUnits, found->upper * kSeedUnits};
    return true;
}

inline int history_column(const Board& b, int pit) {
    const int seeds = seeds_in(b.own, pit);
    return seeds < kHistoryColumns ? seeds : kHistoryColumns - 1;
}

// What a board is worth whose game goes on beyond the horizon.
template <class E>
NodeValue Search<E>::evaluate_leaf(const NodePlace& place, const Board& b) const {
    NodeValue result;
    if constexpr (kForProof) {
        // The side that proves gets nothing more, which is always true as a bound.
        const int most = place.seeds * kSeedUnits;
        result.value = static_cast<std::int16_t>(proves(place) ? -most : most);
        result.proof = proves(place) ? kAtLeast : kAtMost;
    } else {
        result.value = static_cast<std::int16_t>(evaluate_(b, place.seeds));
    }
    return result;
}

// A board at the horizon: the end of the game, what a table says, or the evaluation.
template <class E>
NodeValue Search<E>::leaf(const NodePlace& place, const Board& b) {
    if (!plainly_goes_on(b, t_.rules)) {
        if (place.seeds == 0) return proved_end(0);
        if (legal_pits(b, t_.rules) == 0 && !must_pass(b, t_.rules)) {
            return proved_end(settled_value(b, t_.rules.remainder));
        }
    }
    const NodeValue result = evaluate_leaf(place, b);
    Bounds bounds;
    if (table_bounds(place, b, 0, bounds)) {
        if (bounds.exact()) return table_value(bounds.lower, kBoth);
        if (result.value <= bounds.lower) return table_value(bounds.lower, kAtLeast);
        if (result.value >= bounds.upper) return table_value(bounds.upper, kAtMost);
    }
    return result;
}

// Depth 1: every child is a leaf, made and judged here. No table: remaking costs less than looking up.
// Contract as for node(), with alpha minus infinity.
template <class E>
template <bool kPv>
NodeValue Search<E>::frontier(const NodePlace& place, int beta) {
    const Board b = t_.path[place.at];
    PitSet legal = legal_pits(b, t_.rules);
    if (legal == 0) [[unlikely]] {
        if (!must_pass(b, t_.rules)) return proved_end(settled_value(b, t_.rules.remainder));
        legal = 1U << kPassPit;
    }
    NodeAccumulator accumulator;
    for (PitSet rest = legal; rest != 0; rest &= rest - 1) {
        const int pit = std::countr_zero(rest);
        const Made made = pit == kPassPit ? Made{pass(b)} : make(b, pit, t_.rules);
        ++t_.nodes;
        const int seeds = place.seeds - made.captured;
        ChildValue from_parent;
        if (made.end == MoveEnd::none && plainly_goes_on(made.next, t_.rules) &&
            (made.captured != 0 ? seeds > t_.leaf_tablebase_seeds
                                : (played_after(place.played, pit) != kAllPlayed))) [[likely]] {
            NodePlace after;
            after.at = place.at + 1;
            after.seeds = seeds;
            from_parent = child_value(evaluate_leaf(after, made.next), made.captured * kSeedUnits);
        } else {
            Child child;
            child.next = made.next;
            make_child(place, b, pit, child);
            if (!child.finished) child.value = leaf(child.place, child.next);
            from_parent = child_value(child.value, child.captured);
        }
        accumulator.add(from_parent, pit);
        if (from_parent.value >= beta) break;
    }
    if (ply(place) + 1 > t_.deepest) t_.deepest = ply(place) + 1;
    if constexpr (kPv) {
        t_.lines[ply(place)].length = 1;
        t_.lines[ply(place)].pits[0] = static_cast<std::uint8_t>(accumulator.best_pit);
    }
    return accumulator.best >= beta ? accumulator.cut() : accumulator.all();
}

template <class E>
void Search<E>::make_child(const NodePlace& place, const Board& b, int pit, Child& child) {
    wari::make_child(b, place, pit, t_.rules, child);
    if (child.place.played == kAllPlayed && !child.finished) end_by_repetition(t_.path, t_.rules, child);
}

template <class E>
int Search<E>::make_children(const NodePlace& place, const Board& b, Child* children) {
    PitSet legal = legal_pits(b, t_.rules);
    if (legal == 0) [[unlikely]] {
        if (!must_pass(b, t_.rules)) return 0;
        legal = 1U << kPassPit;
    }
    int count = 0;
    for (PitSet rest = legal; rest != 0; rest &= rest - 1) {
        make_child(place, b, std::countr_zero(rest), children[count++]);
    }
    return count;
}

// Best guess first: the table's move, captures by size, then what has cut elsewhere. The order is
// given as places in `children`.
template <class E>
void Search<E>::order_moves(const Child* children, int count, int hint, const Board& b, std::uint8_t* order) {
    std::int32_t guesses[kPitsPerRow];
    for (int i = 0; i < count; ++i) {
        const Child& child = children[i];
        std::int32_t guess = 0;
        if (child.pit == hint) {
            guess = 1 << 30;
        } else if (child.captured != 0) {
            guess = (1 << 28) + child.captured * 64 + child.pit;
        } else if (child.pit != kPassPit) {
            guess = t_.history[child.pit][history_column(b, child.pit)];
        }
        int to = i;
        for (; to > 0 && guesses[to - 1] < guess; --to) {
            guesses[to] = guesses[to - 1];
            order[to] = order[to - 1];
        }
        guesses[to] = guess;
        order[to] = static_cast<std::uint8_t>(i);
    }
}

template <class E>
void Search<E>::update_history(const Board& b, const Child& child, int depth) {
    if (child.captured != 0 || child.pit == kPassPit) return;
    std::int32_t& history = t_.history[child.pit][history_column(b, child.pit)];
    history += depth * depth;
    if (history > 1 << 26) {
        for (auto& row : t_.history) {
            for (std::int32_t& entry : row) entry /= 2;
        }
    }
}

// A value that rests on a repetition of a position above the node belongs to this history alone, so it
// is never stored; what the best child proves by itself is, as "at least".
template <class E>
void Search<E>::store(const NodePlace& place, std::uint64_t key, const NodeAccumulator& accumulator,
                      const NodeValue& result, BoundSet bound, int depth) {
    Entry entry;
    entry.move = accumulator.best_pit;
    entry.value = result.value;
    entry.bound = bound;
    entry.proof = result.proof & bound;
    entry.quiet_chain = result.quiet_chain;
    entry.depth = depth;
    if (result.repetition_index < place.at) {
        if ((bound & kAtLeast) == 0 || accumulator.best_repetition_index < place.at) return;
        entry.bound = kAtLeast;
        entry.proof &= kAtLeast;
        entry.quiet_chain = accumulator.best_quiet_chain;
    }
    put(table(place), key, entry);
}

template <class E>
void Search<E>::keep_line(int ply, int pit) {
    PvLine& line = t_.lines[ply];
    const PvLine& below = t_.lines[ply + 1];
    line.pits[0] = static_cast<std::uint8_t>(pit);
    const int copied = below.length < kMaxLine - 1 ? below.length : kMaxLine - 1;
    for (int i = 0; i < copied; ++i) line.pits[i + 1] = below.pits[i];
    line.length = copied + 1;
}

// Contract: see SearchKernel. The node's board is path[place.at]; its game has not ended by a move of
// its own or by repetition. `key` is the board's key when depth >= 2 and there is a table.
template <class E>
template <bool kPv>
NodeValue Search<E>::node(const NodePlace& place, std::uint64_t key, int alpha, int beta, int depth) {
    if constexpr (kPv) t_.lines[ply(place)].length = 0;
    if (t_.nodes >= t_.next_poll) {
        t_.poll(t_);
        if (t_.aborted) return {};
    }
    // Nobody can collect more than lies on the board.
    const int most = place.seeds * kSeedUnits;
    if (alpha >= most || beta <= -most) {
        NodeValue result = proved_end(alpha >= most ? most : -most);
        result.proof = alpha >= most ? kAtMost : kAtLeast;
        return result;
    }
    const Board b = t_.path[place.at];
    if (depth <= 0 || ply(place) >= kMaxPly) return leaf(place, b);

    Bounds bounds{-most, most};
    const bool known = table_bounds(place, b, depth, bounds);
    if (known) {
        if (bounds.exact()) return table_value(bounds.lower, kBoth);
        if (bounds.lower >= beta) return table_value(bounds.lower, kAtLeast);
        if (bounds.upper <= alpha) return table_value(bounds.upper, kAtMost);
        if (bounds.lower > alpha) alpha = bounds.lower;
        if (bounds.upper < beta) beta = bounds.upper;
    }
    NodeValue result;
    if (depth == 1) {
        result = frontier<kPv>(place, beta);
    } else {
        int hint = kNoMove;
        if (table(place).words != nullptr) {
            const Entry entry = probe(table(place), key);
            hint = entry.move;
            if constexpr (!kPv) {
                const bool at_least = entry.value >= beta && usable(entry, place, depth, kAtLeast);
                const bool at_most = entry.value <= alpha && usable(entry, place, depth, kAtMost);
                if (at_least || at_most) {
                    result.value = static_cast<std::int16_t>(entry.value);
                    result.proof = static_cast<std::uint8_t>(entry.proof & (at_least ? kAtLeast : kAtMost));
                    result.quiet_chain = static_cast<std::uint8_t>(entry.quiet_chain);
                    return result;
                }
            }
        }
        result = inner<kPv>(place, key, hint, alpha, beta, depth);
    }
    if (known) {
        if (result.value <= bounds.lower)
            return table_value(bounds.lower, static_cast<BoundSet>(kAtLeast | (result.proof & kAtMost)));
        if (result.value >= bounds.upper)
            return table_value(bounds.upper, static_cast<BoundSet>(kAtMost | (result.proof & kAtLeast)));
    }
    return result;
}

// The value of a child, in a null window but for the first one of a PV node, at less depth where that will
// do.
template <class E>
template <bool kPv>
NodeValue Search<E>::visit(const Child& child, bool first, int move_index, int alpha, int beta, int depth) {
    t_.path[child.place.at] = child.next;
    const int low = child.captured - beta;
    const int high = child.captured - alpha;
    if (kPv && first) return node<kPv>(child.place, child.key, low, high, depth - 1);
    const bool less_deep = !kForProof && !t_.full_width;
    const int less = less_deep ? reduction(move_index, depth, child.captured) : 0;
    NodeValue value =
        node<false>(child.place, child.key, high - parameters::kNullWindow, high, depth - 1 - less);
    if (less != 0 && child.captured - value.value > alpha && !t_.aborted) {
        value = node<false>(child.place, child.key, high - parameters::kNullWindow, high, depth - 1);
    }
    const int mine = child.captured - value.value;
    if (kPv && mine > alpha && mine < beta && !t_.aborted) {
        value = node<kPv>(child.place, child.key, low, high, depth - 1);
    }
    return value;
}

template <class E>
template <bool kPv>
NodeValue Search<E>::inner(const NodePlace& place, std::uint64_t key, int hint, int alpha, int beta,
                           int depth) {
    const Board b = t_.path[place.at];
    Child children[kPitsPerRow];
    const int count = make_children(place, b, children);
    if (count == 0) return proved_end(settled_value(b, t_.rules.remainder));
    const bool with_table = table(place).words != nullptr;
    NodeAccumulator accumulator;
    if (with_table && depth >= 3) {
        for (int i = 0; i < count; ++i) {
            if (children[i].finished) continue;
            const TableView& below = table(children[i].place);
            children[i].key = table_key(below, children[i].next);
            prefetch_bucket(below, children[i].key);
        }
    }
    std::uint8_t order[kPitsPerRow];
    std::uint8_t deferred[kPitsPerRow];  // places in the order: another thread has them in work
    order_moves(children, count, hint, b, order);
    const int from = alpha;
    InProgressTable* const busy =
        with_table && depth >= parameters::kInProgressLeastDepth ? t_.busy : nullptr;
    int turns = count;
    for (int turn = 0; turn < turns; ++turn) {
        const int i = turn < count ? turn : deferred[turn - count];
        const Child& child = children[order[i]];
        const bool shared = busy != nullptr && turn > 0 && !child.finished;
        if (shared && !mark_in_progress(*busy, child.key, depth) && turn < count) {
            deferred[turns++ - count] = static_cast<std::uint8_t>(i);
            continue;
        }
        NodeValue value = child.value;
        ++t_.nodes;
        if (!child.finished) {
            value = visit<kPv>(child, turn == 0, i, alpha, beta, depth);
            if (shared) clear_in_progress(*busy, child.key, depth);
            if (t_.aborted) return {};
        } else if constexpr (kPv) {
            t_.lines[ply(place) + 1].length = 0;
        }
        const ChildValue from_parent = child_value(value, child.captured);
        const bool better = from_parent.value > accumulator.best;
        accumulator.add(from_parent, child.pit);
        if (better && from_parent.value > alpha) {
            alpha = from_parent.value;
            if constexpr (kPv) keep_line(ply(place), child.pit);
        }
        if (from_parent.value >= beta) {
            update_history(b, child, depth);
            break;
        }
    }
    const bool cut = accumulator.best >= beta;
    const NodeValue result = cut ? accumulator.cut() : accumulator.all();
    const BoundSet bound = cut ? kAtLeast : accumulator.best > from ? kBoth : kAtMost;
    if (with_table) store(place, key, accumulator, result, bound, depth);
    return result;
}

template <class Evaluator>
NodeValue start(SearchThread& thread, const Evaluator& evaluator, const NodePlace& place, int alpha, int beta,
                int depth, bool pv) {
    Search<Evaluator> search(thread, evaluator);
    const TableView& table = search.table(place);
    const bool keyed = depth >= 2 && table.words != nullptr;
    const std::uint64_t key = keyed ? table_key(table, thread.path[place.at]) : 0;
    return pv ? search.template node<true>(place, key, alpha, beta, depth)
              : search.template node<false>(place, key, alpha, beta, depth);
}

NodeValue with_material(SearchThread& thread, const NodePlace& place, int alpha, int beta, int depth,
                        bool pv) {
    return start(thread, MaterialEvaluator{}, place, alpha, beta, depth, pv);
}

NodeValue with_linear(SearchThread& thread, const NodePlace& place, int alpha, int beta, int depth, bool pv) {
    return start(thread, LinearEvaluator(thread.weights->linear), place, alpha, beta, depth, pv);
}

NodeValue with_network(SearchThread& thread, const NodePlace& place, int alpha, int beta, int depth,
                       bool pv) {
    return start(thread, NetworkEvaluator(thread.weights->network), place, alpha, beta, depth, pv);
}

int value_of(const Network& network, const Board& board, int seeds) {
    return network_value(network, board, seeds);
}

NodeValue for_proof(SearchThread& thread, const NodePlace& place, int alpha, int beta, int depth, bool pv) {
    return start(thread, ProofEvaluator{}, place, alpha, beta, depth, pv);
}

}  // namespace

SearchKernels search_kernels() { return {with_material, with_linear, with_network, for_proof, value_of}; }

}  // namespace wari::WARI_ISA_NAMESPACE
