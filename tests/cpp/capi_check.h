// A check for the tests of wari.h in C, and the positions and games they need. Owns reporting only.
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

#endif
