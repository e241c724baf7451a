// Allocation of large buffers, and how much memory is free.
#include "huge_pages.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define WARI_HAS_MMAP
#endif
#if defined(__linux__)
#include <cstdio>
#endif

namespace wari::detail {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;
#if defined(__linux__)
constexpr std::size_t kMostToOverwrite = std::size_t{64} << 20;  // when cleared
#endif

}  // namespace

Bytes::Bytes(std::size_t size) {
    if (size == 0) return;
#ifdef WARI_HAS_MMAP
    if (size >= kHugePage) {
        // One page more than needed, so that the start can be moved to a huge page's border.
        const std::size_t mapped = (size + 2 * kHugePage - 1) / kHugePage * kHugePage;
        void* at = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return;
        const auto address = reinterpret_cast<std::uintptr_t>(at);
        const std::size_t skip = (kHugePage - address % kHugePage) % kHugePage;
        if (skip != 0) munmap(at, skip);
        const std::size_t tail = mapped - skip - (size + kHugePage - 1) / kHugePage * kHugePage;
        auto* start = static_cast<std::uint8_t*>(at) + skip;
        if (tail != 0) munmap(start + (mapped - skip - tail), tail);
        mapped_ = mapped - skip - tail;
        data_ = start;
        size_ = size;
#ifdef MADV_HUGEPAGE
        madvise(start, mapped_, MADV_HUGEPAGE);
#endif
        return;
    }
#endif
    heap_ = std::calloc(size + kCacheLine - 1, 1);
    if (heap_ == nullptr) return;
    const std::size_t past_line = reinterpret_cast<std::uintptr_t>(heap_) % kCacheLine;
    data_ = static_cast<std::uint8_t*>(heap_) + (past_line == 0 ? 0 : kCacheLine - past_line);
    size_ = size;
}

void Bytes::clear() noexcept {
    if (data_ == nullptr) return;
#if defined(__linux__)
    if (mapped_ > kMostToOverwrite && madvise(data_, mapped_, MADV_DONTNEED) == 0) return;
#endif
    std::memset(data_, 0, size_);
}

std::size_t Bytes::taken(std::size_t size) noexcept {
    return size < kHugePage ? size : (size + kHugePage - 1) / kHugePage * kHugePage;
}

Bytes::~Bytes() {
#ifdef WARI_HAS_MMAP
    if (mapped_ != 0) {
        munmap(data_, mapped_);
        return;
    }
#endif
    std::free(heap_);
}

std::uint64_t free_memory() {
#if defined(__linux__)
    std::FILE* file = std::fopen("/proc/meminfo", "re");
    if (file == nullptr) return 0;
    constexpr std::string_view kKey = "MemAvailable:";
    char line[128];
    std::uint64_t found = 0;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        if (std::string_view(line).starts_with(kKey)) {
            found = std::strtoull(line + kKey.size(), nullptr, 10) * 1024;  // it is given in kB
        }
    }
    std::fclose(file);
    return found;
#elif defined(WARI_HAS_MMAP) && defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
#else
    return 0;
#endif
}

}  // namespace wari::detail
