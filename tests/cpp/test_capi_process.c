// wari.h and the system: fork between calls, and signals that end a search through its callback.
#define _XOPEN_SOURCE 600
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capi_check.h"

static volatile sig_atomic_t alarmed = 0;

static void on_alarm(int number) {
    (void)number;
    alarmed = 1;
}

static int is_alarmed(void* user_data) {
    (void)user_data;
    return alarmed;
}

// What both processes find: the value of the best move, in hundredths of a seed.
static int value_found(wari_engine* engine, const wari_game* game) {
    wari_search search = WARI_STRUCT(wari_search);
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    wari_analysis* analysis = NULL;
    search.depth = 8;
    OK(wari_engine_analyse(engine, game, &search, &analysis));
    OK(wari_analysis_get(analysis, &data));
    wari_analysis_free(analysis);
    return (int)(data.value * 100);
}

static void a_child_goes_on(void) {
    wari_build build = WARI_STRUCT(wari_build);
    wari_probe probe = WARI_STRUCT(wari_probe);
    wari_tablebase* table = NULL;
    wari_engine* engine = NULL;
    wari_game* game = replay("abapa", "FfEd");
    wari_position* small = parse("1-1-1-0-0-1-0-0-1-1-0-0-21-21-S", "abapa");
    const char* path = "test_capi_process.wtb";
    pid_t child;
    int state = -1;
    int value;
    build.seeds = 6;
    OK(wari_tablebase_build("abapa", &build, &table, NULL));
    OK(wari_tablebase_save(table, path, WARI_PACKING_AUTO, 1));
    wari_tablebase_free(table);
    OK(wari_tablebase_open(path, 0, &table, NULL));
    OK(wari_engine_new(NULL, &engine, NULL));
    OK(wari_engine_add_tablebase(engine, table));
    OK(wari_engine_new_game(engine));
    value = value_found(engine, game);
    OK(wari_tablebase_probe(table, small, &probe));

    child = fork();
    if (child == 0) {
        wari_probe again = WARI_STRUCT(wari_probe);
        OK(wari_engine_new_game(engine));
        CHECK(value_found(engine, game) == value);
        OK(wari_tablebase_probe(table, small, &again));
        CHECK(again.lower == probe.lower && again.upper == probe.upper);
        OK(wari_game_push(game, 'A', NULL));  // its own copy
        _exit(failures == 0 ? 0 : 1);
    }
    CHECK(child > 0);
    OK(wari_engine_new_game(engine));  // both at once
    CHECK(value_found(engine, game) == value);
    OK(wari_tablebase_probe(table, small, &probe));
    CHECK(waitpid(child, &state, 0) == child);
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    OK(wari_game_push(game, 'A', NULL));
    OK(wari_engine_free(engine));
    wari_tablebase_free(table);
    wari_position_free(small);
    wari_game_free(game);
    remove(path);
}

static void a_signal_ends_a_search(void) {
    struct itimerval soon = {{0, 0}, {0, 50000}};
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    wari_search search = WARI_STRUCT(wari_search);
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    wari_engine* engine = NULL;
    wari_analysis* analysis = NULL;
    wari_game* game = replay("wari", "");
    options.threads = 2;
    options.flags = WARI_ENGINE_NO_TABLES;
    OK(wari_engine_new(&options, &engine, NULL));
    search.interrupted = is_alarmed;  // and no limit
    signal(SIGALRM, on_alarm);
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    OK(wari_engine_analyse(engine, game, &search, &analysis));
    OK(wari_analysis_get(analysis, &data));
    CHECK(alarmed == 1 && data.lines > 0 && data.finished == 0);
    signal(SIGALRM, SIG_DFL);
    wari_analysis_free(analysis);
    OK(wari_engine_free(engine));
    wari_game_free(game);
}

MAIN(CASE(a_child_goes_on), CASE(a_signal_ends_a_search))
