// What every long piece of work is given: how to be stopped, with how many threads to go about it.
// Owns these few words only; must not know what the work is.
#pragma once

namespace wari {

/// The most threads that tables and engines can be asked to work with.
inline constexpr int kMaxThreads = 256;

/// Asked now and then by long computations; returning true ends them.
struct StopQuery {
    bool (*ask)(void* context) = nullptr;
    void* context = nullptr;

    bool stopped() const { return ask != nullptr && ask(context); }
};

}  // namespace wari
