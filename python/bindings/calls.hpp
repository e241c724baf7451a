// Calls that let other Python threads run meanwhile, and their end when the interpreter ends.
//
// Python up to 3.13 unwinds a daemon thread that asks an ending interpreter for the GIL. Frames of C++
// that may not throw would end the process; so such a thread rests, for good, at the place where it asked.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "bindings.hpp"
#include "wari/task.hpp"

namespace wari::python {

/// One call of the core that runs without the GIL. Made, run and destroyed with the GIL, by one thread.
class Call {
 public:
    /// Raises SystemExit in another thread than the one that ends the interpreter.
    Call();
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Runs `work` without the GIL. Raises what Python raised meanwhile, and SystemExit where the
    /// interpreter ends.
    template <class Work>
    std::invoke_result_t<Work> run(Work work) {
        return run(work, [](const std::invoke_result_t<Work>&) {});
    }
    /// The same; where Python has raised, `keep` gets what the work returned all the same.
    template <class Work, class Keep>
    std::invoke_result_t<Work> run(Work work, Keep keep) {
        std::optional<std::invoke_result_t<Work>> result;
        std::exception_ptr thrown;
        release();
        try {
            result.emplace(work());
        } catch (const std::exception&) {
            thrown = std::current_exception();
        }
        retake();
        if (result.has_value() && raised_ != nullptr && !ending()) keep(*result);
        finish();
        if (thrown != nullptr) std::rethrow_exception(thrown);
        return std::move(*result);
    }

    // What follows is for the work, in the thread of the call and without the GIL.

    /// Lets Python's signal handlers run, though not again within some milliseconds. True when the work shall
    /// end: Python has raised, or ends.
    bool asked();
    /// A task that lets them run.
    Task<> task() {
        Task<> task;
        task.stop_requested = [this] { return asked(); };
        return task;
    }
    /// The same, which calls `function`, where there is one, with the tuple that `convert` makes of progress.
    template <class Progress, class Function, class Convert>
    Task<Progress> task(const std::optional<Function>& function, Convert convert) {
        Task<Progress> task;
        task.stop_requested = [this] { return asked(); };
        if (function.has_value()) {
            task.on_progress = [this, &function, convert](const Progress& at) {
                report(*function, [&] { return convert(at); });
            };
        }
        return task;
    }

    /// Calls `function` with the tuple that `make` gives. False when the work shall end.
    template <class Make>
    bool report(const py::object& function, Make make) {
        return with_gil([&] {
            const py::tuple arguments = make();
            call(function.ptr(), arguments.ptr());
        });
    }

    // What follows is for the thread that ends the interpreter, with the GIL.

    /// Asks the calls of all other threads to end and waits for them; not for long for those that are in a
    /// Python function.
    static void end_all();
    /// In a forked child: the calls of threads that are not there any more.
    static void forget_others();

 private:
    /// Keeps what Python raises in `work`. False when the call's work shall end.
    template <class Work>
    bool with_gil(Work work) {
        if (raised_ != nullptr || ending()) return false;
        retake();
        in_python_ = true;
        try {
            work();
        } catch (const std::exception&) {
            raised_ = std::current_exception();
        } catch (...) {
            rest();  // no exception: the thread is being unwound
        }
        in_python_ = false;
        release();
        return raised_ == nullptr && !ending();
    }

    [[noreturn]] static void rest() noexcept;
    static void call(PyObject* function, PyObject* arguments);
    bool ending() const noexcept;
    void release() { state_ = PyEval_SaveThread(); }
    void retake() noexcept;
    void finish() const;

    PyThreadState* state_ = nullptr;
    std::thread::id thread_ = std::this_thread::get_id();
    bool in_python_ = false;
    std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
    std::exception_ptr raised_;
};

}  // namespace wari::python
