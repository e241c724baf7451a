// The sums of build_needs.hpp. Sizes of buffers are exact; what small vectors and the heap add is measured.
#include "build_needs.hpp"

#include <algorithm>

#include "codec.hpp"
#include "huge_pages.hpp"
#include "layer_solver.hpp"
#include "table_builder.hpp"

namespace wari::detail {
namespace {

constexpr int kMostLanes = 64;
constexpr double kDiskBitsPerPlane = 3.4;
constexpr std::uint64_t kPlanBytes = 260;  ///< of a row of either side: moves, origins, targets
constexpr std::uint64_t kOwnBytes = std::uint64_t{3} << 20;  ///< the code's own pages, stacks, small things
constexpr std::uint64_t kThreadBytes = std::uint64_t{1} << 19;
constexpr std::uint64_t kModelBytes = std::uint64_t{1} << 20;  ///< of a dense layer in an open file, some

std::uint64_t planes_of(TableKind kind) { return kind == TableKind::force ? 2 : 1; }

std::uint64_t layer_bytes(TableKind kind, int n) { return planes_of(kind) * Bytes::taken(boards_with(n)); }

std::uint64_t packed_bytes(std::uint64_t plane_bytes) {
    return static_cast<std::uint64_t>(static_cast<double>(plane_bytes) * kDiskBitsPerPlane / 8);
}

std::uint64_t boards_to(int seeds) {
    std::uint64_t boards = 0;
    for (int n = 0; n <= seeds; ++n) boards += boards_with(n);
    return boards;
}

/// What a builder for layers up to `seeds` holds from the start.
std::uint64_t planning_bytes(int seeds) {
    std::uint64_t rows = 0;
    for (int n = 0; n <= seeds; ++n) rows += rows_with(n);
    return rows * kPlanBytes + LayerSolver::marks_needed(seeds, kMostLanes);
}

std::uint64_t solving_bytes(TableKind kind, int n, int threads) {
    return LayerSolver::memory_needed(kind, n, kMostLanes, threads);
}

/// The counts of every thread at first, then the packed layer twice: in parts, and joined.
std::uint64_t packing_bytes(TableKind kind, int n, Packing packing, int threads) {
    const auto symbols = static_cast<std::uint64_t>(kind == TableKind::force ? n + 1 : 2 * n + 1);
    const std::uint64_t counts =
        (symbols + 1) * (symbols + 1) * symbols * Model::classes(packing) * sizeof(std::uint32_t);
    const std::uint64_t packed = packed_bytes(planes_of(kind) * boards_with(n));
    return std::max(counts * static_cast<std::uint64_t>(threads), 2 * packed);
}

std::uint64_t overhead(int threads) { return kOwnBytes + static_cast<std::uint64_t>(threads) * kThreadBytes; }

}  // namespace

std::uint64_t layers_bytes(TableKind kind, int seeds) {
    std::uint64_t bytes = 0;
    for (int n = 0; n <= seeds; ++n) bytes += layer_bytes(kind, n);
    return bytes;
}

std::uint64_t building_bytes(TableKind kind, int seeds, int threads, std::optional<TablePacking> packing) {
    std::uint64_t most = 0;  // working memory is touched as layers need it, so each has its own peak
    std::uint64_t layers = 0;
    for (int n = 0; n <= seeds; ++n) {
        layers += layer_bytes(kind, n);
        const std::uint64_t packed =
            packing ? packing_bytes(kind, n, packing_of(*packing, n), threads) : std::uint64_t{0};
        most = std::max(most, layers + solving_bytes(kind, n, threads) + packed);
    }
    return most + planning_bytes(seeds) + overhead(threads);
}

std::uint64_t verifying_bytes(TableKind kind, int seeds, int threads, std::uint64_t file_bytes) {
    const int dense = std::min(seeds, kDenseSeeds) + 1;
    const std::uint64_t models = file_bytes == 0 ? 0 : static_cast<std::uint64_t>(dense) * kModelBytes;
    return building_bytes(kind, seeds, threads, std::nullopt) + layer_bytes(kind, seeds) + file_bytes +
           models;
}

std::uint64_t saving_bytes(TableKind kind, int seeds, TablePacking packing, int threads, bool loading) {
    std::uint64_t most = 0;
    for (int n = 0; n <= seeds; ++n) {
        const std::uint64_t layer = loading ? layer_bytes(kind, n) : 0;
        most = std::max(most, layer + packing_bytes(kind, n, packing_of(packing, n), threads));
    }
    return most + overhead(threads);
}

std::uint64_t last_rounds_bytes(TableKind kind, int seeds, bool loading) {
    return planning_bytes(seeds) + solving_bytes(kind, seeds, 1) +
           LayerSolver::rounds_needed(kind, seeds, kMostLanes) + 2 * layer_bytes(kind, seeds) +
           (loading && seeds > 0 ? layers_bytes(kind, seeds - 1) : 0) + overhead(1);
}

}  // namespace wari::detail

namespace wari {

BuildNeeds build_needs(const Rules& rules, const BuildOptions& options) {
    const TableKind kind = kind_of(rules);
    BuildNeeds needs;
    needs.boards = detail::boards_to(options.seeds);
    needs.disk = detail::packed_bytes(needs.boards * detail::planes_of(kind));
    const bool file = !options.path.empty();
    const auto packing = file ? std::optional(options.packing) : std::nullopt;
    needs.memory = detail::building_bytes(kind, options.seeds, options.threads, packing);
    if (options.verify != VerifyLevel::none) {
        const std::uint64_t verifying =
            detail::verifying_bytes(kind, options.seeds, options.threads, file ? needs.disk : 0);
        needs.memory = std::max(needs.memory, verifying);
    }
    return needs;
}

}  // namespace wari
