// What every call that may take long is given: how to be stopped, whom to report to, how many threads at
// most.
#pragma once

#include <functional>

#include "wari/export.hpp"

namespace wari {

/// The most threads that tables and engines can be asked to work with.
inline constexpr int kMaxThreads = 256;

/// A task that says `stop_requested` some time soon ends the work; a default one lets it run to its end.
/// Both functions are called by the thread that made the call, and by no other. What they throw ends the work
/// and leaves the call.
template <class Progress = void>
struct Task;

template <>
struct WARI_API Task<void> {
    /// Asked every few milliseconds; may be null.
    std::function<bool()> stop_requested;

    /// Out of line, since kernels for several instruction sets call it.
    bool stopped() const;
};

/// Where there may be none.
inline bool stopped(const Task<>* task) { return task != nullptr && task->stopped(); }

/// The same for work that reports how far it has come.
template <class Progress>
struct Task : Task<void> {
    std::function<void(const Progress&)> on_progress;  ///< may be null

    /// Reports, where somebody listens. False once the work shall end.
    bool report(const Progress& progress) const {
        if (on_progress) on_progress(progress);
        return !stopped();
    }
};

}  // namespace wari
