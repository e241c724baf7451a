// From the core's errors to Python exceptions: the one place where the kinds and the classes meet.
// Every function here needs the GIL.
#pragma once

#include <utility>

#include "bindings.hpp"
#include "wari/position.hpp"

namespace wari::python {

/// Raises the class of wari.errors that belongs to the error's kind.
[[noreturn]] void raise(const Error& error);

/// Raises IllegalMoveError, or GameOverError where that is the reason, with the words of `error`.
[[noreturn]] void raise_refused(const Error& error, Move move, Refusal refusal);

/// Raises GameOverError for what is no move: agreement, resignation, time.
[[noreturn]] void raise_game_over(const Error& error);

template <class T>
T unwrap(Expected<T> expected) {
    if (!expected) raise(expected.error());
    return std::move(expected).value();
}

inline void check(const Status& status) {
    if (status.has_value()) raise(*status);
}

}  // namespace wari::python
