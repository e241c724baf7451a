// The distance search: boards are taken up in rings around the root, then numbered backwards from those
// that leave the layer. A ring of radius L holds every line of up to L plies, so a distance found within
// it is exact.
#include "table_distance.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "wari/index.hpp"

namespace wari::detail {
namespace {

constexpr int kFirstRadius = 4;

struct Node {
    Quest quest;
    int depth = 0;
    int distance = -1;
    std::uint32_t waiting = 0;  ///< of a defender: quiet replies that are not numbered yet
    bool leaves = false;        ///< some move that keeps the value leaves the layer
    bool expanded = false;
    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> before;
};

class Search {
 public:
    Search(const Rules& rules, bool net, const SeekerGain& gain) : rules_(rules), net_(net), gain_(gain) {}

    bool run(const Quest& root) {
        node_of(root, 0);
        for (int radius = kFirstRadius;; radius *= 2) {
            if (!expand(radius)) return false;
            number();
            if (nodes_[0].distance >= 0 || complete_) return true;
        }
    }

    int distance(const Quest& quest) const {
        const auto found = numbers_.find(key(quest));
        return found == numbers_.end() ? -1 : nodes_[found->second].distance;
    }

    /// Does this move keep what the seeker has? Nothing when an entry cannot be read.
    std::optional<bool> keeps(const Quest& quest, const TableMove& move, int gain) const {
        const int seeker = quest.seeking ? move.got.mover : move.got.other;
        const int defender = quest.seeking ? move.got.other : move.got.mover;
        int after = net_ ? seeker - defender : seeker;
        if (!move.ends) {
            const auto rest = gain_({move.next, !quest.seeking});
            if (!rest) return std::nullopt;
            after += *rest;
        }
        return after == gain;
    }

 private:
    static std::uint64_t key(const Quest& quest) {
        return board_index(quest.board) * 2 + (quest.seeking ? 1U : 0U);
    }

    std::uint32_t node_of(const Quest& quest, int depth) {
        const auto [at, fresh] = numbers_.try_emplace(key(quest), static_cast<std::uint32_t>(nodes_.size()));
        if (fresh) {
            nodes_.emplace_back();
            nodes_.back().quest = quest;
            nodes_.back().depth = depth;
        }
        return at->second;
    }

    bool expand(int radius) {
        complete_ = true;
        for (; expanded_ < nodes_.size(); ++expanded_) {
            if (nodes_[expanded_].depth >= radius) {
                complete_ = false;
                return true;
            }
            if (!expand_one(static_cast<std::uint32_t>(expanded_))) return false;
        }
        return true;
    }

    bool expand_one(std::uint32_t number) {
        const Quest quest = nodes_[number].quest;
        const auto gain = gain_(quest);
        if (!gain) return false;
        const TableMoves moves = table_moves(quest.board, rules_);
        std::vector<std::uint32_t> next;
        bool leaves = moves.count == 0;
        for (const TableMove& move : moves) {
            const auto kept = keeps(quest, move, *gain);
            if (!kept) return false;
            if (!*kept) continue;
            if (move.quiet()) {
                next.push_back(node_of({move.next, !quest.seeking}, nodes_[number].depth + 1));
            } else {
                leaves = true;
            }
        }
        for (const std::uint32_t to : next) nodes_[to].before.push_back(number);
        nodes_[number].leaves = leaves;
        nodes_[number].next = std::move(next);
        nodes_[number].expanded = true;
        return true;
    }

    // Numbers the nodes in order of distance: a seeker needs one reply numbered, a defender all.
    void number() {
        std::vector<std::uint32_t> queue;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            Node& node = nodes_[i];
            node.distance = -1;
            node.waiting = static_cast<std::uint32_t>(node.next.size());
            if (!node.expanded || !node.leaves || (!node.quest.seeking && node.waiting != 0)) continue;
            node.distance = 1;
            queue.push_back(i);
        }
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const int distance = nodes_[queue[at]].distance + 1;
            for (const std::uint32_t i : nodes_[queue[at]].before) {
                Node& node = nodes_[i];
                if (node.distance >= 0 || (!node.quest.seeking && --node.waiting != 0)) continue;
                node.distance = distance;
                queue.push_back(i);
            }
        }
    }

    const Rules& rules_;
    bool net_;
    const SeekerGain& gain_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::size_t expanded_ = 0;
    bool complete_ = false;
};

}  // namespace

std::optional<Distances> find_distances(const Quest& root, const Rules& rules, bool net,
                                        const SeekerGain& gain) {
    const TableMoves moves = table_moves(root.board, rules);
    if (moves.count == 0) return Distances{};
    const auto wanted = gain(root);
    Search search(rules, net, gain);
    if (!wanted || !search.run(root)) return std::nullopt;
    Distances distances;
    distances.root = std::max(search.distance(root), 0);
    for (int i = 0; i < moves.count; ++i) {
        const TableMove& move = moves.moves[static_cast<std::size_t>(i)];
        const auto kept = search.keeps(root, move, *wanted);
        if (!kept) return std::nullopt;
        if (!*kept) continue;
        const int after = move.quiet() ? search.distance({move.next, !root.seeking}) : 0;
        distances.of_move[static_cast<std::size_t>(i)] = after + 1;  // 0 for a move without progress
    }
    return distances;
}

}  // namespace wari::detail
