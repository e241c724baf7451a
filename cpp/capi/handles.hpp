// What stands behind the handles of wari.h, and the wall that no exception passes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "wari.h"
#include "wari/engine.hpp"
#include "wari/game.hpp"
#include "wari/tablebase.hpp"
#include "wari/task.hpp"

namespace wari::capi {

/// Why a call failed; by default it did not.
struct Problem {
    wari_status status = WARI_OK;
    int refusal = WARI_LEGAL;
    std::string field;
    std::string message;

    Problem() = default;
    Problem(wari_status kind, std::string_view where, std::string_view what)
        : status(kind), field(where), message(what) {}
    Problem(const Error& error);
    Problem(const Status& error) : Problem(error.has_value() ? Problem(*error) : Problem()) {}

    bool failed() const noexcept { return status != WARI_OK; }
};

Problem null(const char* argument);
Problem bad(const char* field, const std::string& what);
Problem refused(Move move, Refusal refusal);

/// The last failure of a handle. Threads may fail at the same time.
class Failure {
 public:
    void keep(const Problem& problem) noexcept;
    wari_status copy_to(wari_error* error) const noexcept;

 private:
    mutable std::mutex mutex_;
    Problem last_;
};

/// Fills a caller's struct; one of an unknown size is left alone.
void fill(wari_error* error, const Problem& problem) noexcept;

template <std::uint32_t Tag>
class Handle {
 public:
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { tag_ = 0; }

    bool valid() const noexcept { return tag_ == Tag; }

    mutable Failure failure;

 private:
    volatile std::uint32_t tag_ = Tag;  ///< volatile: written for those who come too late
};

/// Runs `work`, which returns a Problem; whatever it throws becomes one. The texts fit in a string without
/// allocation.
template <class Work>
Problem attempt(const Work& work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return {WARI_ERROR_NO_MEMORY, "", "out of memory"};
    } catch (const std::system_error&) {
        return {WARI_ERROR_NO_MEMORY, "", "no more threads"};
    } catch (...) {
        return {WARI_ERROR_INTERNAL, "", "internal error"};
    }
}

/// A function on a handle: its failures are kept there.
template <class Owner, class Work>
wari_status on(const Owner* handle, const Work& work) noexcept {
    if (handle == nullptr) return WARI_ERROR_NULL_ARGUMENT;
    if (!handle->valid()) return WARI_ERROR_BAD_HANDLE;
    const Problem problem = attempt(work);
    if (problem.failed()) handle->failure.keep(problem);
    return problem.status;
}

/// A function without a handle: its failures go to `error`, which may be null.
template <class Work>
wari_status report(wari_error* error, const Work& work) noexcept {
    const Problem problem = attempt(work);
    if (problem.failed()) fill(error, problem);
    return problem.status;
}

/// Checks a second handle among the arguments.
template <class Owner>
Problem check(const Owner* handle, const char* argument) {
    if (handle == nullptr) return null(argument);
    if (!handle->valid()) {
        return {WARI_ERROR_BAD_HANDLE, argument,
                std::string(argument) + ": not a handle of that type, or freed"};
    }
    return {};
}

template <class Owner>
void release(Owner* handle) noexcept {
    if (handle != nullptr && handle->valid()) delete handle;
}

template <class Owner>
wari_status last_error(const Owner* handle, wari_error* error) noexcept {
    if (handle == nullptr || error == nullptr) return WARI_ERROR_NULL_ARGUMENT;
    if (!handle->valid()) return WARI_ERROR_BAD_HANDLE;
    return handle->failure.copy_to(error);
}

/// The rules a text stands for; null: the default.
Expected<Rules> rules_of(const char* text);

/// A text into the caller's buffer, as wari.h says.
Problem copy_text(std::string_view text, char* buffer, std::size_t size, std::size_t* needed);

/// Legal moves as a text.
Problem copy_moves(const MoveList& moves, char* buffer);

/// Numbers of wari.h, where 0 means none.
inline int number_of(std::optional<Refusal> refusal) {
    return refusal.has_value() ? static_cast<int>(*refusal) + 1 : WARI_LEGAL;
}
inline int number_of(std::optional<Ending> ending) {
    return ending.has_value() ? static_cast<int>(*ending) + 1 : WARI_PLAYING;
}
Expected<Side> side_of(std::int32_t side);

/// Seeds of both sides and the winner, where the game is over.
template <class Data>
void put_outcome(const std::optional<Outcome>& outcome, Data& data) {
    data.winner = WARI_NOBODY;
    data.ending = WARI_PLAYING;
    if (!outcome.has_value()) return;
    data.ending = number_of(outcome->ending);
    data.result[0] = outcome->south;
    data.result[1] = outcome->north;
    if (outcome->winner.has_value()) data.winner = static_cast<int>(*outcome->winner);
}

/// The caller's callbacks. What they throw is caught, and ends the work; once one wants an end none is
/// called.
class Caller {
 public:
    explicit Caller(void* user_data) : user_data_(user_data) {}

    /// Calls one; a null one wants no end.
    template <class Function, class... Arguments>
    void call(Function function, Arguments... arguments) noexcept {
        if (ended_ || function == nullptr) return;
        try {
            ended_ = function(user_data_, arguments...) != 0;
        } catch (...) {
            ended_ = threw_ = true;
        }
    }
    /// A task that asks `interrupted` and gives `progress` what `convert` makes of it.
    template <class Progress, class Options, class Convert>
    Task<Progress> task(const Options& options, Convert convert) {
        Task<Progress> task;
        task.stop_requested = [this, &options] {
            call(options.interrupted);
            return ended_;
        };
        if (options.progress != nullptr) {
            task.on_progress = [this, &options, convert](const Progress& at) {
                const auto shown = convert(at);
                call(options.progress, &shown);
            };
        }
        return task;
    }
    Problem check() const {
        if (!threw_) return {};
        return {WARI_ERROR_CALLBACK, "", "a callback threw an exception"};
    }

 private:
    void* user_data_;
    bool ended_ = false;
    bool threw_ = false;
};

}  // namespace wari::capi

struct wari_position : wari::capi::Handle<0x77617270> {
    explicit wari_position(const wari::Position& position) : value(position) {}
    wari::Position value;
};

struct wari_game : wari::capi::Handle<0x77617267> {
    explicit wari_game(wari::Game game) : value(std::move(game)) {}
    wari::Game value;
};

struct wari_tablebase : wari::capi::Handle<0x77617274> {
    explicit wari_tablebase(wari::TablebasePtr table) : value(std::move(table)) {}
    wari::TablebasePtr value;
};

struct wari_analysis : wari::capi::Handle<0x77617261> {
    explicit wari_analysis(const wari::Analysis& analysis);
    wari::Analysis value;
    std::vector<std::string> pvs;  ///< of the lines, as text
};

struct wari_engine : wari::capi::Handle<0x77617265> {
    std::shared_ptr<wari::TableCache> cache;
    std::unique_ptr<wari::Engine> value;
    std::atomic<int> calls{0};  ///< that run now
};
