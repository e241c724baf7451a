// The memory of the transposition table: allocation, clearing, ageing.
#include "transposition.hpp"

#include <bit>

namespace wari {
namespace {

constexpr std::size_t kBytesPerBucket = kBucketEntries * sizeof(std::uint64_t);

}  // namespace

TranspositionTable::TranspositionTable(std::size_t mebibytes) { allocate(mebibytes); }

bool TranspositionTable::allocate(std::size_t mebibytes) {
    buckets_ = std::bit_floor((mebibytes << 20) / kBytesPerBucket);
    mebibytes_ = (buckets_ * kBytesPerBucket) >> 20;
    in_use_ = false;
    memory_ = {};
    memory_ = detail::Bytes(buckets_ * kBytesPerBucket);
    if (!memory_) return false;
    set_layout(false);
    return true;
}

void TranspositionTable::set_layout(bool wide) {
    wide_ = wide;
    view_.words = reinterpret_cast<std::uint64_t*>(memory_.data());
    view_.rank_bits = wide ? kRankBits : kNarrowRankBits;
    view_.rest_bits = view_.rank_bits - std::countr_zero(buckets_);
    view_.data_bits = wide ? kWideDataBits : kNarrowDataBits;
    view_.age = 0;
}

bool TranspositionTable::begin_search(int seeds) {
    if (!usable()) return false;
    const bool wide = seeds > kNarrowSeeds;
    if (wide && mebibytes_ < kWideLeastMebibytes && !allocate(kWideLeastMebibytes)) return false;
    if (wide != wide_) {
        set_layout(wide);
        clear();
    }
    view_.age = (view_.age + 1) & 3;
    in_use_ = true;
    return true;
}

void TranspositionTable::clear() {
    if (in_use_) memory_.clear();
}

int TranspositionTable::permille_full() const noexcept {
    constexpr std::size_t kSample = 1000 / kBucketEntries;
    std::size_t used = 0;
    for (std::size_t i = 0; i < kSample * kBucketEntries; ++i) {
        const std::uint64_t word = load_word(view_.words + i);
        if ((word >> 15 & 3) != 0 && (wide_ || (word >> 27 & 3) == view_.age)) ++used;
    }
    return static_cast<int>(used);
}

Error no_hash_memory() {
    return {ErrorKind::no_memory, "hash_mb", "hash_mb: there is no memory for the search's tables"};
}

}  // namespace wari
