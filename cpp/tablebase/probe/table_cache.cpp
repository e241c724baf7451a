// The tables in use, looked up and built under one lock.
#include "wari/table_cache.hpp"

#include <utility>

namespace wari {

Expected<TablebasePtr> TableCache::get(const Rules& rules, const Task<>& task) {
    const std::lock_guard lock(mutex_);
    for (const TablebasePtr& table : tables_) {
        if (same_tables(table->rules(), rules)) return table;
    }
    BuildOptions options;
    options.seeds = kAutoTableSeeds;
    options.verify = VerifyLevel::none;
    options.task.stop_requested = task.stop_requested;
    auto built = Tablebase::build(rules, options);
    if (built.has_value()) tables_.push_back(*built);
    return built;
}

void TableCache::add(TablebasePtr table) {
    const std::lock_guard lock(mutex_);
    for (TablebasePtr& known : tables_) {
        if (same_tables(known->rules(), table->rules())) {
            known = std::move(table);
            return;
        }
    }
    tables_.push_back(std::move(table));
}

}  // namespace wari
