// The memory of the transposition table: huge pages where the system has them, clearing, ageing.
#include "transposition.hpp"

#include <bit>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace wari {
namespace {

constexpr std::size_t kBytesPerBucket = kBucketEntries * sizeof(std::uint64_t);
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
// A larger table is cleared by giving its pages back, which takes as long as was used of it.
constexpr std::size_t kMostToOverwrite = std::size_t{64} << 20;

}  // namespace

// The system's own pages come zeroed, so a fresh table costs nothing until it is used. The memory begins
// at a huge page; `offset` bytes before that were mapped too.
void FreeTable::operator()(std::uint64_t* words) const noexcept {
#if defined(__linux__)
    munmap(reinterpret_cast<std::byte*>(words) - offset, bytes + kHugePageBytes);
#else
    ::operator delete[](words, std::align_val_t{kBytesPerBucket});
#endif
}

TranspositionTable::TranspositionTable(std::size_t mebibytes) { allocate(mebibytes); }

bool TranspositionTable::allocate(std::size_t mebibytes) {
    buckets_ = std::bit_floor((mebibytes << 20) / kBytesPerBucket);
    mebibytes_ = (buckets_ * kBytesPerBucket) >> 20;
    const std::size_t bytes = buckets_ * kBytesPerBucket;
    words_.reset();
    in_use_ = false;
#if defined(__linux__)
    void* mapped =
        mmap(nullptr, bytes + kHugePageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return false;
    const std::size_t offset = kHugePageBytes - reinterpret_cast<std::uintptr_t>(mapped) % kHugePageBytes;
    void* memory = static_cast<std::byte*>(mapped) + offset;
    // Advice only: with 2 MiB pages a probe seldom misses the address cache.
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    words_ = {static_cast<std::uint64_t*>(memory), FreeTable{bytes, offset}};
#else
    void* memory = ::operator new[](bytes, std::align_val_t{kBytesPerBucket}, std::nothrow);
    if (memory == nullptr) return false;
    words_ = {static_cast<std::uint64_t*>(memory), FreeTable{bytes, 0}};
    std::memset(memory, 0, bytes);
#endif
    set_layout(false);
    return true;
}

void TranspositionTable::set_layout(bool wide) {
    wide_ = wide;
    view_.words = words_.get();
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
    if (!in_use_) return;
    const std::size_t bytes = buckets_ * kBytesPerBucket;
#if defined(__linux__)
    if (bytes > kMostToOverwrite && madvise(words_.get(), bytes, MADV_DONTNEED) == 0) return;
#endif
    std::memset(words_.get(), 0, bytes);
}

int TranspositionTable::permille_full() const noexcept {
    constexpr std::size_t kSample = 1000 / kBucketEntries;
    std::size_t used = 0;
    for (std::size_t i = 0; i < kSample * kBucketEntries; ++i) {
        const std::uint64_t verdict = load_word(words_.get() + i);
        if ((verdict >> 15 & 3) != 0 && (wide_ || (verdict >> 27 & 3) == view_.age)) ++used;
    }
    return static_cast<int>(used);
}

Error no_hash_memory() {
    return {ErrorKind::no_memory, "hash_mb", "hash_mb: there is no memory for the search's tables"};
}

}  // namespace wari
