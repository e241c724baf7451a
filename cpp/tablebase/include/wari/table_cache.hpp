// The tables in use, one for each rule set, built in memory where none was given.
#pragma once

#include <mutex>
#include <vector>

#include "wari/tablebase.hpp"

namespace wari {

inline constexpr int kAutoTableSeeds = 10;

/// Tables for any rules: those added, and where none fits one of up to kAutoTableSeeds seeds, built in
/// memory when a rule set first needs it. May be shared by engines and threads; it lives as long as any of
/// them.
class WARI_API TableCache {
 public:
    /// The table for `rules`, built now if it is not there yet. Errors: no_memory; cancelled, once `task`
    /// says so.
    Expected<TablebasePtr> get(const Rules& rules, const Task<>& task = {});
    /// From now on `table` answers for its rules, in place of the one that did.
    void add(TablebasePtr table);

 private:
    std::mutex mutex_;
    std::vector<TablebasePtr> tables_;
};

}  // namespace wari
