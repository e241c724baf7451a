// Iterative deepening over the root moves, for one thread: see root_search.hpp.
#include "root_search.hpp"

#include <algorithm>
#include <utility>

#include "parameters.hpp"
#include "wari/isa.hpp"

namespace wari {
namespace {

using namespace parameters;

// The pit that leads from one board to the next, kPassPit for a pass.
int pit_between(const Board& from, const Board& to, const Rules& rules) {
    for (PitSet rest = playable(from.own); rest != 0; rest &= rest - 1) {
        const int pit = std::countr_zero(rest);
        if (make(from, pit, rules).next == to) return pit;
    }
    return kPassPit;
}

bool better(const RootMove& a, const RootMove& b) { return a.shown.value > b.shown.value; }

}  // namespace

SearchKernels best_search_kernels() {
#ifdef WARI_X86_KERNELS
    if (best_isa() >= Isa::v4) return v4::search_kernels();
    if (best_isa() >= Isa::v3) return v3::search_kernels();
#endif
    return portable::search_kernels();
}

RootSearch::RootSearch(const RootProblem& problem, SearchControl& control, int thread_number)
    : problem_(problem),
      control_(control),
      number_(thread_number),
      thread_(std::make_unique<SearchThread>()) {
    SearchThread& t = *thread_;
    t.rules = problem.rules;
    t.table = problem.table;
    t.proof_tables[0] = problem.proof_tables[0];
    t.proof_tables[1] = problem.proof_tables[1];
    t.prover_ply = problem.prover_ply;
    t.tablebase = problem.tablebase.get();
    t.tablebase_seeds = problem.tablebase ? problem.tablebase->seeds() : -1;
    t.leaf_tablebase_seeds = t.tablebase_seeds;
    t.saves_time = problem.saves_time;
    t.weights = problem.weights;
    t.full_width = problem.full_width;
    t.busy = problem.busy;
    make_path();
    lines_.resize(kMaxPly + 2);
    t.lines = lines_.data();
    t.poll = poll;
    t.owner = this;
    make_moves();
}

void RootSearch::make_path() {
    SearchThread& t = *thread_;
    path_ = problem_.history;
    path_.push_back(problem_.board);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
        root_.played = played_after(root_.played, pit_between(path_[i], path_[i + 1], problem_.rules));
    }
    root_.at = static_cast<std::int32_t>(problem_.history.size());
    root_.seeds = board_seeds(problem_.board);
    path_.resize(path_.size() + kMaxPly + 2);
    t.path = path_.data();
    t.root_at = root_.at;
}

void RootSearch::make_moves() {
    const Board& b = problem_.board;
    PitSet legal = legal_pits(b, problem_.rules);
    if (legal == 0) legal = 1U << kPassPit;
    for (PitSet rest = legal & problem_.only; rest != 0; rest &= rest - 1) {
        RootMove move;
        make_child(b, root_, std::countr_zero(rest), problem_.rules, move);
        if (!move.finished && move.captured == 0) end_by_repetition(path_.data(), problem_.rules, move);
        moves_.push_back(move);
    }
    // Captures first, largest first; then by pit, so that the order is the same everywhere.
    std::stable_sort(moves_.begin(), moves_.end(),
                     [](const RootMove& a, const RootMove& c) { return a.captured > c.captured; });
    choose_among(problem_.first_line);
}

void RootSearch::poll(SearchThread& thread) {
    RootSearch& self = *static_cast<RootSearch*>(thread.owner);
    SearchControl& control = self.control_;
    self.report_counts();
    const std::uint64_t done = control.nodes.load(std::memory_order_relaxed);
    if (self.may_stop_) {
        if (done >= control.node_limit) control.stop.store(true, std::memory_order_relaxed);
        if (self.number_ == 0 && control.out_of_time != nullptr && control.out_of_time(control.context)) {
            control.stop.store(true, std::memory_order_relaxed);
        }
        if (control.stop.load(std::memory_order_relaxed)) thread.aborted = true;
        if (self.number_ != 0 && control.helpers_stop.load(std::memory_order_relaxed)) thread.aborted = true;
    }
    // One thread stops at the limit itself; what several have not reported yet stays below a hundredth of it.
    std::uint64_t next = kPollInterval;
    if (control.node_limit != ~std::uint64_t{0}) {
        const auto threads = static_cast<std::uint64_t>(control.threads);
        const std::uint64_t left = control.node_limit > done ? control.node_limit - done : 0;
        next = std::min({next, left, threads == 1 ? left : control.node_limit / (200 * threads)});
    }
    thread.next_poll = thread.nodes + std::max<std::uint64_t>(next, 1);
}

void RootSearch::report_counts() noexcept {
    const SearchThread& t = *thread_;
    control_.nodes.fetch_add(t.nodes - std::exchange(reported_nodes_, t.nodes), std::memory_order_relaxed);
    const std::uint64_t hits = t.table_hits;
    control_.table_hits.fetch_add(hits - std::exchange(reported_table_hits_, hits),
                                  std::memory_order_relaxed);
    int known = control_.deepest.load(std::memory_order_relaxed);
    while (known < t.deepest &&
           !control_.deepest.compare_exchange_weak(known, t.deepest, std::memory_order_relaxed)) {
    }
}

NodeValue RootSearch::search_move(RootMove& move, int alpha, int beta, int depth, bool pv) {
    SearchThread& t = *thread_;
    ++t.nodes;
    if (move.finished) {
        t.lines[1].length = 0;
        return move.value;
    }
    t.path[move.place.at] = move.next;
    return problem_.kernel(t, move.place, move.captured - beta, move.captured - alpha, depth - 1, pv);
}

void RootSearch::keep(RootMove& move, const NodeValue& value, int alpha, int beta, int depth) {
    const int from_root = move.captured - value.value;
    const std::uint8_t proof = turned_proof(value.proof);
    if ((proof & kAtMost) != 0) move.at_most = std::min(move.at_most, from_root);
    if ((proof & kAtLeast) != 0) move.at_least = std::max(move.at_least, from_root);
    if (from_root <= alpha) return;
    RootResult& found = move.found;
    found.value = from_root;
    found.proof = proof;
    found.depth = depth;
    const PvLine& below = thread_->lines[1];
    found.line.pits[0] = static_cast<std::uint8_t>(move.pit);
    const int copied = from_root < beta ? std::min(below.length, kMaxLine - 1) : 0;
    std::copy_n(below.pits, copied, found.line.pits + 1);
    found.line.length = copied + 1;
}

// One pass over the moves from `first` on. False when interrupted. Afterwards the best of them, if its
// value is above alpha, stands at `first`.
bool RootSearch::search_window(std::size_t first, int alpha, int beta, int depth) {
    int best = alpha;
    std::size_t best_at = first;
    const std::size_t end = end_of_choice(first);
    for (std::size_t i = first; i < end; ++i) moves_[i].found.value = -kInfinite;
    for (std::size_t i = first; i < end && best < beta && !thread_->aborted; ++i) {
        RootMove& move = moves_[i];
        step_ = {depth, static_cast<int>(i) + 1, move.pit};
        NodeValue value = i == first ? search_move(move, best, beta, depth, true)
                                     : search_move(move, best, best + 1, depth, false);
        if (i > first && !thread_->aborted && move.captured - value.value > best) {
            value = search_move(move, best, beta, depth, true);
        }
        if (thread_->aborted) break;
        keep(move, value, best, beta, depth);
        if (move.found.value > best) {
            best = move.found.value;
            best_at = i;
        }
    }
    const auto at = begin(best_at);
    std::rotate(begin(first), at, at + 1);
    return !thread_->aborted;
}

// What was recalled stands until it is looked at deeper; a line was not.
void RootSearch::show(RootMove& move) {
    if (move.found.depth >= move.shown.depth) {
        move.shown = move.found;
    } else if (move.found.line.length > move.shown.line.length) {
        move.shown.line = move.found.line;
    }
}

void RootSearch::recall() {
    RootMove& move = moves_[0];
    if (problem_.table.words == nullptr || move.finished) return;
    const Entry entry = probe(problem_.table, table_key(problem_.table, move.next));
    if (entry.bound != kBoth) return;
    move.shown.value = move.captured - entry.value;
    move.shown.depth = entry.depth + 1;
    move.shown.line.length = 1;
    move.shown.line.pits[0] = static_cast<std::uint8_t>(move.pit);
}

// Finds the best move from `first` on, in a window round its last value that opens until it holds.
bool RootSearch::search_line(std::size_t first, int depth) {
    const int centre = moves_[first].shown.value;
    int down = kInfinite;
    int up = kInfinite;
    if (depth >= kAspirationLeastDepth && centre > -kInfinite) down = up = kAspiration;
    while (true) {
        const int alpha = down >= kAspirationWidest ? -kInfinite : centre - down;
        const int beta = up >= kAspirationWidest ? kInfinite : centre + up;
        const bool complete = search_window(first, alpha, beta, depth);
        RootMove& best = moves_[first];
        // An interrupted pass still counts when its first move was searched: it or a better one stands here.
        // So does a value above the window, though it only bounds: else a move new at the top has nothing to
        // show when the wider pass is interrupted.
        if (best.found.value > alpha) show(best);
        const bool inside = best.found.value > alpha && best.found.value < beta;
        if (!complete) return false;
        if (inside) return true;
        (best.found.value >= beta ? up : down) *= 4;
    }
}

bool RootSearch::iterate(int depth) {
    may_stop_ = depth > 1 || number_ != 0;
    if (problem_.saves_time && problem_.tablebase) {
        thread_->leaf_tablebase_seeds = problem_.tablebase->unpacked_seeds();
    }
    if (may_stop_ && control_.stop.load(std::memory_order_relaxed)) return false;
    const auto lines = std::min(moves_.size(), static_cast<std::size_t>(problem_.multipv));
    if (choice_count_ < moves_.size()) choose_among(choice_);  // the last iteration has put lines in order
    for (std::size_t first = 0; first < lines; ++first) {
        if (!search_line(first, depth)) {
            // The rest stands as the last iteration left it, best first.
            std::stable_sort(begin(first + 1), moves_.end(), better);
            return false;
        }
    }
    // A line found later can turn out better than one found before it.
    std::stable_sort(moves_.begin(), begin(lines), better);
    return true;
}

void RootSearch::begin_question() {
    may_stop_ = true;
    thread_->aborted = false;  // the question before may have been broken off for this one
    thread_->next_poll = 0;    // others have used up some of the limit since
}

std::optional<bool> RootSearch::at_least(int value, int depth) {
    begin_question();
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const NodeValue found = search_move(moves_[i], value - 1, value, depth, false);
        if (thread_->aborted) return std::nullopt;
        if (moves_[i].captured - found.value < value) continue;
        std::rotate(begin(0), begin(i), begin(i + 1));
        return true;
    }
    return false;
}

std::optional<bool> RootSearch::at_most(int value, int depth) {
    begin_question();
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const NodeValue found = search_move(moves_[i], value, value + 1, depth, false);
        if (thread_->aborted) return std::nullopt;
        if (moves_[i].captured - found.value <= value) continue;
        // The move that stood in the way is the first to be asked about next time.
        std::rotate(begin(0), begin(i), begin(i + 1));
        return false;
    }
    return true;
}

void RootSearch::keep_only(PitSet pits) {
    std::erase_if(moves_, [pits](const RootMove& move) { return (pits >> move.pit & 1U) == 0; });
    choose_among(kAllMoves);
}

void RootSearch::choose_among(PitSet pits) {
    choice_ = pits;
    const auto rest = std::stable_partition(
        moves_.begin(), moves_.end(), [pits](const RootMove& move) { return (pits >> move.pit & 1U) != 0; });
    choice_count_ = static_cast<std::size_t>(rest - moves_.begin());
    if (choice_count_ == 0) choice_count_ = moves_.size();
}

bool RootSearch::all_proved() const noexcept {
    const auto lines = std::min(moves_.size(), static_cast<std::size_t>(problem_.multipv));
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const RootMove& move = moves_[i];
        if (i < lines && (move.shown.proof & kBoth) != kBoth) return false;
        if (i >= lines && move.at_most > moves_[lines - 1].shown.value) return false;
    }
    return true;
}

}  // namespace wari
