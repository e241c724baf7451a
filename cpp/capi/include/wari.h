// clang-format off
// wari for C99, C++ and every language that can call C: rules, positions, games, search, tables.
// docs/embedding.md has complete programs. What holds for every function:
// Status    What can fail returns a wari_status. No exception leaves the library; it never exits or prints. A
//           NULL where none may be gives WARI_ERROR_NULL_ARGUMENT. A failure leaves the outputs untouched.
// Message   The handle keeps in words what went wrong; wari_..._error() makes a copy of it. Where there is no
//           handle yet, the last parameter is a wari_error to fill; it may be NULL.
// Structs   Begin with their size. Set every byte to zero and struct_size to sizeof, as WARI_STRUCT() does:
//           zero means the default. A later library takes the structs of an earlier header.
// Memory    A handle is made by the function that returns it through its `out`, and given back with its
//           _free, in any order: an engine or an analysis keeps what it needs. _free(NULL) does nothing.
// Texts     Are copied into the caller's buffer. `needed`, unless NULL, gets the bytes with the closing zero; a
//           buffer of (NULL, 0) only asks. Texts returned as const char * belong to the library for ever.
// Threads   [any]: from any thread at any time, also on one handle at once. [own]: one thread at a time for
//           each handle, whatever others do with theirs. Freeing is [own] and the last use of the handle.
// Signals   Call no function in a signal handler: set a flag there, and return it from `interrupted`.
// Fork      The child of fork() may use every handle on which no call was running in the parent.
// Rules     Are text, a preset and changes: "awari,repetition=owner"; NULL is "wari". Moves are letters.
// clang-format on
#ifndef WARI_H
#define WARI_H

#include <stddef.h>
#include <stdint.h>

#define WARI_VERSION_MAJOR 0
#define WARI_VERSION_MINOR 1
#define WARI_VERSION_PATCH 0
#define WARI_VERSION_TEXT "0.1.0"

#if defined(WARI_STATIC)
#define WARI_C_API
#elif defined(_WIN32) && defined(WARI_BUILDING)
#define WARI_C_API __declspec(dllexport)
#elif defined(_WIN32)
#define WARI_C_API __declspec(dllimport)
#elif defined(__GNUC__)
#define WARI_C_API __attribute__((visibility("default")))
#else
#define WARI_C_API
#endif

/// wari_search search = WARI_STRUCT(wari_search);
#ifdef __cplusplus
#define WARI_STRUCT(type) (::wari_c_detail::make<type>())
extern "C++" {
namespace wari_c_detail {
template <class T>
T make() {
    T made = T();
    made.struct_size = sizeof(T);
    return made;
}
}  // namespace wari_c_detail
}
extern "C" {
#else
#define WARI_STRUCT(type) {.struct_size = sizeof(type)}
#endif

// --- status -----------------------------------------------------------------------------------------

typedef enum wari_status {
    WARI_OK = 0,
    WARI_ERROR_BAD_VALUE = 1,      // a field of the input is malformed or out of range
    WARI_ERROR_ILLEGAL_MOVE = 2,   // the rules refuse the move; wari_error.refusal says why
    WARI_ERROR_NO_HISTORY = 3,     // nothing to take back
    WARI_ERROR_MISSING_TABLE = 4,  // the table does not reach that far
    WARI_ERROR_WRONG_RULES = 5,    // a table belongs to other rules
    WARI_ERROR_BAD_FILE = 6,       // damaged, cut off or foreign
    WARI_ERROR_IO = 7,             // the system refused to read or write
    WARI_ERROR_NO_MEMORY = 8,      // more memory, disk or threads than allowed or free
    WARI_ERROR_CANCELLED = 9,      // a callback ended the work
    WARI_ERROR_BUSY = 10,          // another call, or another process, holds what is needed
    WARI_ERROR_NULL_ARGUMENT = 11,
    WARI_ERROR_BAD_HANDLE = 12,  // not a handle of that type, or freed; noticed where it can be
    WARI_ERROR_BAD_SIZE = 13,    // a struct_size that no version of this header has
    WARI_ERROR_TOO_SMALL = 14,   // the buffer; `needed` says the size
    WARI_ERROR_CALLBACK = 15,    // a callback threw an exception of C++; the work was stopped
    WARI_ERROR_INTERNAL = 16     // should not happen
} wari_status;

typedef struct wari_error {
    size_t struct_size;
    int32_t status;     // wari_status
    int32_t refusal;    // wari_refusal of an illegal move, else 0
    char field[32];     // the name of the input that is wrong, or ""
    char message[448];  // UTF-8, cut off where it is longer
} wari_error;

WARI_C_API const char* wari_version(void);                    // of the library: "0.1.0" [any]
WARI_C_API const char* wari_status_text(wari_status status);  // a few words; never NULL [any]

// --- words for numbers ------------------------------------------------------------------------------

enum { WARI_NOBODY = -1, WARI_SOUTH = 0, WARI_NORTH = 1 };

typedef enum wari_refusal {
    WARI_LEGAL = 0,
    WARI_REFUSAL_GAME_OVER = 1,
    WARI_REFUSAL_NOT_YOUR_PIT = 2,
    WARI_REFUSAL_EMPTY_PIT = 3,
    WARI_REFUSAL_SINGLE_SEED = 4,
    WARI_REFUSAL_MUST_FEED = 5,
    WARI_REFUSAL_SLAM_FORBIDDEN = 6,
    WARI_REFUSAL_CANNOT_PASS = 7
} wari_refusal;

typedef enum wari_ending {
    WARI_PLAYING = 0,  // the game goes on
    WARI_ENDING_EMPTIED = 1,
    WARI_ENDING_FORFEIT = 2,
    WARI_ENDING_MAJORITY = 3,
    WARI_ENDING_EMPTY_BOARD = 4,
    WARI_ENDING_REPETITION = 5,
    WARI_ENDING_STUCK = 6,
    WARI_ENDING_AGREEMENT = 7,
    WARI_ENDING_RESIGNATION = 8,
    WARI_ENDING_TIME = 9
} wari_ending;

/// The code ("must_feed", "repetition") and a sentence for people; NULL for 0 and unknown numbers. [any]
WARI_C_API const char* wari_refusal_code(int refusal);
WARI_C_API const char* wari_refusal_in_words(int refusal);
WARI_C_API const char* wari_ending_code(int ending);
WARI_C_API const char* wari_ending_in_words(int ending);

// --- rules ------------------------------------------------------------------------------------------

/// The presets and the axes by number; NULL and 0 beyond the last. [any]
WARI_C_API size_t wari_preset_count(void);
WARI_C_API const char* wari_preset_name(size_t preset);
WARI_C_API const char* wari_preset_origin(size_t preset);
WARI_C_API size_t wari_axis_count(void);
WARI_C_API const char* wari_axis_name(size_t axis);
WARI_C_API const char* wari_axis_question(size_t axis);
WARI_C_API size_t wari_axis_value_count(size_t axis);
WARI_C_API const char* wari_axis_value_name(size_t axis, size_t value);
WARI_C_API const char* wari_axis_value_meaning(size_t axis, size_t value);

/// The shortest text for the same rules: a preset's name, if they are one. [any]
WARI_C_API wari_status wari_rules_text(const char* rules, char* buffer, size_t size, size_t* needed,
                                       wari_error* error);
/// The number of the value that the rules have on an axis. [any]
WARI_C_API wari_status wari_rules_value(const char* rules, const char* axis, int32_t* value,
                                        wari_error* error);

// --- positions: values that never change ------------------------------------------------------------

typedef struct wari_position wari_position;

typedef struct wari_position_data {
    size_t struct_size;
    int32_t pits[12];   // A to F, a to f
    int32_t stores[2];  // of South, of North
    int32_t side;       // to move: WARI_SOUTH or WARI_NORTH
    int32_t total;      // seeds in pits and stores
    int32_t ending;     // wari_ending, judged without history
    int32_t result[2];  // where the game is over: the seeds of South and of North in the end
    int32_t winner;     // WARI_NOBODY for a draw, and while the game goes on
} wari_position_data;

typedef struct wari_played {
    size_t struct_size;
    int32_t captured;
    int32_t ending;  // wari_ending that the move brought
} wari_played;

WARI_C_API wari_status wari_position_start(const char* rules, wari_position** out,
                                           wari_error* error);  // [any]
/// Reads A-B-C-D-E-F-a-b-c-d-e-f-storeS-storeN-T, T being S or N. [any]
WARI_C_API wari_status wari_position_parse(const char* text, const char* rules, wari_position** out,
                                           wari_error* error);
/// `pits` are twelve, A to F and a to f. [any]
WARI_C_API wari_status wari_position_from_counts(const int32_t* pits, int32_t store_south,
                                                 int32_t store_north, int32_t side, const char* rules,
                                                 wari_position** out, wari_error* error);
WARI_C_API void wari_position_free(wari_position* position);                                        // [own]
WARI_C_API wari_status wari_position_error(const wari_position* position, wari_error* error);       // [any]
WARI_C_API wari_status wari_position_get(const wari_position* position, wari_position_data* data);  // [any]
WARI_C_API wari_status wari_position_text(const wari_position* position, char* buffer, size_t size,
                                          size_t* needed);  // [any]
WARI_C_API wari_status wari_position_rules(const wari_position* position, char* buffer, size_t size,
                                           size_t* needed);  // [any]
/// Up to six letters and a zero; "-" alone where the only move is a pass, "" when the game is over. [any]
WARI_C_API wari_status wari_position_legal_moves(const wari_position* position, char moves[8]);
/// Why a move is refused, as a wari_refusal; WARI_LEGAL if it is not. [any]
WARI_C_API wari_status wari_position_refusal(const wari_position* position, char move, int32_t* refusal);
/// The position after a move; `played` may be NULL. [any]
WARI_C_API wari_status wari_position_play(const wari_position* position, char move, wari_position** out,
                                          wari_played* played);
/// The leaves of the tree of that depth. [any]
WARI_C_API wari_status wari_position_perft(const wari_position* position, int32_t depth, uint64_t* leaves);

// --- games: positions with their history ------------------------------------------------------------

typedef struct wari_game wari_game;

typedef struct wari_game_data {
    size_t struct_size;
    int32_t plies;        // moves played, passes included
    int32_t quiet_plies;  // since the last capture, or the start
    int32_t side;         // to move
    int32_t ending;       // wari_ending
    int32_t result[2];    // as in wari_position_data
    int32_t winner;
    int32_t reserved;
} wari_game_data;

WARI_C_API wari_status wari_game_new(const wari_position* start, wari_game** out,
                                     wari_error* error);  // [any]
/// The game with these moves: "FfEd". A pass left out is put in. [any]
WARI_C_API wari_status wari_game_replay(const wari_position* start, const char* moves, wari_game** out,
                                        wari_error* error);
WARI_C_API wari_status wari_game_copy(const wari_game* game, wari_game** out, wari_error* error);  // [own]
WARI_C_API void wari_game_free(wari_game* game);                                                   // [own]
WARI_C_API wari_status wari_game_error(const wari_game* game, wari_error* error);                  // [any]
WARI_C_API wari_status wari_game_get(const wari_game* game, wari_game_data* data);                 // [own]
WARI_C_API wari_status wari_game_moves(const wari_game* game, char* buffer, size_t size,
                                       size_t* needed);  // [own]
/// The position after that many moves, from 0; a negative number: now. [own]
WARI_C_API wari_status wari_game_position(const wari_game* game, int32_t ply, wari_position** out);
WARI_C_API wari_status wari_game_legal_moves(const wari_game* game, char moves[8]);            // [own]
WARI_C_API wari_status wari_game_refusal(const wari_game* game, char move, int32_t* refusal);  // [own]
WARI_C_API wari_status wari_game_push(wari_game* game, char move, wari_played* played);        // [own]
/// Plays all the moves or, where one is refused, none. [own]
WARI_C_API wari_status wari_game_push_all(wari_game* game, const char* moves);
/// Takes the last move back, and an ending that the players made after it; `move` may be NULL. [own]
WARI_C_API wari_status wari_game_pop(wari_game* game, char* move);
WARI_C_API wari_status wari_game_agree(wari_game* game);                 // each side takes its row [own]
WARI_C_API wari_status wari_game_resign(wari_game* game, int32_t side);  // the other side wins [own]
WARI_C_API wari_status wari_game_lose_on_time(wari_game* game, int32_t side);  // the other side wins [own]

// --- tables -----------------------------------------------------------------------------------------

/// Everything a table says holds for boards without quiet plies behind them: set up, or after a capture.
typedef struct wari_tablebase wari_tablebase;

typedef enum wari_table_kind { WARI_TABLE_VALUE = 0, WARI_TABLE_FORCE = 1 } wari_table_kind;
typedef enum wari_packing {
    WARI_PACKING_AUTO = 0,
    WARI_PACKING_FAST = 1,
    WARI_PACKING_DENSE = 2
} wari_packing;

typedef struct wari_build_progress {
    size_t struct_size;
    int32_t layer;  // in work
    int32_t seeds;  // the last layer
    uint64_t done;  // boards of all layers
    uint64_t total;
    double seconds;
    double boards_per_second;
    double seconds_left;
} wari_build_progress;

/// Callbacks are called on the thread that asked for the work. Returning anything but 0 ends it: a search
/// with the best found so far, a build with WARI_ERROR_CANCELLED. They must not free the handle in use, nor
/// leave by longjmp; what they are shown lives until they return.
typedef int (*wari_interrupted_fn)(void* user_data);
typedef int (*wari_build_progress_fn)(void* user_data, const wari_build_progress* progress);

enum { WARI_BUILD_UNVERIFIED = 1, WARI_BUILD_NO_WAIT = 2, WARI_BUILD_REPAIR = 4, WARI_BUILD_FULL = 8 };

typedef struct wari_build {
    size_t struct_size;
    int32_t seeds;          // 0: 10
    int32_t threads;        // 0: 1
    uint64_t memory_limit;  // bytes; 0: what the machine has free
    const char* path;       // where it is kept and goes on after an interruption; NULL: in memory only
    int32_t packing;        // wari_packing
    uint32_t flags;  // WARI_BUILD_...; UNVERIFIED, FULL: how it is verified; NO_WAIT: WARI_ERROR_BUSY where
                     // another process builds the file; REPAIR: build what is damaged in it again
    wari_build_progress_fn progress;  // may be NULL, as the next
    wari_interrupted_fn interrupted;
    void* user_data;
} wari_build;

typedef struct wari_verify {
    size_t struct_size;
    int32_t threads;  // 0: 1
    int32_t full;     // 1: all entries are compared with those of their successors, 0: a sample
    uint64_t memory_limit;
    wari_build_progress_fn progress;
    wari_interrupted_fn interrupted;
    void* user_data;
} wari_verify;

typedef struct wari_tablebase_data {
    size_t struct_size;
    int32_t seeds;  // on the largest boards
    int32_t kind;   // wari_table_kind
    uint64_t file_bytes;
    int64_t verified;  // when it was built: 0 not, 1 with a sample, 2 in full
} wari_tablebase_data;

typedef enum wari_reason {
    WARI_REASON_EXACT = 0,
    WARI_REASON_BOUNDS = 1,
    WARI_REASON_HISTORY_IGNORED = 2
} wari_reason;

typedef struct wari_probe_move {
    int32_t move;  // its letter
    int32_t lower, upper;
    int32_t distance;
} wari_probe_move;

/// Net future seeds of the side to move; tablebase.hpp explains each.
typedef struct wari_probe {
    size_t struct_size;
    int32_t lower, upper;  // equal: exact
    int32_t mover, other;
    int32_t distance;
    int32_t over;    // 1: the game is over on this board
    int32_t reason;  // wari_reason
    int32_t best_count;
    wari_probe_move best[6];
} wari_probe;

WARI_C_API wari_status wari_tablebase_build(const char* rules, const wari_build* build, wari_tablebase** out,
                                            wari_error* error);  // build may be NULL [any]
/// `cache_bytes` for blocks once decoded; 0: 256 MiB. [any]
WARI_C_API wari_status wari_tablebase_open(const char* path, uint64_t cache_bytes, wari_tablebase** out,
                                           wari_error* error);
WARI_C_API void wari_tablebase_free(wari_tablebase* table);                                         // [own]
WARI_C_API wari_status wari_tablebase_error(const wari_tablebase* table, wari_error* error);        // [any]
WARI_C_API wari_status wari_tablebase_get(const wari_tablebase* table, wari_tablebase_data* data);  // [any]
WARI_C_API wari_status wari_tablebase_rules(const wari_tablebase* table, char* buffer, size_t size,
                                            size_t* needed);  // [any]
/// Writes a file at once or not at all. [any]
WARI_C_API wari_status wari_tablebase_save(const wari_tablebase* table, const char* path, int32_t packing,
                                           int32_t threads);
/// Verifies the table: solves it again and compares all entries; compares those of up to 10 seeds, and every
/// 509th above or all of them, with their successors by the general rules. `verify` may be NULL. [any]
WARI_C_API wari_status wari_tablebase_verify(const wari_tablebase* table, const wari_verify* verify);
WARI_C_API wari_status wari_tablebase_probe(const wari_tablebase* table, const wari_position* position,
                                            wari_probe* probe);  // [any]
/// The same with the game's history in mind: [any] for the table, [own] for the game.
WARI_C_API wari_status wari_tablebase_probe_game(const wari_tablebase* table, const wari_game* game,
                                                 wari_probe* probe);
/// `pits` holds twelve counts a board, the mover's row first, in sowing order; `lower` and `upper` one value
/// a board, lower above upper where the table knows nothing. [any]
WARI_C_API wari_status wari_tablebase_probe_many(const wari_tablebase* table, const uint8_t* pits,
                                                 size_t boards, int8_t* lower, int8_t* upper,
                                                 int32_t threads);

// --- search -----------------------------------------------------------------------------------------

typedef struct wari_engine wari_engine;
typedef struct wari_analysis wari_analysis;  // what a search found; never changes

typedef enum wari_evaluation {
    WARI_EVALUATION_BEST = 0,
    WARI_EVALUATION_MATERIAL = 1,
    WARI_EVALUATION_LINEAR = 2,
    WARI_EVALUATION_NETWORK = 3
} wari_evaluation;
typedef enum wari_bound {
    WARI_BOUND_ESTIMATE = 0,  // nothing is proved
    WARI_BOUND_LOWER = 1,     // proved: at least this
    WARI_BOUND_UPPER = 2,     // proved: at most this
    WARI_BOUND_EXACT = 3      // proved: this
} wari_bound;
typedef enum wari_source {
    WARI_SOURCE_SEARCH = 0,
    WARI_SOURCE_TABLEBASE = 1,
    WARI_SOURCE_END = 2
} wari_source;

/// NO_TABLES: the engine builds no tables by itself and asks none but the one that it was given.
/// FULL_WIDTH: it searches every line to exactly the depth asked for; for comparison.
enum { WARI_ENGINE_NO_TABLES = 1, WARI_ENGINE_FULL_WIDTH = 2 };

typedef struct wari_engine_options {
    size_t struct_size;
    int32_t threads;                  // 0: 1
    int32_t hash_mb;                  // 0: 64
    int32_t evaluation;               // wari_evaluation
    uint32_t flags;                   // WARI_ENGINE_NO_TABLES, WARI_ENGINE_FULL_WIDTH; 0: neither
    const wari_tablebase* tablebase;  // answers for its rules; may be NULL
} wari_engine_options;

typedef int (*wari_analysis_fn)(void* user_data, const wari_analysis* analysis);

/// INSTANT_IF_FORCED: at once where nothing can change the move, the only one or a table's last word.
enum { WARI_SEARCH_PONDER = 1, WARI_SEARCH_INSTANT_IF_FORCED = 2 };

/// The first limit reached ends the search; all 0: it runs until wari_engine_stop, or until all is proved.
typedef struct wari_search {
    size_t struct_size;
    int32_t depth;
    int32_t multipv;  // lines wanted; 0: 1
    uint64_t nodes;
    double seconds;
    double clock_seconds;  // left on the clock of the side to move
    double clock_increment;
    int32_t clock_moves_to_go;
    uint32_t flags;
    const char* moves;          // look at these only; NULL: all
    wari_analysis_fn progress;  // after each depth; may be NULL, as the next
    wari_interrupted_fn interrupted;
    void* user_data;
} wari_search;

typedef struct wari_analysis_data {
    size_t struct_size;
    double value;  // seeds: the margin in the end, from the side to move
    int32_t bound, source;
    int32_t history_ignored;
    int32_t ending;  // wari_ending, if the game is over; then there are no lines
    int32_t lines;
    int32_t depth;
    int32_t selective_depth;
    int32_t hash_permille;
    uint64_t nodes;
    uint64_t table_hits;
    double seconds;
    int32_t finished;  // 1: depth reached or all proved
    int32_t reserved;
} wari_analysis_data;

typedef struct wari_line {
    size_t struct_size;
    double value;  // as above, of this move
    int32_t bound, source;
    int32_t history_ignored;
    int32_t depth;
    const char* pv;  // the letters of the line; lives as long as the analysis
    char move;
    char reserved[7];
} wari_line;

typedef struct wari_solution {
    size_t struct_size;
    int32_t lower, upper;  // what is proved of the margin
    int32_t ending;        // wari_ending, if the game is over
    int32_t depth;
    uint64_t nodes;
    double seconds;
    char move;  // proved to be worth `lower`; 0 where none was found
    char reserved[7];
} wari_solution;

typedef int (*wari_solution_fn)(void* user_data, const wari_solution* solution);

enum { WARI_SOLVE_WINNER_ONLY = 1 };

typedef struct wari_solve {
    size_t struct_size;
    double seconds;  // limits as in wari_search
    uint64_t nodes;
    int32_t depth;
    uint32_t flags;
    wari_solution_fn progress;
    wari_interrupted_fn interrupted;
    void* user_data;
} wari_solve;

/// `options` may be NULL. [any]
WARI_C_API wari_status wari_engine_new(const wari_engine_options* options, wari_engine** out,
                                       wari_error* error);
/// WARI_ERROR_BUSY, and nothing is freed, while a call on it runs. [own]
WARI_C_API wari_status wari_engine_free(wari_engine* engine);
WARI_C_API wari_status wari_engine_error(const wari_engine* engine, wari_error* error);  // [any]
/// From the next search on the table answers for its rules. [any]
WARI_C_API wari_status wari_engine_add_tablebase(wari_engine* engine, const wari_tablebase* table);
/// One search at a time runs on an engine; a second one gets WARI_ERROR_BUSY. [any] for the engine, [own] for
/// the game. wari_engine_analyse_position and _solve likewise.
WARI_C_API wari_status wari_engine_analyse(wari_engine* engine, const wari_game* game,
                                           const wari_search* search, wari_analysis** out);
WARI_C_API wari_status wari_engine_analyse_position(wari_engine* engine, const wari_position* position,
                                                    const wari_search* search, wari_analysis** out);
/// Proves what it can of the margin; goes on from what earlier calls have proved.
WARI_C_API wari_status wari_engine_solve(wari_engine* engine, const wari_game* game, const wari_solve* solve,
                                         wari_solution* solution);
/// Keeps what _solve has proved of its last position, and what it goes on from, in a file: the old one or the
/// whole new one. WARI_ERROR_BAD_VALUE before any _solve, WARI_ERROR_BAD_FILE for a file that is no proof.
/// [any]
WARI_C_API wari_status wari_engine_save_proof(wari_engine* engine, const char* path);
/// Takes such a file up: _solve of the position it is about, which `out` gets unless it is NULL, goes on from
/// there. WARI_ERROR_NO_MEMORY, with the number, where hash_mb has no room for all that the file holds. [any]
WARI_C_API wari_status wari_engine_load_proof(wari_engine* engine, const char* path, wari_position** out);
WARI_C_API wari_status wari_engine_stop(wari_engine* engine);        // ends the running search soon [any]
WARI_C_API wari_status wari_engine_ponder_hit(wari_engine* engine);  // the clock runs from now [any]
/// Before another thread begins a search: a wari_engine_stop in between then counts. [any]
WARI_C_API wari_status wari_engine_prepare(wari_engine* engine);
/// Forgets everything learnt. [any]
WARI_C_API wari_status wari_engine_new_game(wari_engine* engine);

WARI_C_API void wari_analysis_free(wari_analysis* analysis);                                        // [own]
WARI_C_API wari_status wari_analysis_get(const wari_analysis* analysis, wari_analysis_data* data);  // [any]
/// Lines by number, best first. [any]
WARI_C_API wari_status wari_analysis_line(const wari_analysis* analysis, size_t number, wari_line* line);

#ifdef __cplusplus
}
#endif

#endif
