// An application that uses wari from C: what is every move of a position worth, how does the engine play, and
// what does a table say?
//
//   wari_example                                          the start position
//   wari_example 0-0-0-0-0-2-1-2-4-0-0-0-20-19-S awari    a position and its rules
#include <stdio.h>
#include <stdlib.h>

#include "wari.h"

enum { DEPTH = 12, PLIES_PLAYED = 8, TABLE_SEEDS = 6 };

static const char* const bounds[] = {"estimate", "lower", "upper", "exact"};

// Everything in use, so that it can be given back from one place.
struct session {
    wari_position* start;
    wari_game* game;
    wari_engine* engine;
    wari_tablebase* table;
};

// Where a call without a handle has failed.
static int failed(const wari_error* error) {
    fprintf(stderr, "wari_example: %s\n", error->message);
    return 2;
}

static int print_lines(struct session* session) {
    wari_search search = WARI_STRUCT(wari_search);
    wari_error error = WARI_STRUCT(wari_error);
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    wari_analysis* analysis = NULL;
    search.depth = DEPTH;
    search.multipv = 6;
    if (wari_engine_analyse(session->engine, session->game, &search, &analysis) != WARI_OK) {
        wari_engine_error(session->engine, &error);
        return failed(&error);
    }
    wari_analysis_get(analysis, &data);
    for (int i = 0; i < data.lines; ++i) {
        wari_line line = WARI_STRUCT(wari_line);
        wari_analysis_line(analysis, (size_t)i, &line);
        printf("%c %+7.2f %-8s %s\n", line.move, line.value, bounds[line.bound], line.pv);
    }
    wari_analysis_free(analysis);
    return 0;
}

// The engine against itself, for a few moves.
static int play(struct session* session) {
    wari_search search = WARI_STRUCT(wari_search);
    wari_error error = WARI_STRUCT(wari_error);
    wari_game_data data = WARI_STRUCT(wari_game_data);
    wari_position* reached = NULL;
    char moves[PLIES_PLAYED + 1];
    char text[64];
    search.depth = DEPTH;
    wari_game_get(session->game, &data);
    while (data.ending == WARI_PLAYING && data.plies < PLIES_PLAYED) {
        wari_analysis* analysis = NULL;
        wari_line best = WARI_STRUCT(wari_line);
        if (wari_engine_analyse(session->engine, session->game, &search, &analysis) != WARI_OK) {
            wari_engine_error(session->engine, &error);
            return failed(&error);
        }
        wari_analysis_line(analysis, 0, &best);
        wari_game_push(session->game, best.move, NULL);
        wari_analysis_free(analysis);
        wari_game_get(session->game, &data);
    }
    wari_game_moves(session->game, moves, sizeof moves, NULL);
    wari_game_position(session->game, -1, &reached);
    wari_position_text(reached, text, sizeof text, NULL);
    wari_position_free(reached);
    printf("game %s\nreached %s\n", moves, text);
    if (data.ending != WARI_PLAYING) {
        printf("result %d-%d %s\n", data.result[0], data.result[1], wari_ending_code(data.ending));
    }
    return 0;
}

// A small table: what is certain on a board of six seeds?
static int probe(struct session* session) {
    wari_build build = WARI_STRUCT(wari_build);
    wari_error error = WARI_STRUCT(wari_error);
    wari_probe probe = WARI_STRUCT(wari_probe);
    wari_position* position = NULL;
    wari_status status;
    build.seeds = TABLE_SEEDS;
    if (wari_tablebase_build("awari", &build, &session->table, &error) != WARI_OK) return failed(&error);
    if (wari_position_parse("1-1-1-0-0-1-0-0-1-1-0-0-21-21-S", "awari", &position, &error) != WARI_OK) {
        return failed(&error);
    }
    status = wari_tablebase_probe(session->table, position, &probe);
    wari_position_free(position);
    if (status != WARI_OK) {
        wari_tablebase_error(session->table, &error);
        return failed(&error);
    }
    printf("table %+d to %+d, best %c\n", probe.lower, probe.upper, (char)probe.best[0].move);
    return 0;
}

static int run(struct session* session, const char* text, const char* rules) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    char shown[64];
    int code;
    options.hash_mb = 16;
    if ((text == NULL ? wari_position_start(rules, &session->start, &error)
                      : wari_position_parse(text, rules, &session->start, &error)) != WARI_OK ||
        wari_game_new(session->start, &session->game, &error) != WARI_OK ||
        wari_engine_new(&options, &session->engine, &error) != WARI_OK) {
        return failed(&error);
    }
    wari_position_text(session->start, shown, sizeof shown, NULL);
    printf("position %s\n", shown);
    code = print_lines(session);
    if (code == 0) code = play(session);
    if (code == 0) code = probe(session);
    return code;
}

int main(int argc, char** argv) {
    struct session session = {NULL, NULL, NULL, NULL};
    const int code = run(&session, argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL);
    wari_tablebase_free(session.table);
    wari_engine_free(session.engine);
    wari_game_free(session.game);
    wari_position_free(session.start);
    return code;
}
