// What is kept of a proof between questions: the position, the answer, and the tables to go on with.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "transposition.hpp"
#include "wari/error.hpp"
#include "wari/solve.hpp"

namespace wari {

struct ProofStore {
    /// One for what the side to move proves, one for the other side; made when they are first needed.
    std::array<std::unique_ptr<TranspositionTable>, 2> tables;
    Rules tables_for;
    std::optional<Position> position;  ///< the last one asked about
    std::vector<Board> history;
    Solution solution;

    /// Is what is kept about this very question?
    bool about(const SolveRequest& request) const {
        return position == request.root.position && history == request.root.history;
    }

    /// Readies the tables; what other rules left in them is forgotten. Errors: no_memory.
    Status ready(const Position& next, int mebibytes);
};

}  // namespace wari
