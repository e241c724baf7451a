// The memory of the transposition table: huge pages where the system has them, clearing, ageing.
#include "transposition.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace wari {
namespace {

constexpr std::size_t kBytesPerBucket = kBucketEntries * sizeof(std::uint64_t);
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

}  // namespace

void TranspositionTable::Free::operator()(std::uint64_t* words) const noexcept {
    ::operator delete[](words, std::align_val_t{kHugePageBytes});
}

TranspositionTable::TranspositionTable(std::size_t mebibytes) { allocate(mebibytes); }

bool TranspositionTable::allocate(std::size_t mebibytes) {
    const std::size_t buckets = std::bit_floor((mebibytes << 20) / kBytesPerBucket);
    words_.reset();
    void* memory =
        ::operator new[](buckets * kBytesPerBucket, std::align_val_t{kHugePageBytes}, std::nothrow);
    if (memory == nullptr) return false;
#if defined(__linux__)
    // Advice only: with 2 MiB pages a probe seldom misses the address cache.
    (void)madvise(memory, buckets * kBytesPerBucket, MADV_HUGEPAGE);
#endif
    words_.reset(static_cast<std::uint64_t*>(memory));
    buckets_ = buckets;
    mebibytes_ = (buckets * kBytesPerBucket) >> 20;
    set_layout(wide_);
    return true;
}

void TranspositionTable::set_layout(bool wide) {
    wide_ = wide;
    view_.words = words_.get();
    view_.rank_bits = wide ? kRankBits : kNarrowRankBits;
    view_.rest_bits = view_.rank_bits - std::countr_zero(buckets_);
    view_.data_bits = wide ? kWideDataBits : kNarrowDataBits;
    view_.age = 0;
    clear();
}

bool TranspositionTable::begin_search(int seeds) {
    const bool wide = seeds > kNarrowSeeds;
    if (wide && mebibytes_ < kWideLeastMebibytes && !allocate(kWideLeastMebibytes)) return false;
    if (wide != wide_) set_layout(wide);
    view_.age = (view_.age + 1) & 3;
    return true;
}

void TranspositionTable::clear() { std::memset(words_.get(), 0, buckets_ * kBytesPerBucket); }

int TranspositionTable::permille_full() const noexcept {
    constexpr std::size_t kSample = 1000 / kBucketEntries;
    std::size_t used = 0;
    for (std::size_t i = 0; i < kSample * kBucketEntries; ++i) {
        const std::uint64_t word = load_word(words_.get() + i);
        if ((word >> 15 & 3) != 0 && (word >> 27 & 3) == view_.age) ++used;
    }
    return static_cast<int>(used);
}

}  // namespace wari
