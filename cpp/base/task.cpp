// The question whether to stop.
#include "wari/task.hpp"

namespace wari {

bool Task<void>::stopped() const { return stop_requested && stop_requested(); }

}  // namespace wari
