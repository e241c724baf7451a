// Errors as values: what went wrong, in which field, in words a person can act on.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace wari {

enum class ErrorKind : std::uint8_t {
    bad_value,      ///< a field of the input is malformed or out of range
    illegal_move,   ///< the move is refused by the rules in force
    no_history,     ///< nothing to take back
    missing_table,  ///< no tablebase covers the position
    wrong_rules,    ///< a table or record belongs to other rules
    bad_file,       ///< a file is damaged, truncated or foreign
    io,             ///< the operating system refused to read or write
    no_memory,      ///< more memory or disk is needed than is allowed or free
    cancelled,      ///< the caller's stop flag ended the work
    busy,           ///< another process holds what is needed
};

/// One failure. `field` names the offending input, `message` says what is wrong with which value.
struct Error {
    ErrorKind kind = ErrorKind::bad_value;
    std::string field;
    std::string message;
};

namespace detail {

/// The end of a program that takes a value where there is none, or an error where there is a value.
[[noreturn]] inline void wrong_side() noexcept {
    assert(false && "Expected: it holds the other one of value and error");
    __builtin_trap();
}

}  // namespace detail

/// A value or the Error that prevented it. Taking the one that it does not hold is a fault of the program:
/// an assertion fails, and in builds without assertions the processor traps.
template <class T>
class [[nodiscard]] Expected {
 public:
    Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Expected(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    /// Precondition: has_value().
    T& value() & noexcept { return *held<0>(state_); }
    const T& value() const& noexcept { return *held<0>(state_); }
    T&& value() && noexcept { return std::move(*held<0>(state_)); }
    T& operator*() & noexcept { return value(); }
    const T& operator*() const& noexcept { return value(); }
    T&& operator*() && noexcept { return std::move(*this).value(); }
    T* operator->() noexcept { return held<0>(state_); }
    const T* operator->() const noexcept { return held<0>(state_); }

    /// Precondition: !has_value().
    const Error& error() const noexcept { return *held<1>(state_); }

 private:
    template <std::size_t side, class State>
    static auto* held(State& state) noexcept {
        auto* const found = std::get_if<side>(&state);
        if (found == nullptr) detail::wrong_side();
        return found;
    }

    std::variant<T, Error> state_;
};

/// Success, or the Error that prevented it.
using Status = std::optional<Error>;

}  // namespace wari
