// The walls of the C library: exceptions of callbacks and of memory stay inside, threads may share what
// wari.h says, and nothing is lost when an allocation fails.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "wari.h"
#include "wari/version.hpp"

namespace {

/// Counts down to the allocation that fails, on the thread that asks for it; -1: none fails.
thread_local long allocations_left = -1;

void* allocate_or_not(std::size_t size, std::size_t alignment) noexcept {
    if (allocations_left == 0) return nullptr;
    if (allocations_left > 0) --allocations_left;
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, size == 0 ? 1 : size) == 0 ? memory : nullptr;
}

void* allocate(std::size_t size, std::size_t alignment) {
    void* memory = allocate_or_not(size, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// The sanitizers have a pthread_create of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WALLS_COUNT_THREADS

namespace {

/// Counts down to the thread that the system refuses; -1: none is.
std::atomic<int> threads_left{-1};

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*start)(void*),
                                                                     void* argument) noexcept {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (threads_left.load() == 0) return EAGAIN;
    if (threads_left.load() > 0) --threads_left;
    return create(thread, attributes, start, argument);
}
#endif

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_not(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_not(size, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

wari_position* start_of(const char* rules) {
    wari_position* start = nullptr;
    CHECK(wari_position_start(rules, &start, nullptr) == WARI_OK);
    return start;
}

// --- callbacks that throw -----------------------------------------------------------------------------

int throw_at_analysis(void*, const wari_analysis*) { throw 1; }
int throw_at_question(void*) { throw 2; }
int throw_at_solution(void*, const wari_solution*) { throw 3; }
int throw_at_build(void*, const wari_build_progress*) { throw 4; }

TEST_CASE("no exception of a callback passes the wall") {
    wari_position* start = start_of("wari");
    wari_game* game = nullptr;
    wari_engine* engine = nullptr;
    wari_analysis* analysis = nullptr;
    wari_tablebase* table = nullptr;
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    options.threads = 2;
    options.flags = WARI_ENGINE_NO_TABLES;
    CHECK(wari_engine_new(&options, &engine, nullptr) == WARI_OK);
    wari_search search = WARI_STRUCT(wari_search);
    search.progress = throw_at_analysis;
    CHECK(wari_engine_analyse_position(engine, start, &search, &analysis) == WARI_ERROR_CALLBACK);
    search.progress = nullptr;
    search.interrupted = throw_at_question;
    CHECK(wari_engine_analyse_position(engine, start, &search, &analysis) == WARI_ERROR_CALLBACK);
    CHECK(analysis == nullptr);
    CHECK(wari_game_new(start, &game, nullptr) == WARI_OK);
    wari_solve solve = WARI_STRUCT(wari_solve);
    wari_solution solution = WARI_STRUCT(wari_solution);
    solve.progress = throw_at_solution;
    CHECK(wari_engine_solve(engine, game, &solve, &solution) == WARI_ERROR_CALLBACK);
    wari_build build = WARI_STRUCT(wari_build);
    build.progress = throw_at_build;
    build.seeds = 8;
    build.threads = 2;
    CHECK(wari_tablebase_build("abapa", &build, &table, nullptr) == WARI_ERROR_CALLBACK);
    search = WARI_STRUCT(wari_search);  // the engine still works
    search.depth = 2;
    CHECK(wari_engine_analyse_position(engine, start, &search, &analysis) == WARI_OK);
    wari_analysis_free(analysis);
    wari_game_free(game);
    CHECK(wari_engine_free(engine) == WARI_OK);
    wari_position_free(start);
}

// --- memory that runs out -------------------------------------------------------------------------------

/// Checks may allocate. Where they stand between calls that may not, none of theirs fails.
class Unlimited {
 public:
    Unlimited() : left_(allocations_left) { allocations_left = -1; }
    ~Unlimited() { allocations_left = left_; }
    Unlimited(const Unlimited&) = delete;
    Unlimited& operator=(const Unlimited&) = delete;

 private:
    long left_;
};

/// One session that stops at the first failure, giving back all that it has.
wari_status session() {
    wari_position* start = nullptr;
    wari_position* next = nullptr;
    wari_game* game = nullptr;
    wari_engine* engine = nullptr;
    wari_analysis* analysis = nullptr;
    wari_tablebase* table = nullptr;
    wari_error error = WARI_STRUCT(wari_error);
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    options.hash_mb = 1;
    options.flags = WARI_ENGINE_NO_TABLES;
    options.evaluation = WARI_EVALUATION_MATERIAL;
    wari_search search = WARI_STRUCT(wari_search);
    search.depth = 3;
    search.multipv = 2;
    search.moves = "AB";
    wari_build build = WARI_STRUCT(wari_build);
    build.seeds = 2;
    char text[256];
    wari_status status =
        wari_position_parse("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "abapa,stuck=pass", &start, &error);
    if (status == WARI_OK) status = wari_position_play(start, 'F', &next, nullptr);
    if (status == WARI_OK) status = wari_position_text(next, text, sizeof text, nullptr);
    if (status == WARI_OK) status = wari_game_replay(start, "FfEd", &game, &error);
    if (status == WARI_OK) status = wari_game_push_all(game, "AaBb");
    if (status == WARI_OK) status = wari_game_moves(game, text, sizeof text, nullptr);
    if (status == WARI_OK) status = wari_engine_new(&options, &engine, &error);
    if (status == WARI_OK) status = wari_engine_analyse_position(engine, start, &search, &analysis);
    if (status == WARI_OK) status = wari_tablebase_build("abapa", &build, &table, &error);
    if (game != nullptr) {
        const Unlimited checks;
        wari_game_data data = WARI_STRUCT(wari_game_data);
        CHECK(wari_game_get(game, &data) == WARI_OK);  // whole after a failed push
        CHECK(wari_game_moves(game, text, sizeof text, nullptr) == WARI_OK);
        CHECK(std::strlen(text) == static_cast<std::size_t>(data.plies));
    }
    wari_tablebase_free(table);
    wari_analysis_free(analysis);
    const wari_status freed = wari_engine_free(engine);
    wari_game_free(game);
    wari_position_free(next);
    wari_position_free(start);
    const Unlimited checks;
    CHECK(freed == WARI_OK);
    return status;
}

TEST_CASE("no allocation is taken for granted") {
    CHECK(session() == WARI_OK);
    long failing = 0;
    wari_status status = WARI_ERROR_NO_MEMORY;
    while (status != WARI_OK && failing < 5000) {
        allocations_left = failing++;
        status = session();
        allocations_left = -1;
        if (status != WARI_OK) CHECK(status == WARI_ERROR_NO_MEMORY);
    }
    CHECK(status == WARI_OK);
    CHECK(failing > 30);
}

// --- threads that cannot be started
// ---------------------------------------------------------------------------

#ifdef WALLS_COUNT_THREADS
TEST_CASE("work goes on with fewer threads than asked for") {
    for (int granted = 0; granted <= 3; ++granted) {
        wari_position* start = start_of("abapa");
        wari_engine* engine = nullptr;
        wari_analysis* analysis = nullptr;
        wari_tablebase* table = nullptr;
        wari_engine_options options = WARI_STRUCT(wari_engine_options);
        options.threads = 4;
        wari_search search = WARI_STRUCT(wari_search);
        search.depth = 6;
        wari_build build = WARI_STRUCT(wari_build);
        build.threads = 4;
        build.seeds = 6;
        CHECK(wari_engine_new(&options, &engine, nullptr) == WARI_OK);
        threads_left.store(granted);
        CHECK(wari_engine_analyse_position(engine, start, &search, &analysis) == WARI_OK);
        CHECK(threads_left.load() == 0);  // all that were granted have been asked for
        threads_left.store(granted);
        CHECK(wari_tablebase_build("abapa", &build, &table, nullptr) == WARI_OK);
        threads_left.store(-1);
        wari_analysis_free(analysis);
        wari_tablebase_free(table);
        CHECK(wari_engine_free(engine) == WARI_OK);
        wari_position_free(start);
    }
}

TEST_CASE("no more threads are started than asked for") {
    constexpr int kFree = 1'000'000;
    wari_position* hard = nullptr;
    wari_game* game = nullptr;
    wari_engine* engine = nullptr;
    wari_analysis* analysis = nullptr;
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    options.threads = 8;
    options.flags = WARI_ENGINE_NO_TABLES;
    wari_search search = WARI_STRUCT(wari_search);
    search.depth = 6;
    wari_solve solve = WARI_STRUCT(wari_solve);
    solve.nodes = 100'000;
    wari_solution solution = WARI_STRUCT(wari_solution);
    CHECK(wari_position_parse("1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", "awari", &hard, nullptr) == WARI_OK);
    CHECK(wari_game_new(hard, &game, nullptr) == WARI_OK);
    CHECK(wari_engine_new(&options, &engine, nullptr) == WARI_OK);
    threads_left.store(kFree);
    CHECK(wari_engine_analyse_position(engine, hard, &search, &analysis) == WARI_OK);
    CHECK(threads_left.exchange(kFree) == kFree - 7);
    CHECK(wari_engine_solve(engine, game, &solve, &solution) == WARI_OK);
    const int started = kFree - threads_left.exchange(-1);
    CHECK(started > 0);
    CHECK(started % 7 == 0);  // seven for the guess and for each question of the proof
    wari_analysis_free(analysis);
    wari_game_free(game);
    CHECK(wari_engine_free(engine) == WARI_OK);
    wari_position_free(hard);
}
#endif

// --- threads ----------------------------------------------------------------------------------------------

TEST_CASE("stop reaches a search of another thread" * doctest::test_suite("threads")) {
    wari_position* start = start_of("wari");
    wari_engine* engine = nullptr;
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    options.flags = WARI_ENGINE_NO_TABLES;
    CHECK(wari_engine_new(&options, &engine, nullptr) == WARI_OK);
    CHECK(wari_engine_prepare(engine) == WARI_OK);
    std::atomic<bool> began{false};
    wari_search search = WARI_STRUCT(wari_search);  // no limit at all
    search.user_data = &began;
    search.progress = [](void* flag, const wari_analysis*) {
        static_cast<std::atomic<bool>*>(flag)->store(true);
        return 0;
    };
    std::thread searcher([&] {
        wari_analysis* analysis = nullptr;
        CHECK(wari_engine_analyse_position(engine, start, &search, &analysis) == WARI_OK);
        wari_analysis_free(analysis);
    });
    while (!began.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    wari_analysis* second = nullptr;
    CHECK(wari_engine_analyse_position(engine, start, nullptr, &second) == WARI_ERROR_BUSY);
    CHECK(wari_engine_free(engine) == WARI_ERROR_BUSY);
    CHECK(wari_engine_stop(engine) == WARI_OK);
    searcher.join();
    CHECK(wari_engine_free(engine) == WARI_OK);
    wari_position_free(start);
}

TEST_CASE("a table and a position serve many threads" * doctest::test_suite("threads")) {
    wari_tablebase* table = nullptr;
    wari_position* position = nullptr;
    wari_build build = WARI_STRUCT(wari_build);
    build.seeds = 5;
    CHECK(wari_tablebase_build("awari", &build, &table, nullptr) == WARI_OK);
    CHECK(wari_position_parse("0-0-0-0-1-1-0-1-1-0-0-0-22-22-S", "awari", &position, nullptr) == WARI_OK);
    wari_position* start = start_of("awari");
    std::atomic<int> wrong{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; ++i) {
        workers.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                wari_probe probe = WARI_STRUCT(wari_probe);
                wari_error error = WARI_STRUCT(wari_error);
                if (wari_tablebase_probe(table, position, &probe) != WARI_OK) ++wrong;
                // All fail on one handle at once: the message is one of theirs, and whole.
                if (wari_tablebase_probe(table, start, &probe) != WARI_ERROR_MISSING_TABLE) ++wrong;
                if (wari_tablebase_error(table, &error) != WARI_OK) ++wrong;
                if (error.status != WARI_ERROR_MISSING_TABLE || error.message[0] == '\0') ++wrong;
                char move = 'a';
                if (wari_position_play(position, move, &start, nullptr) != WARI_ERROR_ILLEGAL_MOVE) ++wrong;
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    CHECK(wrong.load() == 0);
    wari_position_free(start);
    wari_position_free(position);
    wari_tablebase_free(table);
}

TEST_CASE("the headers of C and of the core name one version") {
    CHECK(std::to_string(wari::kVersionMajor) + '.' + std::to_string(wari::kVersionMinor) + '.' +
              std::to_string(wari::kVersionPatch) ==
          std::string(WARI_VERSION_TEXT));
}

}  // namespace
