// The tables of a proof, made and cleared.
#include "proof_store.hpp"

#include "wari/tablebase.hpp"

#include <algorithm>

namespace wari {

Status ProofStore::ready(const Position& next, int mebibytes) {
    for (auto& table : tables) {
        if (!table) {
            table =
                std::make_unique<TranspositionTable>(static_cast<std::size_t>(std::max(1, mebibytes / 2)));
        }
        if (!same_tables(tables_for, next.rules())) table->clear();
        if (!table->usable() || !table->begin_search(board_seeds(next.board()))) return no_hash_memory();
    }
    tables_for = next.rules();
    return std::nullopt;
}

}  // namespace wari
