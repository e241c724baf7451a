// What an engine holds between searches.
#pragma once

#include <mutex>

#include "network.hpp"
#include "proof_store.hpp"
#include "search.hpp"
#include "wari/engine.hpp"

namespace wari {

/// The weights folded for one rule set, made when a search first needs them.
struct PreparedWeights {
    Rules rules;
    std::unique_ptr<EvaluationWeights> weights;
};

struct Engine::State {
    /// Call with `searching` held. The answer stays valid as long as the engine.
    const EvaluationWeights* weights_for(const Rules& rules);

    /// Readies the transposition table; what other rules left in it is forgotten. Call with `searching` held.
    Status ready_table(const Position& position);

    /// While one lives, stop() and ponder_hit() reach the search, however that ends. Takes what was asked
    /// since prepare(), so that nothing of it is left for a later search: made first in every search, and
    /// only with `searching` held.
    class Running {
     public:
        Running(State& state, SearchControl& control, Stopwatch* watch);
        ~Running();
        /// From now on they reach this one, as does a stop() that was asked before.
        void pass_on_to(SearchControl& control);
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

     private:
        State& state_;
    };

    std::vector<PreparedWeights> weights;
    std::unique_ptr<TranspositionTable> table;
    Rules table_for;  ///< the rules its entries hold for
    ProofStore proof;
    std::mutex searching;  ///< held by the one search that runs
    std::mutex mutex;      ///< guards what follows; never held for long
    SearchControl* running_control = nullptr;
    Stopwatch* running_watch = nullptr;
    std::function<void()> stop_batch;
    bool stop_asked = false;  ///< since prepare(), or since the search began
    bool hit_asked = false;
    bool prepared = false;
};

Error busy();

/// Checks limits and multipv; the messages name the field.
Status check_request(const Limits& limits, int multipv);

}  // namespace wari
