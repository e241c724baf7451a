// The sweep over one piece of a layer: a strip of columns for many own rows. Compiled once for each
// instruction set, each time in that set's namespace; uses nothing but pointers and bytes.
#include "sweep_kernel.hpp"

#include "byte_lanes.hpp"

namespace wari::WARI_ISA_NAMESPACE {
namespace {

using detail::RowMove;
using detail::Segments;
using detail::SweepBlock;
using detail::SweepChange;
using detail::SweepPiece;
using detail::SweepSource;

struct Best {
    Lanes mover;
    Lanes other;
};

// The largest byte among the successors of one own row, for the columns of a strip.
template <bool kForce>
inline void add_move(Best& best, const SweepSource& source, const RowMove& move, std::uint32_t strip) {
    const std::size_t row = std::size_t{move.row} * kLanes;
    if (move.pattern == 0) {
        const std::size_t at = row + strip * source.strip_size;
        if constexpr (kForce) best.other = larger(best.other, load(source.mover + at));
        best.mover = larger(best.mover, load((kForce ? source.other : source.mover) + at));
        return;
    }
    const Segments& segments = *source.segments;
    const std::uint32_t* first = segments.first.data() + strip;
    const std::uint32_t* from = segments.from.data();
    const std::uint8_t* index = segments.index.data();
    for (std::uint32_t g = first[0]; g < first[1]; ++g) {
        const Lanes indices = load(index + std::size_t{g} * kLanes);
        const std::size_t at = row + from[g] * source.strip_size;
        if constexpr (kForce) best.other = larger(best.other, lookup(load(source.mover + at), indices));
        best.mover = larger(best.mover, lookup(load((kForce ? source.other : source.mover) + at), indices));
    }
}

/// A tile of a block after its transposition: one row for each opponent row.
template <bool kForce>
struct Tile {
    Lanes mover[kLanes];
    Lanes other[kForce ? kLanes : 1];
};

// Lists the lanes of one row that differ, before they are overwritten.
template <bool kForce>
SweepChange* list_changes(const SweepBlock& block, std::size_t at, const Lanes& mover, const Lanes& other,
                          SweepChange* to) {
    std::uint8_t new_mover[kLanes];
    std::uint8_t new_other[kLanes];
    store(new_mover, mover);
    store(new_other, other);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint8_t old_mover = block.old_mover[at + lane];
        const std::uint8_t old_other = kForce ? block.old_other[at + lane] : std::uint8_t{0};
        if (old_mover == new_mover[lane] && (!kForce || old_other == new_other[lane])) continue;
        *to++ = {static_cast<std::uint32_t>(at + lane), old_mover, old_other};
    }
    return to;
}

// Stores a tile's first `count` rows from `at`; returns the number of boards that changed.
template <bool kForce>
inline std::uint64_t put(const SweepBlock& block, const Tile<kForce>& tile, std::size_t at,
                         std::uint32_t count, SweepChange*& changes) {
    std::uint64_t changed = 0;
    for (std::uint32_t i = 0; i < count; ++i, at += kLanes) {
        const Lanes& other = tile.other[kForce ? i : 0];
        const Lanes old_mover = load(block.old_mover + at);
        Differing differing = differ(tile.mover[i], old_mover);
        if constexpr (kForce) differing |= differ(other, load(block.old_other + at));
        const auto here = static_cast<std::uint64_t>(std::popcount(differing));
        changed += here;
        if (changes != nullptr && here != 0) {
            changes = list_changes<kForce>(block, at, tile.mover[i], other, changes);
        }
        if (block.when_mover != nullptr && here != 0) {
            std::uint8_t* when = block.when_mover + at;
            store(when, where_differing(tile.mover[i], old_mover, block.round, load(when)));
            if constexpr (kForce) {
                when = block.when_other + at;
                store(when, where_differing(other, load(block.old_other + at), block.round, load(when)));
            }
        }
        store(block.new_mover + at, tile.mover[i]);
        if constexpr (kForce) store(block.new_other + at, other);
    }
    return changed;
}

template <bool kForce>
std::uint64_t sweep(const SweepBlock& block, const SweepPiece& piece) {
    std::uint64_t changed = 0;
    SweepChange* changes = piece.changes;
    const std::uint32_t* first = block.rows->first.data();
    const RowMove* moves = block.rows->moves.data();
    const std::uint32_t column = piece.strip * kLanes;
    const std::uint32_t left = block.column_count - column;
    const std::uint32_t columns = left < kLanes ? left : kLanes;
    for (std::uint32_t group = piece.group_begin; group < piece.group_end; ++group) {
        Tile<kForce> tile;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t row = group * kLanes + lane;
            if (row >= block.row_count) {
                tile.mover[lane] = zero();
                if constexpr (kForce) tile.other[lane] = zero();
                continue;
            }
            const std::size_t at = (std::size_t{piece.strip} * block.row_count + row) * kLanes;
            Best best{load(block.best_mover + at), zero()};
            if constexpr (kForce) best.other = load(block.best_other + at);
            for (std::uint32_t k = first[row]; k < first[row + 1]; ++k) {
                add_move<kForce>(best, block.sources[moves[k].pattern], moves[k], piece.strip);
            }
            tile.mover[lane] = kForce ? inverse(best.mover) : minus(best.mover);
            if constexpr (kForce) tile.other[lane] = inverse(best.other);
        }
        const std::size_t at = (std::size_t{group} * block.column_count + column) * kLanes;
        transpose(tile.mover);
        if constexpr (kForce) transpose(tile.other);
        if constexpr (!kForce) tile.other[0] = zero();
        changed += put(block, tile, at, columns, changes);
    }
    return changed;
}

}  // namespace

detail::SweepKernels sweep_kernels() { return {static_cast<int>(kLanes), sweep<false>, sweep<true>}; }

}  // namespace wari::WARI_ISA_NAMESPACE
