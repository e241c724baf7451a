// The tables in use, looked up and built under one lock.
#include "wari/table_cache.hpp"

#include <utility>

namespace wari {

Expected<TablebasePtr> TableCache::get(const Rules& rules, const StopQuery& stop) {
    const std::lock_guard lock(mutex_);
    for (const TablebasePtr& table : tables_) {
        if (same_tables(table->rules(), rules)) return table;
    }
    BuildOptions options;
    options.seeds = kAutoTableSeeds;
    options.verify = false;
    options.stop = stop;
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
