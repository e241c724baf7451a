// The layout of a layer's working memory.
#include "layer_memory.hpp"

#include <algorithm>
#include <cstring>

namespace wari::detail {
namespace {

struct Sizes {
    std::size_t boards = 0;
    std::size_t twins = 0;
    std::size_t best = 0;
};

std::size_t strips_of(int seeds, int lanes) {
    const auto width = static_cast<std::size_t>(lanes);
    return (rows_with(seeds) + width - 1) / width;
}

Sizes sizes_of(int n, int lanes) {
    Sizes sizes;
    for (int m = 0; m <= n; ++m) {
        const auto width = static_cast<std::size_t>(lanes);
        const std::size_t block = strips_of(m, lanes) * rows_with(n - m) * width;
        sizes.boards += block;
        if (reads_itself(n, m)) sizes.twins += block;
        if (m > 0 && m < n) sizes.best += strips_of(n - m, lanes) * rows_with(m) * width;
    }
    return sizes;
}

}  // namespace

std::size_t LayerMemory::bytes(TableKind kind, int seeds, int lanes) {
    const Sizes sizes = sizes_of(seeds, lanes);
    return (sizes.boards + sizes.twins + sizes.best) * (kind == TableKind::force ? 2U : 1U);
}

std::size_t LayerMemory::board_bytes(int seeds, int lanes) { return sizes_of(seeds, lanes).boards; }

std::uint64_t LayerMemory::round_bytes(TableKind kind, int seeds, int lanes) {
    return Bytes::taken(sizes_of(seeds, lanes).boards * (kind == TableKind::force ? 2U : 1U));
}

LayerMemory::LayerMemory(TableKind kind, int seeds, int lanes)
    : kind_(kind), lanes_(lanes), memory_(bytes(kind, seeds, lanes)) {}

std::size_t LayerMemory::block_bytes(int m) const { return strips_of(m, lanes_) * block(m).strip_size; }

void LayerMemory::begin(int n, WorkerPool& pool) {
    seeds_ = n;
    round_ = 0;
    when_ = {};
    std::uint8_t* at = memory_.data();
    const auto take = [&at](std::size_t size) {
        std::uint8_t* taken = at;
        at += size;
        return taken;
    };
    blocks_.assign(static_cast<std::size_t>(n) + 1, {});
    before_.assign(1, 0);
    const auto lanes = static_cast<std::size_t>(lanes_);
    for (const bool other : {false, true}) {
        if (other && !force()) break;
        for (int m = 0; m <= n; ++m) {
            LayerBlock& block = blocks_[static_cast<std::size_t>(m)];
            block.strip_size = rows_with(n - m) * lanes;
            block.best_strip_size = rows_with(m) * lanes;
            const std::size_t size = strips_of(m, lanes_) * block.strip_size;
            (other ? block.other : block.mover) = take(size);
            if (!other) before_.push_back(before_.back() + size);
            if (reads_itself(n, m)) (other ? block.twin_other : block.twin_mover) = take(size);
            if (m == 0 || m == n) continue;
            (other ? block.best_other : block.best_mover) =
                take(strips_of(n - m, lanes_) * block.best_strip_size);
        }
    }
    pool.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t m, int) {
        const LayerBlock& block = blocks_[m];
        const std::size_t size = block_bytes(static_cast<int>(m));
        std::memset(block.mover, force() ? kForceZero : kValueZero, size);
        if (force()) std::memset(block.other, 0, size);
    });
}

bool LayerMemory::record_rounds() {
    const std::size_t size = before_.back();
    when_ = Bytes(force() ? 2 * size : size);
    if (!when_) return false;
    for (std::size_t m = 0; m < blocks_.size(); ++m) {
        blocks_[m].when_mover = when_.data() + before_[m];
        if (force()) blocks_[m].when_other = when_.data() + size + before_[m];
    }
    return true;
}

void LayerMemory::set_round(int round) noexcept {
    round_ = static_cast<std::uint8_t>(std::min(round, kMaxRound));
}

void LayerMemory::swap_twins(int m) noexcept {
    LayerBlock& block = blocks_[static_cast<std::size_t>(m)];
    if (block.twin_mover == nullptr) return;
    std::swap(block.mover, block.twin_mover);
    std::swap(block.other, block.twin_other);
}

void LayerMemory::store_best(int m, std::uint32_t row, const std::vector<std::uint8_t>& mover,
                             const std::vector<std::uint8_t>& other) {
    const LayerBlock& block = blocks_[static_cast<std::size_t>(m)];
    const auto lanes = static_cast<std::size_t>(lanes_);
    for (std::size_t column = 0; column < mover.size(); column += lanes) {
        const std::size_t size = std::min(lanes, mover.size() - column);
        const std::size_t at = column / lanes * block.best_strip_size + row * lanes;
        std::memcpy(block.best_mover + at, mover.data() + column, size);
        std::memset(block.best_mover + at + size, 0, lanes - size);
        if (other.empty()) continue;
        std::memcpy(block.best_other + at, other.data() + column, size);
        std::memset(block.best_other + at + size, 0, lanes - size);
    }
}

void LayerMemory::write(ChangedBoard& changed) const noexcept {
    const LayerBlock& block = blocks_[changed.spot.block];
    const std::uint32_t at = changed.spot.offset;
    std::swap(block.mover[at], changed.bytes.mover);
    if (force()) std::swap(block.other[at], changed.bytes.other);
    if (block.when_mover == nullptr) return;
    if (block.mover[at] != changed.bytes.mover) block.when_mover[at] = round_;
    if (force() && block.other[at] != changed.bytes.other) block.when_other[at] = round_;
}

bool LayerMemory::copy_out(Layer& into, bool rounds, WorkerPool& pool) const {
    const int n = seeds_;
    const auto lanes = static_cast<std::uint32_t>(lanes_);
    into.mover = Bytes(boards_with(n));
    if (force()) into.other = Bytes(boards_with(n));
    if (!into.mover || (force() && !into.other)) return false;
    pool.run(static_cast<std::uint64_t>(n) + 1, [&](std::uint64_t at, int) {
        const int m = static_cast<int>(at);
        const LayerBlock& block = blocks_[at];
        const std::uint32_t width = rows_with(m);
        std::uint64_t to = kBlocks.start[static_cast<std::size_t>(n)][at];
        for (std::uint32_t opp = 0; opp < rows_with(n - m); ++opp) {
            for (std::uint32_t own = 0; own < width; own += lanes) {
                const std::uint32_t size = std::min(lanes, width - own);
                const std::size_t from =
                    own / lanes * block.strip_size + std::size_t{opp} * lanes + own % lanes;
                std::memcpy(into.mover.data() + to, (rounds ? block.when_mover : block.mover) + from, size);
                if (force()) {
                    std::memcpy(into.other.data() + to, (rounds ? block.when_other : block.other) + from,
                                size);
                }
                to += size;
            }
        }
    });
    return true;
}

}  // namespace wari::detail
