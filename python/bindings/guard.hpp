// Keeps what Python raises while the core works without the GIL, until the work has ended.
#pragma once

#include <exception>

#include "bindings.hpp"

namespace wari::python {

// What Python raised while the search ran, kept until the search has ended.
class Guard {
 public:
    template <class Work>
    bool run(Work work) {
        const py::gil_scoped_acquire gil;
        try {
            work();
        } catch (...) {
            raised_ = std::current_exception();
        }
        return raised_ != nullptr;
    }
    /// Lets Python's signal handlers run; true when one raised.
    bool signalled() {
        return run([] {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        });
    }
    void rethrow() const {
        if (raised_ != nullptr) std::rethrow_exception(raised_);
    }
    bool raised() const { return raised_ != nullptr; }

 private:
    std::exception_ptr raised_;
};

}  // namespace wari::python
