// A check for the tests of wari.h in C, the positions and games they need, and how their programs are run. A
// program runs all its cases, or with --test-case=NAME one; with --list-test-cases it names them, as doctest
// does in XML.
#ifndef CAPI_CHECK_H
#define CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wari.h"

static int failures = 0;

static void check(int holds, const char* expression, const char* file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: %s is false\n", file, line, expression);
    ++failures;
}
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define OK(call) check((call) == WARI_OK, #call " == WARI_OK", __FILE__, __LINE__)
#define GIVES(status, call) check((call) == (status), #call " == " #status, __FILE__, __LINE__)

static wari_position* parse(const char* text, const char* rules) {
    wari_position* position = NULL;
    OK(wari_position_parse(text, rules, &position, NULL));
    return position;
}

static wari_game* replay(const char* rules, const char* moves) {
    wari_position* start = NULL;
    wari_game* game = NULL;
    OK(wari_position_start(rules, &start, NULL));
    OK(wari_game_replay(start, moves, &game, NULL));
    wari_position_free(start);
    return game;
}

typedef struct {
    const char* name;
    void (*run)(void);
} test_case;
#define CASE(function) {#function, function}

static int run_cases(const test_case* cases, size_t count, int argc, char** argv) {
    const char* const option = "--test-case=";
    const char* wanted =
        argc > 1 && strncmp(argv[1], option, strlen(option)) == 0 ? argv[1] + strlen(option) : NULL;
    int listing = argc > 1 && strcmp(argv[1], "--list-test-cases") == 0;
    size_t run = 0;
    for (size_t i = 0; i < count; ++i) {
        if (listing) printf("<TestCase name=\"%s\" filename=\"\"/>\n", cases[i].name);
        if (listing || (wanted != NULL && strcmp(wanted, cases[i].name) != 0)) continue;
        cases[i].run();
        ++run;
    }
    if (!listing && run == 0) fprintf(stderr, "no test case was run\n");
    return failures == 0 && (listing || run > 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
#define MAIN(...)                                                            \
    int main(int argc, char** argv) {                                        \
        static const test_case cases[] = {__VA_ARGS__};                      \
        return run_cases(cases, sizeof cases / sizeof cases[0], argc, argv); \
    }

#endif
