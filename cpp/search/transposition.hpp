// The transposition table: what earlier searches found out about a board.
//
// An entry is one 64-bit word, so it is never torn and needs no lock. Eight entries, one cache line,
// make a bucket. A board is known by its rank, mixed by a bijection: the top bits choose the bucket, the
// rest is kept in the entry, so a hit is always the same board, never a chance match.
//
//     bits  63..35         34..31  30..29  28..27  26..20  19..17  16..15  14..0
//           rest of key    reach   proof   age     depth   move    bound   value + 16384
//
// On boards of more than 48 seeds the rest of the key starts at bit 29: nothing is kept of the proof, and
// the reach, rounded up to 5, 8, 11 or 15, stands in place of the age.
// Example: value -100 (one seed behind), lower bound, move 2, depth 5, age 1, nothing proved, reach 3,
// key 9: 9 << 35 | 3 << 31 | 0 << 29 | 1 << 27 | 5 << 20 | 2 << 17 | 1 << 15 | 16284.
// A word with bound 0 is empty.
#pragma once

#include <cstddef>
#include <cstdint>

#include "board_rank.hpp"
#include "huge_pages.hpp"

namespace wari {

/// What an entry, or a value found by search, says: bit 0 "at least", bit 1 "at most".
using BoundSet = std::uint8_t;
inline constexpr BoundSet kAtLeast = 1;
inline constexpr BoundSet kAtMost = 2;
inline constexpr BoundSet kBoth = 3;

/// A chain of quiet plies of 15 or more counts as 15.
inline constexpr int kMaxQuietChain = 15;
/// Depths of 127 plies or more are kept as 127, which is true though it says less.
inline constexpr int kMaxEntryDepth = 127;
inline constexpr int kNoMove = 7;

/// An entry, decoded. `value` counts future seeds only, so it serves every score of the game.
struct Entry {
    int value = 0;
    BoundSet bound = 0;   ///< 0: no entry
    BoundSet proof = 0;   ///< which of the bounds hold to the end of the game, whatever the depth
    int quiet_chain = 0;  ///< the longest chain of quiet plies below that the value rests on
    int depth = 0;
    int move = kNoMove;
};

inline constexpr std::size_t kBucketEntries = 8;
inline constexpr int kValueOffset = 16384;
inline constexpr int kNarrowDataBits = 35;
inline constexpr int kWideDataBits = 29;

/// What the search kernels need to know of the table. Plain data; the table owns the memory.
struct TableView {
    std::uint64_t* words = nullptr;  ///< null: no table
    int rank_bits = kNarrowRankBits;
    int rest_bits = 0;  ///< of the mixed rank, what the bucket number does not hold
    int data_bits = kNarrowDataBits;
    std::uint64_t age = 0;
};

static inline std::uint64_t load_word(const std::uint64_t* word) noexcept {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline void store_word(std::uint64_t* word, std::uint64_t value) noexcept {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// The board's key: its rank through two odd multiplications and a shift, each a bijection on rank_bits.
static inline std::uint64_t table_key(const TableView& table, const Board& board) noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << table.rank_bits) - 1;
    std::uint64_t key = board_rank(board) * 0x9E37'79B9'7F4A'7C15 & mask;
    key ^= key >> 20;
    return key * 0xD6E8'FEB8'6659'FD93 & mask;
}

static inline std::uint64_t* bucket_of(const TableView& table, std::uint64_t key) noexcept {
    return table.words + (key >> table.rest_bits) * kBucketEntries;
}

static inline void prefetch_bucket(const TableView& table, std::uint64_t key) noexcept {
    __builtin_prefetch(bucket_of(table, key));
}

static inline std::uint64_t rest_of(const TableView& table, std::uint64_t key) noexcept {
    return key & ((std::uint64_t{1} << table.rest_bits) - 1);
}

inline constexpr int kQuietChainClasses[] = {5, 8, 11, kMaxQuietChain};

static inline Entry decode(std::uint64_t data, bool wide) noexcept {
    Entry entry;
    entry.value = static_cast<int>(data & 0x7FFF) - kValueOffset;
    entry.bound = static_cast<BoundSet>(data >> 15 & 3);
    entry.move = static_cast<int>(data >> 17 & 7);
    entry.depth = static_cast<int>(data >> 20 & 127);
    if (wide) {
        entry.quiet_chain = kQuietChainClasses[data >> 27 & 3];
    } else {
        entry.proof = static_cast<BoundSet>(data >> 29 & 3);
        entry.quiet_chain = static_cast<int>(data >> 31 & 15);
    }
    return entry;
}

/// The entry for a key; bound 0 when there is none.
static inline Entry probe(const TableView& table, std::uint64_t key) noexcept {
    const std::uint64_t* bucket = bucket_of(table, key);
    const std::uint64_t rest = rest_of(table, key);
    for (std::size_t i = 0; i < kBucketEntries; ++i) {
        const std::uint64_t word = load_word(bucket + i);
        if (word >> table.data_bits == rest && (word >> 15 & 3) != 0) {
            return decode(word & ((std::uint64_t{1} << table.data_bits) - 1), table.rank_bits == kRankBits);
        }
    }
    return {};
}

/// Puts an entry in place of the same board's, or of the least useful one: an older search's first, where the
/// age is known, then the shallowest.
static inline void put(const TableView& table, std::uint64_t key, const Entry& entry) noexcept {
    std::uint64_t* bucket = bucket_of(table, key);
    const std::uint64_t rest = rest_of(table, key);
    std::size_t worst = 0;
    std::uint64_t worst_use = ~std::uint64_t{0};
    const bool wide = table.rank_bits == kRankBits;  // then there is no age
    for (std::size_t i = 0; i < kBucketEntries; ++i) {
        const std::uint64_t word = load_word(bucket + i);
        if (word >> table.data_bits == rest || (word >> 15 & 3) == 0) {
            worst = i;
            break;
        }
        const bool current = wide || (word >> 27 & 3) == table.age;
        const std::uint64_t use = (word >> 20 & 127) + (current ? 128 : 0);
        if (use < worst_use) {
            worst_use = use;
            worst = i;
        }
    }
    const auto depth =
        static_cast<std::uint64_t>(entry.depth < kMaxEntryDepth ? entry.depth : kMaxEntryDepth);
    std::uint64_t data = static_cast<std::uint64_t>(entry.value + kValueOffset) |
                         static_cast<std::uint64_t>(entry.bound) << 15 |
                         static_cast<std::uint64_t>(entry.move) << 17 | depth << 20;
    if (wide) {
        std::uint64_t reach_class = 0;
        while (kQuietChainClasses[reach_class] < entry.quiet_chain) ++reach_class;
        data |= reach_class << 27;
    } else {
        data |= table.age << 27 | static_cast<std::uint64_t>(entry.proof) << 29 |
                static_cast<std::uint64_t>(entry.quiet_chain) << 31;
    }
    store_word(bucket + worst, rest << table.data_bits | data);
}

/// Owns the memory of a table of a power of two of buckets, at most `mebibytes`.
class TranspositionTable {
 public:
    /// Least size in MiB that holds the keys of boards of more than 48 seeds.
    static constexpr std::size_t kWideLeastMebibytes = 8;

    explicit TranspositionTable(std::size_t mebibytes);
    TranspositionTable(const TranspositionTable&) = delete;
    TranspositionTable& operator=(const TranspositionTable&) = delete;

    /// False when there was no memory.
    bool usable() const noexcept { return static_cast<bool>(memory_); }

    /// Readies the table for a search of boards of up to `seeds`; starts a new age.
    /// False when the table has to grow for that and cannot.
    bool begin_search(int seeds);
    /// Forgets all; costs nothing before the first begin_search().
    void clear();
    const TableView& view() const noexcept { return view_; }

    /// Calls `visit(key, data)` for every entry; put_back() takes both, into a table of any size.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t i = 0; i < buckets_ * kBucketEntries; ++i) {
            const std::uint64_t word = load_word(view_.words + i);
            if ((word >> 15 & 3) == 0) continue;
            const std::uint64_t rest = word >> view_.data_bits;
            visit(std::uint64_t{i / kBucketEntries} << view_.rest_bits | rest,
                  word & ((std::uint64_t{1} << view_.data_bits) - 1));
        }
    }
    /// Precondition: begin_search() was called, and the key has no bits beyond view().rank_bits.
    void put_back(std::uint64_t key, std::uint64_t data) const noexcept {
        const Entry entry = decode(data, wide_);
        if (entry.bound != 0) put(view_, key, entry);
    }

    std::size_t mebibytes() const noexcept { return mebibytes_; }
    /// Entries written by the current search, in thousandths, from a sample; on boards of more than 48 seeds
    /// by any.
    int permille_full() const noexcept;

 private:
    bool allocate(std::size_t mebibytes);
    void set_layout(bool wide);

    detail::Bytes memory_;
    std::size_t mebibytes_ = 0;
    std::size_t buckets_ = 0;
    bool wide_ = false;
    bool in_use_ = false;  ///< else nothing was written to the memory since its allocation: all zero
    TableView view_;
};

/// There is no memory for tables.
Error no_hash_memory();

}  // namespace wari
