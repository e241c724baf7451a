// The calls that run, and how they end.
#include "calls.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

namespace wari::python {
namespace {

using namespace std::chrono_literals;

/// How long the end of the interpreter waits for Python functions that calls of ours have called.
constexpr auto kPatience = 500ms;
/// Taking the GIL costs other threads time.
constexpr auto kBetweenQuestions = 5ms;

struct Running {
    std::vector<const Call*> calls;   ///< guarded by the GIL
    std::atomic<bool> ending{false};  ///< set after `ender`
    std::thread::id ender;            ///< the thread that ends the interpreter
};

// Never destroyed: threads may rest in a call until the process ends.
Running& running() {
    static Running* const one = new Running;
    return *one;
}

[[noreturn]] void raise_system_exit() {
    PyErr_SetNone(PyExc_SystemExit);  // ends a Python thread without a word
    throw py::error_already_set();
}

}  // namespace

Call::Call() {
    if (ending()) raise_system_exit();
    running().calls.push_back(this);
}

Call::~Call() { std::erase(running().calls, this); }

bool Call::ending() const noexcept {
    const Running& all = running();
    return all.ending.load(std::memory_order_acquire) && all.ender != thread_;
}

void Call::rest() noexcept {
    for (;;) std::this_thread::sleep_for(1h);
}

void Call::retake() noexcept {
    try {
        PyEval_RestoreThread(state_);
    } catch (...) {
        rest();
    }
}

void Call::finish() const {
    if (ending()) raise_system_exit();
    if (raised_ != nullptr) std::rethrow_exception(raised_);
}

bool Call::asked() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < kBetweenQuestions) return raised_ != nullptr || ending();
    asked_ = now;
    return !with_gil([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
}

// No object of ours may be in a frame that is unwound: it would touch Python without the GIL.
void Call::call(PyObject* function, PyObject* arguments) {
    bool raised = false;
    try {
        PyObject* const answer = PyObject_CallObject(function, arguments);
        raised = answer == nullptr;
        Py_XDECREF(answer);
    } catch (...) {
        rest();
    }
    if (raised) throw py::error_already_set();
}

void Call::end_all() {
    Running& all = running();
    const auto me = std::this_thread::get_id();
    all.ender = me;
    all.ending.store(true, std::memory_order_release);
    for (auto worked = std::chrono::steady_clock::now();;) {
        const auto now = std::chrono::steady_clock::now();
        bool any = false;
        for (const Call* call : all.calls) {
            if (call->thread_ == me) continue;
            any = true;
            if (!call->in_python_) worked = now;
        }
        if (!any || now - worked > kPatience) return;
        {
            const py::gil_scoped_release released;
            std::this_thread::sleep_for(1ms);
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

void Call::forget_others() {
    std::erase_if(running().calls,
                  [](const Call* call) { return call->thread_ != std::this_thread::get_id(); });
}

}  // namespace wari::python
