// How much memory the work on tables takes: bounds from above, computed before any of it is taken.
// tests/test_table_needs.py measures.
#pragma once

#include <cstdint>
#include <optional>

#include "wari/tablebase.hpp"

namespace wari::detail {

/// Layers 0..seeds in memory.
std::uint64_t layers_bytes(TableKind kind, int seeds);

/// Building them, and packing them where that is asked for.
std::uint64_t building_bytes(TableKind kind, int seeds, int threads, std::optional<TablePacking> packing);

/// Verifying them, the layers included; of a file, its size as well, which is more than its index takes.
std::uint64_t verifying_bytes(TableKind kind, int seeds, int threads, std::uint64_t file_bytes);

/// Saving a table, the layers not included; with `loading` they are read from a file one by one.
std::uint64_t saving_bytes(TableKind kind, int seeds, TablePacking packing, int threads, bool loading);

/// The rounds of the last changes of one layer, the smaller layers included where they have to be loaded.
std::uint64_t last_rounds_bytes(TableKind kind, int seeds, bool loading);

}  // namespace wari::detail
