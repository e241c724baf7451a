// The team of threads of one search (Lazy SMP), and the report: see search.hpp.
#include "search.hpp"

#include <algorithm>
#include <thread>

namespace wari {
namespace {

// All threads search the same root; they help each other through the table alone. Every second helper
// runs one ply ahead, so that the table holds what the first thread needs next.
void help(const RootProblem& problem, SearchControl& control, int number) {
    RootSearch search(problem, control, number);
    for (int depth = 1 + number % 2; depth <= problem.max_depth; ++depth) {
        if (!search.iterate(depth)) break;
    }
    search.report_nodes();
}

Score score_of(int value, std::uint8_t proof, int store_difference) {
    Score score;
    score.value = value + store_difference;
    score.bound = static_cast<Bound>(proof & kBoth);
    if ((proof & kBoth) != 0) {
        score.source = (proof & kFromTable) != 0 ? ScoreSource::tablebase
                       : (proof & kFromEnd) != 0 ? ScoreSource::end
                                                 : ScoreSource::search;
    }
    return score;
}

// The moves of a line as people see it: cut where the game stops under the rules in force.
std::vector<Move> line_of(const Position& root, const PvLine& line) {
    std::vector<Move> moves;
    Position position = root;
    for (int i = 0; i < line.length; ++i) {
        if (position.ending().has_value()) break;
        const Move move = position.move_of(line.pits[i]);
        moves.push_back(move);
        position = position.play_unchecked(move).next;
    }
    return moves;
}

class Team {
 public:
    Team(const SearchTask& task, const SearchTools& tools, SearchControl& control, const Stopwatch& watch)
        : request_(task.request), tools_(tools), control_(control), watch_(watch) {
        const Position& position = request_.position;
        problem_.rules = position.rules();
        problem_.rules.majority = false;
        problem_.board = position.board();
        problem_.history = request_.history;
        if (!problem_.history.empty() && problem_.history.back() == problem_.board)
            problem_.history.pop_back();
        problem_.only = task.only;
        problem_.multipv = request_.multipv;
        problem_.max_depth = std::min(request_.limits.depth.value_or(kMaxSearchDepth), kMaxSearchDepth);
        problem_.table = tools.table;
        problem_.tablebase = tools.tablebase;
        problem_.network = tools.network;
        problem_.kernel = tools.kernel;
        problem_.plain_depth = tools.plain_depth;
        control_.threads = tools.threads;
        if (request_.limits.nodes.has_value()) control_.node_limit = *request_.limits.nodes;
        control_.out_of_time = [](void* context) { return static_cast<Team*>(context)->must_end(); };
        control_.context = this;
    }

    Analysis run() {
        RootSearch first(problem_, control_, 0);
        const bool forced = request_.limits.instant_if_forced && first.moves().size() == 1;
        if (forced) problem_.max_depth = 1;
        std::vector<std::thread> helpers;
        for (int i = 1; i < tools_.threads && !forced; ++i) {
            helpers.emplace_back(help, std::cref(problem_), std::ref(control_), i);
        }
        bool finished = false;
        int done = 0;
        for (int depth = 1; depth <= problem_.max_depth && !finished; ++depth) {
            if (!first.iterate(depth)) break;
            done = depth;
            finished = depth == problem_.max_depth || first.all_proved();
            if (finished || soft_over()) break;
            if (request_.progress && !request_.progress(report(first, done))) break;
        }
        // On the opponent's time, and while the caller waits for stop(), there is no answer yet.
        while (watch_.pondering() && !control_.stop.load(std::memory_order_relaxed) && !must_end()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        control_.stop.store(true, std::memory_order_relaxed);
        for (std::thread& helper : helpers) helper.join();
        first.report_nodes();
        Analysis analysis = report(first, done);
        analysis.finished = finished;
        return analysis;
    }

 private:
    /// Asked by the first thread often: is the time up, or does the caller want an end?
    bool must_end() {
        if (watch_.hard_over()) return true;
        if (!request_.interrupted || watch_.elapsed() < next_question_) return false;
        next_question_ = watch_.elapsed() + kInterruptSeconds;
        return request_.interrupted();
    }

    bool soft_over() const {
        return watch_.soft_over() || control_.nodes.load(std::memory_order_relaxed) >= control_.node_limit;
    }

    Analysis report(const RootSearch& search, int depth) const {
        const Position& root = request_.position;
        const Board& b = root.board();
        const int stores = kSeedUnits * (store_of(b.own) - store_of(b.opp));
        Analysis analysis;
        const auto moves = search.moves();
        const auto lines = std::min(moves.size(), static_cast<std::size_t>(request_.multipv));
        for (const RootMove& move : moves.first(lines)) {
            if (move.shown.value == -kInfinite) break;
            Line line;
            line.move = root.move_of(move.pit);
            line.score = score_of(move.shown.value, move.shown.proof, stores);
            line.depth = move.shown.depth;
            line.pv = line_of(root, move.shown.line);
            analysis.lines.push_back(std::move(line));
        }
        // The position is worth its best move; that it is worth no more takes a proof for every move.
        std::uint8_t proof = moves[0].shown.proof;
        for (const RootMove& move : moves.subspan(1)) {
            if (move.at_most > moves[0].shown.value) proof &= static_cast<std::uint8_t>(~kAtMost);
        }
        analysis.score = score_of(moves[0].shown.value, proof, stores);
        analysis.depth = depth;
        analysis.selective_depth = search.thread().deepest;
        analysis.nodes = control_.nodes.load(std::memory_order_relaxed);
        analysis.table_hits = search.thread().table_hits;
        analysis.seconds = watch_.elapsed();
        analysis.hash_permille = tools_.hash_permille ? tools_.hash_permille() : 0;
        return analysis;
    }

    const SearchRequest& request_;
    const SearchTools& tools_;
    SearchControl& control_;
    const Stopwatch& watch_;
    RootProblem problem_;
    double next_question_ = kInterruptSeconds;
};

}  // namespace

Analysis run_search(const SearchTask& task, const SearchTools& tools, SearchControl& control,
                    const Stopwatch& watch) {
    return Team(task, tools, control, watch).run();
}

}  // namespace wari
