// The map from ErrorKind to the classes of wari.errors.
#include "errors.hpp"

#include <string>

namespace wari::python {
namespace {

const char* class_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::bad_value: return "InvalidValueError";
        case ErrorKind::illegal_move: return "IllegalMoveError";
        case ErrorKind::no_history: return "NoHistoryError";
        case ErrorKind::missing_table: return "MissingTableError";
        case ErrorKind::wrong_rules: return "WrongRulesError";
        case ErrorKind::bad_file: return "TableFileError";
        case ErrorKind::io: return "StorageError";
        case ErrorKind::no_memory: return "NotEnoughMemoryError";
        case ErrorKind::cancelled: return "CancelledError";
        case ErrorKind::busy: return "BusyError";
    }
    return "WariError";
}

[[noreturn]] void raise_instance(const char* name, const py::object& arguments) {
    const py::object type = py::module_::import("wari.errors").attr(name);
    const py::object instance = type(*arguments);
    PyErr_SetObject(type.ptr(), instance.ptr());
    throw py::error_already_set();
}

// Words that may hold the name of a file, whose bytes need not be UTF-8.
py::object text_of(const std::string& words) {
    const auto size = static_cast<Py_ssize_t>(words.size());
    auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefaultAndSize(words.data(), size));
    if (!text) throw py::error_already_set();
    return text;
}

}  // namespace

void raise(const Error& error) {
    if (error.kind == ErrorKind::bad_value) {
        raise_instance(class_name(error.kind), py::make_tuple(text_of(error.message), text_of(error.field)));
    }
    raise_instance(class_name(error.kind), py::make_tuple(text_of(error.message)));
}

void raise_refused(const Error& error, Move move, Refusal refusal) {
    raise_instance(refusal == Refusal::game_over ? "GameOverError" : "IllegalMoveError",
                   py::make_tuple(error.message, std::string(1, move.letter), to_text(refusal)));
}

void raise_game_over(const Error& error) {
    raise_instance("GameOverError", py::make_tuple(error.message, "", to_text(Refusal::game_over)));
}

}  // namespace wari::python
