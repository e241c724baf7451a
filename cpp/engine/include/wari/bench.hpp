// A search of fixed positions to fixed depths: its total of nodes is the signature of the search, the same on
// every machine and build; its speed is the machine's.
#pragma once

#include <string>
#include <vector>

#include "wari/engine.hpp"
#include "wari/export.hpp"

namespace wari {

struct BenchEntry {
    std::string rules;
    std::string position;
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;  ///< of the processor
    Move best;
};

struct BenchResult {
    std::vector<BenchEntry> entries;
    std::uint64_t nodes = 0;
    double seconds = 0;  ///< of the processor
};

/// One thread, 16 MiB of hash, no tablebase, each position by itself. `deeper` is added to each depth.
/// Errors: those of Engine; cancelled.
WARI_API Expected<BenchResult> bench(EvaluationKind evaluation = kBestEvaluation, bool full_width = false,
                                     int deeper = 0, const Task<>& task = {});

}  // namespace wari
