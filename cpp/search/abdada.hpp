// Which children the threads of one search have in work, so that each looks at different ones: a thread that
// comes to a child which another has in work looks at the other children first, and then mostly finds the
// answer in the table. After T. Kerrigan's simplification of ABDADA (J.-C. Weill, ICCA Journal 19(1), 1996).
// Private; part of the kernels. A wrong mark costs time, never truth.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "parameters.hpp"

namespace wari {

/// Marks of children and depths; 0 where there is none. One thread alone needs none.
struct InProgressTable {
    std::array<std::atomic<std::uint64_t>, std::size_t{1} << parameters::kInProgressBits> marks{};
};

static inline std::uint64_t in_progress_mark(std::uint64_t key, int depth) noexcept {
    return (key + static_cast<std::uint64_t>(depth)) * 0x9E37'79B9'7F4A'7C15 | 1;
}

/// Marks the child; false when another thread has it in work.
static inline bool mark_in_progress(InProgressTable& table, std::uint64_t key, int depth) noexcept {
    const std::uint64_t mark = in_progress_mark(key, depth);
    std::atomic<std::uint64_t>& place = table.marks[mark >> (64 - parameters::kInProgressBits)];
    const std::uint64_t there = place.load(std::memory_order_relaxed);
    if (there == 0) place.store(mark, std::memory_order_relaxed);
    return there != mark;
}

static inline void clear_in_progress(InProgressTable& table, std::uint64_t key, int depth) noexcept {
    const std::uint64_t mark = in_progress_mark(key, depth);
    std::atomic<std::uint64_t>& place = table.marks[mark >> (64 - parameters::kInProgressBits)];
    if (place.load(std::memory_order_relaxed) == mark) place.store(0, std::memory_order_relaxed);
}

}  // namespace wari
