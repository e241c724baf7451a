// Tablebase: probing, and the border of building where options are checked.
#include "wari/tablebase.hpp"

#include <algorithm>

#include "table_data.hpp"
#include "table_layer.hpp"
#include "table_moves.hpp"

namespace wari {

using detail::Layer;
using detail::TableMove;
using detail::TableMoves;

std::string_view to_text(TableKind kind) { return kind == TableKind::value ? "value" : "force"; }

std::string_view to_text(ProbeReason reason) {
    switch (reason) {
        case ProbeReason::exact: return "exact";
        case ProbeReason::bounds: return "bounds";
        case ProbeReason::history_ignored: return "history_ignored";
    }
    return {};
}

Tablebase::Tablebase(const Rules& rules, int seeds, std::unique_ptr<detail::TableData> data)
    : rules_(table_rules(rules)), seeds_(seeds), kind_(kind_of(rules)), data_(std::move(data)) {}

Tablebase::~Tablebase() = default;

std::optional<Bounds> Tablebase::bounds(const Board& board) const noexcept {
    const int n = board_seeds(board);
    if (n > seeds_) return std::nullopt;
    const Layer& layer = data_->layers[static_cast<std::size_t>(n)];
    const std::uint64_t at = board_index(board);
    const std::uint8_t mover = layer.mover.data()[at];
    if (kind_ == TableKind::value) return Bounds{detail::value_of(mover), detail::value_of(mover)};
    return Bounds{2 * detail::sure_of(mover) - n, n - 2 * layer.other.data()[at]};
}

std::uint64_t build_memory(const Rules& rules, int seeds) {
    std::uint64_t bytes = 0;
    for (int n = 0; n <= seeds; ++n) bytes += boards_with(n);
    return kind_of(rules) == TableKind::force ? 2 * bytes : bytes;
}

Expected<TablebasePtr> Tablebase::build(const Rules& rules, const BuildOptions& options) {
    if (options.seeds < 0 || options.seeds > kMaxTableSeeds) {
        return Error{ErrorKind::bad_value, "seeds",
                     "seeds: expected 0 to " + std::to_string(kMaxTableSeeds) + ", not " +
                         std::to_string(options.seeds)};
    }
    const TableKind kind = kind_of(rules);
    if (options.kind.has_value() && *options.kind != kind) {
        return Error{
            ErrorKind::bad_value, "kind",
            "kind: rules with repetition=" + std::string(kind == TableKind::value ? "split" : "owner") +
                " need a " + std::string(to_text(kind)) + " table"};
    }
    auto data = std::make_unique<detail::TableData>();
    const Rules movement = table_rules(rules);
    const detail::SweepKernels kernels = detail::best_sweep_kernels();
    const detail::Plans plans(movement, options.seeds, kernels.lanes);
    detail::Crew crew(options.threads);
    detail::LayerSolver solver(plans, kind, options.seeds, kernels, crew);
    for (int n = 0; n <= options.seeds; ++n) {
        Layer layer;
        if (!solver.ok() || !solver.solve(n, data->layers, layer, options.stop)) {
            return Error{ErrorKind::cancelled, "build", "build: stopped"};
        }
        data->layers.push_back(std::move(layer));
    }
    return TablebasePtr(new Tablebase(movement, options.seeds, std::move(data)));
}

Expected<Probe> Tablebase::probe(const Board& board, int quiet_plies) const {
    const auto known = bounds(board);
    if (!known) {
        return Error{ErrorKind::missing_table, "board",
                     "board: " + std::to_string(board_seeds(board)) + " seeds on it, the table ends at " +
                         std::to_string(seeds_)};
    }
    Probe probe;
    probe.bounds = *known;
    const int n = board_seeds(board);
    probe.mover = kind_ == TableKind::value ? known->lower : (known->lower + n) / 2;
    probe.other = kind_ == TableKind::value ? -known->lower : (n - known->upper) / 2;
    const TableMoves moves = detail::table_moves(detail::without_stores(board), rules_);
    probe.over = moves.count == 0;
    for (const TableMove& move : moves) {
        Bounds after{move.got.mover - move.got.other, move.got.mover - move.got.other};
        if (!move.ends) {
            const auto next = bounds(move.next);
            after = {after.lower - next->upper, after.upper - next->lower};
        }
        if (after.lower != known->lower) continue;
        probe.best[static_cast<std::size_t>(probe.best_count++)] = {move.pit, after, 0};
    }
    probe.reason = quiet_plies > 0  ? ProbeReason::history_ignored
                   : known->exact() ? ProbeReason::exact
                                    : ProbeReason::bounds;
    return probe;
}

}  // namespace wari
