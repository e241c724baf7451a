// The working memory of one layer while it is solved: its boards by blocks, and where each board stands
// there.
//
// A block holds the boards whose mover has the same number of seeds. Its boards stand by strips of `lanes`
// own rows: strip by strip, then by opponent row, then by lane (sweep_kernel.hpp). Bytes are coded as that
// file says.
#pragma once

#include <cstdint>
#include <vector>

#include "sweep_kernel.hpp"
#include "table_data.hpp"
#include "worker_pool.hpp"

namespace wari::detail {

/// The two bytes of a board; `other` is 0 in a value table.
struct EntryBytes {
    std::uint8_t mover = 0;
    std::uint8_t other = 0;
};

/// A board in the working memory: its block and its byte there.
struct BoardSpot {
    std::uint32_t block = 0;
    std::uint32_t offset = 0;
};

/// The same board as ranks of its rows.
struct RowRanks {
    std::uint32_t opp = 0;
    std::uint32_t own = 0;
};

/// A board with new bytes, or, once they are written, with its old ones.
struct ChangedBoard {
    BoardSpot spot;
    EntryBytes bytes;
};

/// A block's place in the working memory. Blocks that read themselves have a twin to write to; `best` is what
/// the moves that leave the layer are worth, by strips of opponent rows; `when` the rounds of last changes,
/// if wanted.
struct LayerBlock {
    std::uint8_t* mover = nullptr;
    std::uint8_t* other = nullptr;
    std::uint8_t* twin_mover = nullptr;
    std::uint8_t* twin_other = nullptr;
    std::uint8_t* best_mover = nullptr;
    std::uint8_t* best_other = nullptr;
    std::uint8_t* when_mover = nullptr;
    std::uint8_t* when_other = nullptr;
    std::size_t strip_size = 0;       ///< bytes of a strip of own rows
    std::size_t best_strip_size = 0;  ///< bytes of a strip of opponent rows
};

/// Does the order in which blocks are swept let block m of layer n read itself?
inline bool reads_itself(int n, int m) noexcept { return m > 0 && m < n && 2 * m >= n; }

class LayerMemory {
 public:
    /// For layers up to `seeds`; false when memory is refused.
    LayerMemory(TableKind kind, int seeds, int lanes);
    explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

    /// Begins layer n: every byte says that nothing can be forced.
    void begin(int n, WorkerPool& pool);
    /// From now on the round of each change is kept; false when memory is refused. After begin().
    bool record_rounds();
    /// What is written from now on belongs to this round.
    void set_round(int round) noexcept;
    std::uint8_t round() const noexcept { return round_; }

    int seeds() const noexcept { return seeds_; }
    int lanes() const noexcept { return lanes_; }
    bool force() const noexcept { return kind_ == TableKind::force; }
    int block_count() const noexcept { return static_cast<int>(blocks_.size()); }
    const LayerBlock& block(int m) const noexcept { return blocks_[static_cast<std::size_t>(m)]; }
    const LayerBlock& block(const BoardSpot& spot) const noexcept { return blocks_[spot.block]; }
    /// Bytes of block m, and of all blocks before it.
    std::size_t block_bytes(int m) const;
    std::uint64_t bytes_before(int m) const noexcept { return before_[static_cast<std::size_t>(m)]; }
    /// After a sweep that wrote to the twin.
    void swap_twins(int m) noexcept;

    std::uint32_t offset_of(int m, std::uint32_t opp, std::uint32_t own) const noexcept {
        const auto lanes = static_cast<std::uint32_t>(lanes_);
        return static_cast<std::uint32_t>(own / lanes * block(m).strip_size + std::size_t{opp} * lanes +
                                          own % lanes);
    }
    RowRanks ranks_of(const BoardSpot& spot) const noexcept {
        const auto lanes = static_cast<std::uint32_t>(lanes_);
        const auto strip_size = static_cast<std::uint32_t>(block(spot).strip_size);
        const std::uint32_t in_strip = spot.offset % strip_size;
        return {in_strip / lanes, spot.offset / strip_size * lanes + in_strip % lanes};
    }
    EntryBytes at(const BoardSpot& spot) const noexcept {
        const LayerBlock& b = block(spot);
        return {b.mover[spot.offset], force() ? b.other[spot.offset] : std::uint8_t{0}};
    }
    /// What leaving the layer is worth on a board of both rows.
    EntryBytes best_at(const BoardSpot& spot, const RowRanks& ranks) const noexcept {
        const LayerBlock& b = block(spot);
        const auto lanes = static_cast<std::uint32_t>(lanes_);
        const std::size_t at =
            ranks.opp / lanes * b.best_strip_size + std::size_t{ranks.own} * lanes + ranks.opp % lanes;
        return {b.best_mover[at], force() ? b.best_other[at] : std::uint8_t{0}};
    }
    /// Puts what leaving the layer is worth for the boards of one own row where the sweep looks for it.
    void store_best(int m, std::uint32_t row, const std::vector<std::uint8_t>& mover,
                    const std::vector<std::uint8_t>& other);
    /// The larger of `best` and of what the board at `spot`, one ply on, leaves the side that moved there.
    void raise(EntryBytes& best, int m, std::uint32_t offset) const noexcept {
        const LayerBlock& b = block(m);
        best.mover = std::max(best.mover, force() ? b.other[offset] : b.mover[offset]);
        if (force()) best.other = std::max(best.other, b.mover[offset]);
    }
    /// A board's bytes from the largest of its successors, and the other way round.
    EntryBytes negated(const EntryBytes& best) const noexcept {
        if (!force()) return {static_cast<std::uint8_t>(-best.mover), 0};
        return {static_cast<std::uint8_t>(~best.mover), static_cast<std::uint8_t>(~best.other)};
    }
    bool differs(const EntryBytes& a, const EntryBytes& b) const noexcept {
        return a.mover != b.mover || (force() && a.other != b.other);
    }
    /// Writes the new bytes; `changed` then holds the old ones.
    void write(ChangedBoard& changed) const noexcept;

    /// The layer, or the rounds of its last changes, in the order of board_index; false when memory is
    /// refused.
    bool copy_out(Layer& into, bool rounds, WorkerPool& pool) const;

    /// Bytes that layers up to `seeds` take; of its boards alone; of the rounds besides.
    static std::size_t bytes(TableKind kind, int seeds, int lanes);
    static std::size_t board_bytes(int seeds, int lanes);
    static std::uint64_t round_bytes(TableKind kind, int seeds, int lanes);

 private:
    TableKind kind_;
    int lanes_;
    int seeds_ = 0;
    std::uint8_t round_ = 0;
    Bytes memory_;
    Bytes when_;
    std::vector<LayerBlock> blocks_;
    std::vector<std::uint64_t> before_;
};

/// Rounds above are not told apart.
inline constexpr int kMaxRound = 255;

}  // namespace wari::detail
