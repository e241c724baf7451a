// Failures in words: from the core's errors to what a caller of wari.h can read.
#include <cstring>

#include "handles.hpp"
#include "structs.hpp"
#include "wari/isa.hpp"

static_assert(std::string_view(WARI_VERSION) == WARI_VERSION_TEXT, "pyproject.toml and wari.h disagree");

namespace wari::capi {
namespace {

constexpr wari_status status_of(ErrorKind kind) {
    return static_cast<wari_status>(static_cast<int>(kind) + 1);
}
static_assert(status_of(ErrorKind::bad_value) == WARI_ERROR_BAD_VALUE);
static_assert(status_of(ErrorKind::illegal_move) == WARI_ERROR_ILLEGAL_MOVE);
static_assert(status_of(ErrorKind::no_history) == WARI_ERROR_NO_HISTORY);
static_assert(status_of(ErrorKind::missing_table) == WARI_ERROR_MISSING_TABLE);
static_assert(status_of(ErrorKind::wrong_rules) == WARI_ERROR_WRONG_RULES);
static_assert(status_of(ErrorKind::bad_file) == WARI_ERROR_BAD_FILE);
static_assert(status_of(ErrorKind::io) == WARI_ERROR_IO);
static_assert(status_of(ErrorKind::no_memory) == WARI_ERROR_NO_MEMORY);
static_assert(status_of(ErrorKind::cancelled) == WARI_ERROR_CANCELLED);
static_assert(status_of(ErrorKind::busy) == WARI_ERROR_BUSY);

/// Copies as much as fits, never half of a character of UTF-8.
template <std::size_t Size>
void copy_cut(const std::string& text, char (&into)[Size]) noexcept {
    std::size_t length = std::min(text.size(), Size - 1);
    if (length < text.size()) {
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    }
    std::memset(into, 0, Size);
    std::memcpy(into, text.data(), length);
}

}  // namespace

Problem::Problem(const Error& error)
    : status(status_of(error.kind)), field(error.field), message(error.message) {}

Problem null(const char* argument) {
    return {WARI_ERROR_NULL_ARGUMENT, argument, std::string(argument) + ": is a null pointer"};
}

Problem bad(const char* field, const std::string& what) {
    return {WARI_ERROR_BAD_VALUE, field, std::string(field) + ": " + what};
}

Problem refused(Move move, Refusal refusal) {
    Problem problem(illegal(move, refusal));
    problem.refusal = number_of(refusal);
    return problem;
}

void fill(wari_error* error, const Problem& problem) noexcept {
    if (error == nullptr || !has_right_size(*error)) return;
    wari_error made{};
    made.status = problem.status;
    made.refusal = problem.refusal;
    copy_cut(problem.field, made.field);
    copy_cut(problem.message, made.message);
    give(made, error);
}

void Failure::keep(const Problem& problem) noexcept {
    const std::lock_guard lock(mutex_);
    last_ = Problem();
    last_.status = problem.status;
    last_.refusal = problem.refusal;
    try {
        last_.field = problem.field;
        last_.message = problem.message;
    } catch (const std::bad_alloc&) {
        // The status is what counts; the words stay empty.
    }
}

wari_status Failure::copy_to(wari_error* error) const noexcept {
    if (!has_right_size(*error)) return WARI_ERROR_BAD_SIZE;
    const std::lock_guard lock(mutex_);
    fill(error, last_);
    return WARI_OK;
}

Problem copy_text(std::string_view text, char* buffer, std::size_t size, std::size_t* needed) {
    if (needed != nullptr) *needed = text.size() + 1;
    if (buffer == nullptr) {
        return size == 0 ? Problem() : null("buffer");
    }
    if (size <= text.size()) {
        return {
            WARI_ERROR_TOO_SMALL, "buffer",
            "buffer: " + std::to_string(text.size() + 1) + " bytes are needed, not " + std::to_string(size)};
    }
    std::memcpy(buffer, text.data(), text.size());
    buffer[text.size()] = '\0';
    return {};
}

Problem copy_moves(const MoveList& moves, char* buffer) {
    if (buffer == nullptr) return null("moves");
    std::memset(buffer, 0, 8);
    for (std::size_t i = 0; i < moves.size(); ++i) buffer[i] = moves[i].letter;
    return {};
}

}  // namespace wari::capi

const char* wari_version(void) { return WARI_VERSION_TEXT; }

const char* wari_status_text(wari_status status) {
    switch (status) {
        case WARI_OK: return "all is well";
        case WARI_ERROR_BAD_VALUE: return "a value is malformed or out of range";
        case WARI_ERROR_ILLEGAL_MOVE: return "the move is not legal";
        case WARI_ERROR_NO_HISTORY: return "there is no move to take back";
        case WARI_ERROR_MISSING_TABLE: return "no table reaches that far";
        case WARI_ERROR_WRONG_RULES: return "the table is for other rules";
        case WARI_ERROR_BAD_FILE: return "the file is damaged or foreign";
        case WARI_ERROR_IO: return "the system refused to read or write";
        case WARI_ERROR_NO_MEMORY: return "not enough memory, disk or threads";
        case WARI_ERROR_CANCELLED: return "a callback ended the work";
        case WARI_ERROR_BUSY: return "another call or process holds what is needed";
        case WARI_ERROR_NULL_ARGUMENT: return "an argument is a null pointer";
        case WARI_ERROR_BAD_HANDLE: return "not a handle of that type, or freed";
        case WARI_ERROR_BAD_SIZE: return "the struct_size is that of no known version";
        case WARI_ERROR_TOO_SMALL: return "the buffer is too small";
        case WARI_ERROR_CALLBACK: return "a callback threw an exception";
        case WARI_ERROR_INTERNAL: return "internal error";
    }
    return "unknown status";
}
