// Tablebase: probing, one board or many.
#include "wari/tablebase.hpp"

#include <algorithm>

#include "capture_distance.hpp"
#include "layer_solver.hpp"
#include "table_builder.hpp"
#include "table_data.hpp"
#include "table_file.hpp"
#include "table_moves.hpp"
#include "worker_pool.hpp"

namespace wari {

using detail::DistanceQuery;
using detail::Layer;
using detail::TableMove;
using detail::TableMoves;

std::string_view to_text(TableKind kind) { return kind == TableKind::value ? "value" : "force"; }

std::string_view to_text(VerifyLevel level) noexcept {
    switch (level) {
        case VerifyLevel::none: return "none";
        case VerifyLevel::rebuilt: return "rebuilt";
        case VerifyLevel::full: return "full";
    }
    return {};
}

std::string_view to_text(ProbeReason reason) {
    switch (reason) {
        case ProbeReason::exact: return "exact";
        case ProbeReason::bounds: return "bounds";
        case ProbeReason::history_ignored: return "history_ignored";
    }
    return {};
}

namespace detail {

TableData::TableData(std::vector<Layer> in_memory) : layers(std::move(in_memory)) {}
TableData::TableData(std::unique_ptr<TableFile> opened)
    : file(std::move(opened)), verified(file->verified()) {}
TableData::~TableData() = default;

Status check_threads(int threads) {
    if (threads >= 1 && threads <= kMaxThreads) return std::nullopt;
    return Error{
        ErrorKind::bad_value, "threads",
        "threads: expected 1 to " + std::to_string(kMaxThreads) + ", not " + std::to_string(threads)};
}

}  // namespace detail

namespace {

// Rules that people know by name, where they share the table.
Rules best_known(const Rules& rules) {
    for (const Preset& preset : presets()) {
        if (same_tables(preset.rules, rules)) return preset.rules;
    }
    return table_rules(rules);
}

}  // namespace

Tablebase::Tablebase(const Rules& rules, int seeds, std::unique_ptr<detail::TableData> data)
    : rules_(best_known(rules)), seeds_(seeds), kind_(kind_of(rules)), data_(std::move(data)) {}

Tablebase::~Tablebase() = default;

const std::string& Tablebase::path() const noexcept {
    static const std::string none;
    return data_->file ? data_->file->path() : none;
}

std::uint64_t Tablebase::file_bytes() const noexcept { return data_->file ? data_->file->file_bytes() : 0; }

VerifyLevel Tablebase::verified() const noexcept {
    return data_->verified.layers > seeds_ ? data_->verified.level : VerifyLevel::none;
}

namespace {

/// Where a board lies in its layer.
struct Spot {
    int seeds = 0;
    int own_seeds = 0;
    std::uint32_t own = 0;
    std::uint32_t opp = 0;
};

std::optional<Bounds> bounds_of(TableKind kind, int n, std::uint8_t mover, std::uint8_t other) {
    if (kind == TableKind::value) return Bounds{detail::value_of(mover), detail::value_of(mover)};
    // Both together cannot be sure of more seeds than there are: a file that says so is forged.
    if (detail::sure_of(mover) + other > n) return std::nullopt;
    return Bounds{2 * detail::sure_of(mover) - n, n - 2 * other};
}

// `read` gives the byte of a plane, or nothing.
template <class Read>
std::optional<Bounds> bounds_in_file(TableKind kind, int n, const Read& read) {
    const std::optional<std::uint8_t> mover = read(0);
    if (!mover) return std::nullopt;
    if (kind == TableKind::value) return bounds_of(kind, n, *mover, 0);
    const std::optional<std::uint8_t> other = read(1);
    return other ? bounds_of(kind, n, *mover, *other) : std::nullopt;
}

Bounds bounds_in_memory(const Layer& layer, TableKind kind, const Spot& spot) {
    const auto n = static_cast<std::size_t>(spot.seeds);
    const std::uint64_t at = detail::kBlocks.start[n][static_cast<std::size_t>(spot.own_seeds)] +
                             std::uint64_t{spot.opp} * rows_with(spot.own_seeds) + spot.own;
    const std::uint8_t mover = layer.mover.data()[at];
    if (kind == TableKind::value) return {detail::value_of(mover), detail::value_of(mover)};
    return {2 * detail::sure_of(mover) - spot.seeds, spot.seeds - 2 * layer.other.data()[at]};
}

Spot spot_of(const Board& board) {
    const int own_seeds = row_seeds(board.own);
    return {own_seeds + row_seeds(board.opp), own_seeds, row_rank(board.own), row_rank(board.opp)};
}

}  // namespace

std::optional<Bounds> Tablebase::bounds(const Board& board) const noexcept {
    if (row_seeds(board.own) + row_seeds(board.opp) > seeds_) return std::nullopt;
    const Spot spot = spot_of(board);
    if (data_->file == nullptr) [[likely]] {
        return bounds_in_memory(data_->layers[static_cast<std::size_t>(spot.seeds)], kind_, spot);
    }
    return bounds_in_file(kind_, spot.seeds, [&](int plane) {
        return data_->file->byte(spot.seeds, plane, spot.own_seeds, spot.opp, spot.own);
    });
}

std::optional<Bounds> Tablebase::kept_bounds(const Board& board, bool& cold) const noexcept {
    if (row_seeds(board.own) + row_seeds(board.opp) > seeds_) return std::nullopt;
    const Spot spot = spot_of(board);
    if (data_->file == nullptr) [[likely]] {
        return bounds_in_memory(data_->layers[static_cast<std::size_t>(spot.seeds)], kind_, spot);
    }
    return bounds_in_file(kind_, spot.seeds, [&](int plane) {
        const auto byte = data_->file->kept_byte(spot.seeds, plane, spot.own_seeds, spot.opp, spot.own);
        if (!byte) cold = true;
        return byte;
    });
}

void Tablebase::unpack_ahead(const Task<>& task) const {
    if (data_->file != nullptr) data_->file->unpack_ahead(task);
}

int Tablebase::unpacked_seeds() const noexcept {
    return data_->file != nullptr ? data_->file->unpacked_seeds() : seeds_;
}

namespace {

/// What the table holds of a board: the value and its negation, or g and h.
struct Entry {
    int mover = 0;
    int other = 0;
};

Entry entry_of(const Bounds& bounds, TableKind kind, int n) {
    if (kind == TableKind::value) return {bounds.lower, -bounds.lower};
    return {(bounds.lower + n) / 2, (n - bounds.upper) / 2};
}

/// Bounds of a finished sharing.
Bounds settled_bounds(const detail::Shares& shares) {
    return {shares.mover - shares.other, shares.mover - shares.other};
}

// The order in which the moves are offered: who forces goes the shortest way, who is forced the longest;
// then the better hopes.
void sort_best(std::span<ProbeMove> best, bool forcing) {
    std::stable_sort(best.begin(), best.end(), [forcing](const ProbeMove& a, const ProbeMove& b) {
        const int da = a.distance;
        const int db = b.distance;
        if (forcing && da != db) return da != 0 && (db == 0 || da < db);
        if (a.bounds.upper != b.bounds.upper) return a.bounds.upper > b.bounds.upper;
        return !forcing && da > db;
    });
}

// The boards of the past that can come up again, each seen by the side that seeks at the root.
std::vector<DistanceQuery> queries_of(std::span<const Board> past, int seeds, bool attacker_to_move) {
    std::vector<DistanceQuery> queries;
    for (std::size_t i = 0; i < past.size(); ++i) {
        const Board board = detail::without_stores(past[i]);
        const bool same_side = (past.size() - i) % 2 == 0;
        if (board_seeds(board) == seeds) queries.push_back({board, same_side == attacker_to_move});
    }
    return queries;
}

Error unreadable(const detail::TableFile& file, const Board& board, const Rules& rules) {
    const TableMoves moves = detail::table_moves(board, rules);
    std::vector<Board> asked = {board};
    for (const TableMove& move : moves) {
        if (!move.ends) asked.push_back(move.next);
    }
    for (const Board& b : asked) {
        const int planes = file.kind() == TableKind::force ? 2 : 1;
        for (int plane = 0; plane < planes; ++plane) {
            const auto failed =
                file.check_block(board_seeds(b), plane, row_seeds(b.own), row_rank(b.opp), row_rank(b.own));
            if (failed) return *failed;
        }
    }
    return {ErrorKind::bad_file, file.path(), file.path() + ": a block near the board asked for is damaged"};
}

}  // namespace

Status Tablebase::find_distances(const DistanceQuery& root, std::span<const DistanceQuery> past,
                                 const ProbeOptions& options, detail::Distances& found) const {
    // Lines of value tables are short and narrow; those of force tables soon run through half a layer.
    const std::size_t near = kind_ == TableKind::value ? 20'000 : 500;
    const bool net = kind_ == TableKind::value;
    const int n = board_seeds(root.board);
    const auto gain = [&](const DistanceQuery& query) -> std::optional<int> {
        const auto there = bounds(query.board);
        if (!there) return std::nullopt;
        const Entry held = entry_of(*there, kind_, board_seeds(query.board));
        return query.attacker_to_move ? held.mover : held.other;
    };
    const detail::AttackerGain attacker_gain = gain;
    const detail::DistanceProblem problem{root, past, rules_, net, attacker_gain, options.task};
    auto answer = detail::near_distances(problem, near, found);
    if (answer == detail::DistanceAnswer::too_many) {
        const detail::LastRounds last = data_->last_rounds(rules_, n, options);
        if (last.layer != nullptr) {
            const auto round_of = [&](const DistanceQuery& query) {
                const auto& rounds = net || query.attacker_to_move ? last.layer->mover : last.layer->other;
                const int order = detail::LayerSolver::order_in_round(n, row_seeds(query.board.own));
                return rounds.data()[board_index(query.board)] * (kMaxTableSeeds + 2) + order;
            };
            answer = detail::distances_by_round(problem, round_of, found);
        } else if (last.impossible) {
            answer = detail::near_distances(problem, 0, found);
        }
    }
    switch (answer) {
        case detail::DistanceAnswer::unreadable: return unreadable(*data_->file, root.board, rules_);
        case detail::DistanceAnswer::found: return std::nullopt;
        case detail::DistanceAnswer::too_many:
        case detail::DistanceAnswer::stopped: break;
    }
    return Error{ErrorKind::cancelled, "probe", "probe: stopped"};
}

Expected<Probe> Tablebase::probe(const Board& board, int quiet_plies) const {
    ProbeOptions options;
    options.quiet_plies = quiet_plies;
    return probe(board, options);
}

Expected<Probe> Tablebase::probe(const Board& with_stores, const ProbeOptions& options) const {
    const Board board = detail::without_stores(with_stores);
    const int n = board_seeds(board);
    if (n > seeds_) {
        return Error{
            ErrorKind::missing_table, "board",
            "board: " + std::to_string(n) + " seeds on it, the table ends at " + std::to_string(seeds_)};
    }
    const auto known = bounds(board);
    if (!known) return unreadable(*data_->file, board, rules_);
    const TableMoves moves = detail::table_moves(board, rules_);
    const bool net = kind_ == TableKind::value;
    const Entry entry = entry_of(*known, kind_, n);
    Probe probe;
    probe.bounds = moves.count == 0 ? settled_bounds(moves.settled) : *known;
    probe.mover = entry.mover;
    probe.other = entry.other;
    probe.over = moves.count == 0;
    // In a force table both sides can have something to force; the mover's own comes first.
    const bool attacker_to_move = net ? entry.mover >= 0 : entry.mover > 0 || entry.other == 0;
    const bool something = net ? entry.mover != 0 : entry.mover > 0 || entry.other > 0;
    detail::Distances distances;
    const std::vector<DistanceQuery> past = queries_of(options.past, n, attacker_to_move);
    if (something && !probe.over) {
        const auto failed = find_distances({board, attacker_to_move}, past, options, distances);
        if (failed && failed->kind != ErrorKind::cancelled) return *failed;
        probe.distance_known = !failed;
        if (failed) distances = {};
    }
    probe.distance = distances.root;
    for (const DistanceQuery& query : past) {
        const auto there = bounds(query.board);
        if (!there) return unreadable(*data_->file, query.board, rules_);
        const Entry held = entry_of(*there, kind_, n);
        const bool same_side = query.attacker_to_move == attacker_to_move;
        if ((same_side ? held.mover : held.other) > entry.mover) probe.past_no_better = false;
    }
    if (auto failed = find_best(board, moves, distances, probe)) return *failed;
    sort_best(std::span(probe.best).first(static_cast<std::size_t>(probe.best_count)), attacker_to_move);
    probe.reason = options.quiet_plies > 0 ? ProbeReason::history_ignored
                   : probe.bounds.exact()  ? ProbeReason::exact
                                           : ProbeReason::bounds;
    return probe;
}

Status Tablebase::find_best(const Board& board, const TableMoves& moves, const detail::Distances& distances,
                            Probe& probe) const {
    const bool net = kind_ == TableKind::value;
    for (int i = 0; i < moves.count; ++i) {
        const TableMove& move = moves.moves[static_cast<std::size_t>(i)];
        Bounds after = settled_bounds(move.got);
        int sure = net ? move.got.mover - move.got.other : move.got.mover;
        if (!move.ends) {
            const auto next = bounds(move.next);
            if (!next) return unreadable(*data_->file, board, rules_);
            sure += entry_of(*next, kind_, board_seeds(move.next)).other;
            after = {after.lower - next->upper, after.upper - next->lower};
        }
        if (sure != probe.mover) continue;
        const auto at = static_cast<std::size_t>(i);
        // Who waits loses nothing by a cycle.
        const bool waits = probe.mover <= 0;
        const bool clear = distances.clear[at] && probe.past_no_better;
        probe.best[static_cast<std::size_t>(probe.best_count++)] = {move.pit, after, distances.of_move[at],
                                                                    !move.quiet() || waits || clear};
    }
    return std::nullopt;
}

Status Tablebase::probe_many(std::span<const std::uint8_t> pits, std::span<std::int8_t> lower,
                             std::span<std::int8_t> upper, int threads, const Task<>& task) const {
    if (auto failed = detail::check_threads(threads)) return failed;
    const std::size_t count = lower.size();
    if (pits.size() != count * kPitsInAll || upper.size() != count) {
        return Error{ErrorKind::bad_value, "boards", "boards: expected twelve counts for each result"};
    }
    constexpr std::size_t kJob = 4096;
    const auto some = [&](std::uint64_t job, int) {
        const std::size_t end = std::min(count, (job + 1) * kJob);
        for (std::size_t i = job * kJob; i < end; ++i) {
            Board board;
            int seeds = 0;
            for (std::size_t pit = 0; pit < kPitsInAll; ++pit) {
                const std::uint64_t held = pits[i * kPitsInAll + pit];
                seeds += static_cast<int>(held);
                (pit < kPitsPerRow ? board.own : board.opp) |= held << (8 * (pit % kPitsPerRow));
            }
            const auto found = seeds <= seeds_ ? bounds(board) : std::nullopt;
            lower[i] = static_cast<std::int8_t>(found ? found->lower : 1);
            upper[i] = static_cast<std::int8_t>(found ? found->upper : 0);
        }
    };
    const std::uint64_t jobs = (count + kJob - 1) / kJob;
    detail::WorkerPool pool(static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), std::max<std::uint64_t>(jobs, 1))));
    pool.watch(&task);
    pool.run(jobs, some);
    if (pool.stopped()) return detail::stopped("boards");
    return std::nullopt;
}

}  // namespace wari
