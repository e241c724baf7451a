// Saving a proof and taking it up again.
#pragma once

#include <string>

#include "proof_store.hpp"

namespace wari {

/// As Engine::save_proof says.
Status save_proof(const ProofStore& proof, const std::string& path);
/// As Engine::load_proof says.
Expected<Position> load_proof(ProofStore& proof, const std::string& path, int mebibytes);

}  // namespace wari
