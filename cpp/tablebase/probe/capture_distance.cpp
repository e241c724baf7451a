// The two distance searches. The near one: boards are taken up in rings around the root, then numbered
// backwards from those that leave the layer. The rings up to radius L hold every line of up to L plies, so a
// distance of at most L found in them is exact; a larger one may be a detour.
#include "capture_distance.hpp"

#include <algorithm>
#include <vector>

#include "wari/index.hpp"

namespace wari::detail {
namespace {

/// Does this move keep what the attacker has? Nothing when an entry cannot be read.
std::optional<bool> keeps(const DistanceQuery& query, const TableMove& move, int has, bool net,
                          const AttackerGain& gain) {
    const int attacker = query.attacker_to_move ? move.got.mover : move.got.other;
    const int defender = query.attacker_to_move ? move.got.other : move.got.mover;
    int after = net ? attacker - defender : attacker;
    if (!move.ends) {
        const auto rest = gain({move.next, !query.attacker_to_move});
        if (!rest) return std::nullopt;
        after += *rest;
    }
    return after == has;
}

struct Node {
    DistanceQuery query;
    int depth = 0;
    int distance = -1;
    std::uint32_t replies = 0;  ///< quiet moves that keep the value
    std::uint32_t waiting = 0;  ///< of a defender: those that are not numbered yet
    std::uint32_t before = 0;   ///< the latest of the moves that lead here, a number in Search::moves_
    bool leaves = false;        ///< some move that keeps the value leaves the layer
    bool expanded = false;
};

/// The numbers of boards, found by a key. Kept apart from the nodes, so that finding one touches little
/// memory.
class Numbers {
 public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// The number under this key, kNone where there is none.
    std::uint32_t find(std::uint64_t key) const { return slots_[slot(key)].number; }

    /// The same; `fresh` is put there where there was none.
    std::uint32_t find_or_put(std::uint64_t key, std::uint32_t fresh) {
        if (2 * count_ >= slots_.size()) grow();
        Slot& found = slots_[slot(key)];
        if (found.number == kNone) {
            found = {key, fresh};
            ++count_;
        }
        return found.number;
    }

 private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = kNone;
    };

    std::size_t slot(std::uint64_t key) const {
        std::size_t at = static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15ULL) >> shift_);
        while (slots_[at].number != kNone && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        --shift_;
        for (const Slot& one : old) {
            if (one.number != kNone) slots_[slot(one.key)] = one;
        }
    }

    int shift_ = 64 - 7;  // the highest bits of a product are the best mixed
    std::vector<Slot> slots_{std::size_t{1} << 7};
    std::size_t count_ = 0;
};

class Search {
 public:
    explicit Search(const DistanceProblem& problem)
        : rules_(problem.rules), net_(problem.net), gain_(problem.gain), task_(problem.task) {}

    DistanceAnswer run(const DistanceQuery& root, std::size_t limit) {
        node_of(root, 0);
        // Whether the boards are too many is asked at every radius below the distance: only so is each board
        // of a line found near when the one before it was. Numbering, which is slow, waits.
        int next_numbering = 1;
        for (int radius = 1;; ++radius) {
            if (!expand(radius)) return stopped_ ? DistanceAnswer::stopped : DistanceAnswer::unreadable;
            const bool too_many = limit != 0 && nodes_.size() > limit;
            if (!too_many && !complete_ && radius < next_numbering) continue;
            next_numbering = radius + radius / 2 + 1;
            number();
            const int found = nodes_[0].distance;
            if (complete_ || (found >= 0 && found <= radius)) return DistanceAnswer::found;
            if (too_many) return DistanceAnswer::too_many;
        }
    }

    int distance(const DistanceQuery& query) const {
        const std::uint32_t found = numbers_.find(key(query));
        return found == Numbers::kNone ? -1 : nodes_[found].distance;
    }

 private:
    static std::uint64_t key(const DistanceQuery& query) {
        return board_index(query.board) * 2 + (query.attacker_to_move ? 1U : 0U);
    }

    std::uint32_t node_of(const DistanceQuery& query, int depth) {
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        const std::uint32_t number = numbers_.find_or_put(key(query), fresh);
        if (number == fresh) {
            nodes_.emplace_back();
            nodes_.back().query = query;
            nodes_.back().depth = depth;
        }
        return number;
    }

    bool expand(int radius) {
        complete_ = true;
        for (; expanded_ < nodes_.size(); ++expanded_) {
            if (nodes_[expanded_].depth >= radius) {
                complete_ = false;
                return true;
            }
            // A few boards, as each may have to be read from a file.
            if (expanded_ % kBoardsBetweenAsking == 0 && stopped(task_)) {
                stopped_ = true;
                return false;
            }
            if (!expand_one(static_cast<std::uint32_t>(expanded_))) return false;
        }
        return true;
    }

    bool expand_one(std::uint32_t number) {
        const DistanceQuery query = nodes_[number].query;
        const auto has = gain_(query);
        if (!has) return false;
        const TableMoves moves = table_moves(query.board, rules_);
        std::uint32_t replies = 0;
        bool leaves = moves.count == 0;
        for (const TableMove& move : moves) {
            const auto kept = keeps(query, move, *has, net_, gain_);
            if (!kept) return false;
            if (!*kept) continue;
            if (move.quiet()) {
                Node& to = nodes_[node_of({move.next, !query.attacker_to_move}, nodes_[number].depth + 1)];
                moves_.push_back({number, to.before});
                to.before = static_cast<std::uint32_t>(moves_.size() - 1);
                ++replies;
            } else {
                leaves = true;
            }
        }
        nodes_[number].leaves = leaves;
        nodes_[number].replies = replies;
        nodes_[number].expanded = true;
        return true;
    }

    // Numbers the nodes in order of distance: a attacker needs one reply numbered, a defender all.
    void number() {
        std::vector<std::uint32_t> queue;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            Node& node = nodes_[i];
            node.distance = -1;
            node.waiting = node.replies;
            if (!node.expanded || !node.leaves || (!node.query.attacker_to_move && node.waiting != 0))
                continue;
            node.distance = 1;
            queue.push_back(i);
        }
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const int distance = nodes_[queue[at]].distance + 1;
            for (std::uint32_t move = nodes_[queue[at]].before; move != 0; move = moves_[move].other) {
                const std::uint32_t from = moves_[move].from;
                Node& node = nodes_[from];
                if (node.distance >= 0 || (!node.query.attacker_to_move && --node.waiting != 0)) continue;
                node.distance = distance;
                queue.push_back(from);
            }
        }
    }

    static constexpr std::size_t kBoardsBetweenAsking = 16;

    const Rules& rules_;
    bool net_;
    const AttackerGain& gain_;
    const Task<>* task_;
    bool stopped_ = false;
    std::vector<Node> nodes_;
    Numbers numbers_;
    struct QuietMove {
        std::uint32_t from = 0;
        std::uint32_t other = 0;  ///< the next one that leads to the same board; 0: there is none
    };
    std::vector<QuietMove> moves_{1};  // the first is none
    std::size_t expanded_ = 0;
    bool complete_ = false;
};

/// The moves that keep the value: the ones that leave the layer, and the quiet ones with their rounds.
struct Kept {
    bool leaves = false;
    std::array<int, kPitsPerRow> round{};  ///< by the order of table_moves, -1 where not quiet or not kept
    int first = -1;                        ///< quiet move of the earliest round
    int last = -1;                         ///< and of the largest
};

std::optional<Kept> kept_moves(const DistanceQuery& query, const TableMoves& moves, bool net,
                               const AttackerGain& gain, const RoundOf& round_of) {
    Kept kept;
    kept.round.fill(-1);
    const auto has = gain(query);
    if (!has) return std::nullopt;
    for (int i = 0; i < moves.count; ++i) {
        const TableMove& move = moves.moves[static_cast<std::size_t>(i)];
        const auto keep = keeps(query, move, *has, net, gain);
        if (!keep) return std::nullopt;
        if (!*keep) continue;
        if (!move.quiet()) {
            kept.leaves = true;
            continue;
        }
        const int there = round_of({move.next, !query.attacker_to_move});
        kept.round[static_cast<std::size_t>(i)] = there;
        if (kept.first < 0 || there < kept.round[static_cast<std::size_t>(kept.first)]) kept.first = i;
        if (kept.last < 0 || there > kept.round[static_cast<std::size_t>(kept.last)]) kept.last = i;
    }
    return kept;
}

// Plies to the end of the line in which the attacker takes the earliest rounds and the defender the latest.
// Nothing when the work is stopped, or when an entry cannot be read.
std::optional<int> walk(DistanceQuery query, const DistanceProblem& problem, const RoundOf& round_of) {
    for (int plies = 1;; ++plies) {
        if (stopped(problem.task)) return std::nullopt;
        const TableMoves moves = table_moves(query.board, problem.rules);
        const auto kept = kept_moves(query, moves, problem.net, problem.gain, round_of);
        if (!kept) return std::nullopt;
        const int chosen = query.attacker_to_move ? kept->first : kept->last;
        if (moves.count == 0 || chosen < 0 || (query.attacker_to_move && kept->leaves)) return plies;
        const TableMove& move = moves.moves[static_cast<std::size_t>(chosen)];
        if (round_of({move.next, !query.attacker_to_move}) >= round_of(query))
            return plies;  // no step of a forced line
        query = {move.next, !query.attacker_to_move};
    }
}

}  // namespace

DistanceAnswer near_distances(const DistanceProblem& problem, std::size_t limit, Distances& into) {
    const DistanceQuery& root = problem.root;
    const TableMoves moves = table_moves(root.board, problem.rules);
    if (moves.count == 0) return DistanceAnswer::found;
    const auto has = problem.gain(root);
    if (!has) return DistanceAnswer::unreadable;
    Search search(problem);
    const DistanceAnswer answer = search.run(root, limit);
    if (answer != DistanceAnswer::found) return answer;
    into.root = std::max(search.distance(root), 0);
    for (int i = 0; i < moves.count; ++i) {
        const TableMove& move = moves.moves[static_cast<std::size_t>(i)];
        const auto kept = keeps(root, move, *has, problem.net, problem.gain);
        if (!kept) return DistanceAnswer::unreadable;
        if (!*kept) continue;
        const int after = move.quiet() ? search.distance({move.next, !root.attacker_to_move}) : 0;
        into.of_move[static_cast<std::size_t>(i)] = after + 1;  // 0 for a move without progress
        // Distances fall along a line: it meets nothing that is as far or further, or has none.
        const auto off_the_line = [&](const DistanceQuery& query) {
            const int there = search.distance(query);
            return there < 0 || there >= after;
        };
        into.clear[static_cast<std::size_t>(i)] =
            after > 0 && off_the_line(root) && std::ranges::all_of(problem.past, off_the_line);
    }
    return DistanceAnswer::found;
}

DistanceAnswer distances_by_round(const DistanceProblem& problem, const RoundOf& round_of, Distances& into) {
    const DistanceQuery& root = problem.root;
    const TableMoves moves = table_moves(root.board, problem.rules);
    const auto kept = kept_moves(root, moves, problem.net, problem.gain, round_of);
    const auto has = problem.gain(root);
    if (!kept || !has) return DistanceAnswer::unreadable;
    for (int i = 0; i < moves.count; ++i) {
        const TableMove& move = moves.moves[static_cast<std::size_t>(i)];
        const int there = kept->round[static_cast<std::size_t>(i)];
        int& distance = into.of_move[static_cast<std::size_t>(i)];
        if (!move.quiet()) {
            const auto keep = keeps(root, move, *has, problem.net, problem.gain);
            distance = keep && *keep ? 1 : 0;
        } else if (there >= 0 && there < round_of(root) && (!root.attacker_to_move || i == kept->first)) {
            // Of the attacker's quiet moves only the one of the earliest round is a step for certain.
            const auto plies = walk({move.next, !root.attacker_to_move}, problem, round_of);
            if (!plies) return stopped(problem.task) ? DistanceAnswer::stopped : DistanceAnswer::unreadable;
            distance = *plies + 1;
            // Rounds fall along a line, on which the attacker has the same all the way.
            into.clear[static_cast<std::size_t>(i)] =
                std::ranges::all_of(problem.past, [&](const DistanceQuery& query) {
                    return problem.gain(query) != has || round_of(query) >= there;
                });
        }
        into.root = std::max(into.root, distance);
    }
    if (!root.attacker_to_move) return DistanceAnswer::found;
    for (const int distance : into.of_move) {
        if (distance != 0) into.root = std::min(into.root, distance);
    }
    return DistanceAnswer::found;
}

}  // namespace wari::detail
