// The sweep over one piece of a layer: a strip of columns for many own rows. Compiled once for each
// instruction set, each time in that set's namespace; uses nothing but pointers and bytes.
#include "table_kernel.hpp"

#include "table_lanes.hpp"

namespace wari::WARI_ISA_NAMESPACE {
namespace {

using detail::RowMove;
using detail::Segments;
using detail::SweepBlock;
using detail::SweepPiece;
using detail::SweepSource;

struct Best {
    Lanes mover;
    Lanes other;
};

// The largest byte among the successors of one own row, for the columns of a strip.
template <bool kForce>
inline void add_move(Best& best, const SweepSource& source, const RowMove& move, std::uint32_t strip) {
    const std::size_t row = move.row * source.stride;
    if (move.pattern == 0) {
        const std::size_t at = row + std::size_t{strip} * kLanes;
        if constexpr (kForce) best.other = larger(best.other, load(source.mover + at));
        best.mover = larger(best.mover, load((kForce ? source.other : source.mover) + at));
        return;
    }
    const Segments& segments = *source.segments;
    const std::uint32_t* first = segments.first.data() + strip;
    const std::uint32_t* offset = segments.offset.data();
    const std::uint8_t* index = segments.index.data();
    for (std::uint32_t g = first[0]; g < first[1]; ++g) {
        const Lanes indices = load(index + std::size_t{g} * kLanes);
        const std::size_t at = row + offset[g];
        if constexpr (kForce) best.other = larger(best.other, lookup(load(source.mover + at), indices));
        best.mover = larger(best.mover, lookup(load((kForce ? source.other : source.mover) + at), indices));
    }
}

// Stores a transposed tile into the rows of the block; returns the number of bytes that changed.
inline std::uint64_t put(const Lanes* tile, const std::uint8_t* old, std::uint8_t* now, std::size_t stride,
                         std::uint32_t count) {
    std::uint64_t changed = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        changed += differing(tile[i], load(old + i * stride));
        store(now + i * stride, tile[i]);
    }
    return changed;
}

template <bool kForce>
std::uint64_t sweep(const SweepBlock& block, const SweepPiece& piece) {
    std::uint64_t changed = 0;
    const std::uint32_t* first = block.rows->first.data();
    const RowMove* moves = block.rows->moves.data();
    const std::size_t column = std::size_t{piece.strip} * kLanes;
    const auto columns = static_cast<std::uint32_t>(
        block.column_count - column < kLanes ? block.column_count - column : std::size_t{kLanes});
    for (std::uint32_t group = piece.group_begin; group < piece.group_end; ++group) {
        Lanes mover[kLanes];
        [[maybe_unused]] Lanes other[kForce ? kLanes : 1];
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t row = group * kLanes + lane;
            if (row >= block.row_count) {
                mover[lane] = zero();
                if constexpr (kForce) other[lane] = zero();
                continue;
            }
            const std::size_t at = row * block.best_stride + column;
            Best best{load(block.best_mover + at), zero()};
            if constexpr (kForce) best.other = load(block.best_other + at);
            for (std::uint32_t k = first[row]; k < first[row + 1]; ++k) {
                add_move<kForce>(best, block.sources[moves[k].pattern], moves[k], piece.strip);
            }
            mover[lane] = kForce ? inverse(best.mover) : minus(best.mover);
            if constexpr (kForce) other[lane] = inverse(best.other);
        }
        const std::size_t at = column * block.stride + std::size_t{group} * kLanes;
        transpose(mover);
        changed += put(mover, block.old_mover + at, block.new_mover + at, block.stride, columns);
        if constexpr (kForce) {
            transpose(other);
            changed += put(other, block.old_other + at, block.new_other + at, block.stride, columns);
        }
    }
    return changed;
}

}  // namespace

detail::SweepKernels sweep_kernels() { return {static_cast<int>(kLanes), sweep<false>, sweep<true>}; }

}  // namespace wari::WARI_ISA_NAMESPACE
