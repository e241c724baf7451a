// wari.h from C99: tables and engines, right and in the ways a caller can be wrong.
#include "capi_check.h"

// --- tables -----------------------------------------------------------------------------------------------

static int stop_at_once(void* user_data) {
    ++*(int*)user_data;
    return 1;
}

static void tables_probe(void) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_build build = WARI_STRUCT(wari_build);
    wari_tablebase_data data = WARI_STRUCT(wari_tablebase_data);
    wari_probe probe = WARI_STRUCT(wari_probe);
    wari_tablebase* table = NULL;
    wari_position* position = parse("0-0-0-0-0-1-0-0-0-0-0-0-23-24-S", "awari");
    wari_position* start = NULL;
    wari_game* game = NULL;
    const uint8_t boards[24] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    int8_t lower[2] = {99, 99};
    int8_t upper[2] = {99, 99};
    char text[32];
    build.seeds = 6;
    OK(wari_tablebase_build("awari", &build, &table, &error));
    OK(wari_tablebase_get(table, &data));
    CHECK(data.seeds == 6 && data.kind == WARI_TABLE_VALUE && data.file_bytes == 0);
    OK(wari_tablebase_rules(table, text, sizeof text, NULL));
    CHECK(strcmp(text, "awari") == 0);
    OK(wari_tablebase_verify(table, NULL));
    OK(wari_tablebase_probe(table, position, &probe));
    CHECK(probe.lower == probe.upper && probe.best_count == 1 && probe.best[0].move == 'F');
    CHECK(probe.reason == WARI_REASON_EXACT && probe.over == 0);
    OK(wari_tablebase_probe_many(table, boards, 2, lower, upper, 0));
    CHECK(lower[0] == probe.lower && upper[0] == probe.upper && lower[1] > upper[1]);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_tablebase_probe_many(table, NULL, 2, lower, upper, 1));
    GIVES(WARI_ERROR_BAD_VALUE, wari_tablebase_probe_many(table, boards, (size_t)-1, lower, upper, 1));
    OK(wari_position_start("awari", &start, NULL));
    GIVES(WARI_ERROR_MISSING_TABLE, wari_tablebase_probe(table, start, &probe));
    wari_position_free(start);
    OK(wari_position_start("abapa", &start, NULL));
    GIVES(WARI_ERROR_WRONG_RULES, wari_tablebase_probe(table, start, &probe));
    OK(wari_tablebase_error(table, &error));
    CHECK(strstr(error.message, "abapa") != NULL);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_tablebase_probe(table, NULL, &probe));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_tablebase_probe(table, position, NULL));
    OK(wari_game_new(position, &game, NULL));
    OK(wari_tablebase_probe_game(table, game, &probe));
    wari_game_free(game);
    wari_position_free(start);
    wari_position_free(position);
    wari_tablebase_free(table);
}

static void tables_are_files(void) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_build build = WARI_STRUCT(wari_build);
    wari_tablebase_data data = WARI_STRUCT(wari_tablebase_data);
    wari_tablebase* table = NULL;
    wari_tablebase* untouched = NULL;
    const char* path = "test_capi.wtb";
    int asked = 0;
    build.seeds = 5;
    build.flags = WARI_BUILD_UNVERIFIED;
    OK(wari_tablebase_build("abapa", &build, &table, NULL));
    OK(wari_tablebase_save(table, path, WARI_PACKING_AUTO, 0));
    GIVES(WARI_ERROR_BAD_VALUE, wari_tablebase_save(table, path, 9, 0));
    GIVES(WARI_ERROR_IO, wari_tablebase_save(table, "no/such/folder/table.wtb", WARI_PACKING_AUTO, 1));
    wari_tablebase_free(table);
    OK(wari_tablebase_open(path, 0, &table, &error));
    OK(wari_tablebase_get(table, &data));
    CHECK(data.seeds == 5 && data.kind == WARI_TABLE_FORCE && data.file_bytes > 0);
    wari_tablebase_free(table);
    remove(path);
    GIVES(WARI_ERROR_IO, wari_tablebase_open(path, 0, &untouched, &error));
    CHECK(untouched == NULL && strstr(error.message, path) != NULL);
    build.flags = 64;
    GIVES(WARI_ERROR_BAD_VALUE, wari_tablebase_build("abapa", &build, &untouched, &error));
    build.flags = 0;
    build.seeds = -3;
    GIVES(WARI_ERROR_BAD_VALUE, wari_tablebase_build("abapa", &build, &untouched, &error));
    CHECK(strcmp(error.field, "seeds") == 0);
    build.seeds = 14;
    build.interrupted = stop_at_once;
    build.user_data = &asked;
    GIVES(WARI_ERROR_CANCELLED, wari_tablebase_build("abapa", &build, &untouched, &error));
    CHECK(asked == 1 && untouched == NULL);
}

// --- search -----------------------------------------------------------------------------------------------

static int count_depths(void* user_data, const wari_analysis* analysis) {
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    OK(wari_analysis_get(analysis, &data));
    CHECK(data.lines == 6);
    *(int*)user_data = data.depth;
    return data.depth >= 3;
}

static void engines_analyse(void) {
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    wari_search search = WARI_STRUCT(wari_search);
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    wari_line line = WARI_STRUCT(wari_line);
    wari_engine* engine = NULL;
    wari_analysis* analysis = NULL;
    wari_position* won = parse("0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", "awari");
    wari_game* game = replay("abapa", "");
    int depth = 0;
    options.threads = 2;
    options.hash_mb = 1;
    OK(wari_engine_new(&options, &engine, NULL));
    search.depth = 12;
    OK(wari_engine_analyse_position(engine, won, &search, &analysis));
    OK(wari_analysis_get(analysis, &data));
    CHECK(data.value == 10.0 && data.bound == WARI_BOUND_EXACT && data.lines == 1 && data.finished == 1);
    OK(wari_analysis_line(analysis, 0, &line));
    CHECK(line.move == 'F' && line.pv[0] == 'F' && line.value == 10.0);
    GIVES(WARI_ERROR_BAD_VALUE, wari_analysis_line(analysis, 1, &line));
    wari_analysis_free(analysis);
    search.multipv = 6;
    search.progress = count_depths;
    search.user_data = &depth;
    OK(wari_engine_analyse(engine, game, &search, &analysis));
    CHECK(depth == 3);
    wari_analysis_free(analysis);
    OK(wari_game_resign(game, WARI_SOUTH));
    OK(wari_engine_analyse(engine, game, &search, &analysis));
    OK(wari_analysis_get(analysis, &data));
    CHECK(data.lines == 0 && data.ending == WARI_ENDING_RESIGNATION);
    wari_analysis_free(analysis);
    OK(wari_engine_new_game(engine));
    OK(wari_engine_ponder_hit(engine));
    OK(wari_engine_prepare(engine));
    OK(wari_engine_stop(engine));
    OK(wari_engine_free(engine));
    wari_game_free(game);
    wari_position_free(won);
}

static void engines_refuse(void) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    wari_search search = WARI_STRUCT(wari_search);
    wari_engine* engine = NULL;
    wari_analysis* analysis = NULL;
    wari_position* start = NULL;
    OK(wari_position_start(NULL, &start, NULL));
    options.threads = -1;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_new(&options, &engine, &error));
    CHECK(strcmp(error.field, "threads") == 0);
    options.threads = 1;
    options.evaluation = 4;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_new(&options, &engine, &error));
    options.evaluation = WARI_EVALUATION_MATERIAL;
    options.flags = 4;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_new(&options, &engine, &error));
    options.flags = WARI_ENGINE_NO_TABLES;
    options.tablebase = (const wari_tablebase*)start;
    GIVES(WARI_ERROR_BAD_HANDLE, wari_engine_new(&options, &engine, &error));
    options.tablebase = NULL;
    OK(wari_engine_new(&options, &engine, &error));
    search.depth = -4;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_analyse_position(engine, start, &search, &analysis));
    OK(wari_engine_error(engine, &error));
    CHECK(strcmp(error.field, "depth") == 0);
    search.depth = 1;
    search.moves = "a";
    GIVES(WARI_ERROR_ILLEGAL_MOVE, wari_engine_analyse_position(engine, start, &search, &analysis));
    search.moves = NULL;
    search.flags = 1u << 9;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_analyse_position(engine, start, &search, &analysis));
    search.flags = 0;
    search.seconds = -1;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_analyse_position(engine, start, &search, &analysis));
    search.seconds = 0;
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_analyse_position(engine, start, &search, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_analyse_position(engine, NULL, &search, &analysis));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_stop(NULL));
    CHECK(analysis == NULL);
    OK(wari_engine_free(engine));
    wari_position_free(start);
}

static void engines_prove_and_keep_tables(void) {
    wari_build build = WARI_STRUCT(wari_build);
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    wari_solve solve = WARI_STRUCT(wari_solve);
    wari_solution solution = WARI_STRUCT(wari_solution);
    wari_tablebase* table = NULL;
    wari_engine* engine = NULL;
    wari_position* won = parse("0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", "awari");
    wari_game* game = NULL;
    build.seeds = 7;
    OK(wari_tablebase_build("awari", &build, &table, NULL));
    options.flags = WARI_ENGINE_NO_TABLES;
    options.tablebase = table;
    OK(wari_engine_new(&options, &engine, NULL));
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_add_tablebase(engine, table));
    OK(wari_engine_free(engine));
    options.flags = 0;
    OK(wari_engine_new(&options, &engine, NULL));
    OK(wari_engine_add_tablebase(engine, table));
    wari_tablebase_free(table);  // the engine keeps what it needs
    OK(wari_game_new(won, &game, NULL));
    wari_position_free(won);
    solve.seconds = 20;
    OK(wari_engine_solve(engine, game, &solve, &solution));
    CHECK(solution.lower == 10 && solution.upper == 10 && solution.move == 'F');
    solve.flags = 8;
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_solve(engine, game, &solve, &solution));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_solve(engine, game, NULL, NULL));
    OK(wari_engine_free(engine));
    wari_game_free(game);
}

static void proofs_are_files(void) {
    const char* path = "test_capi.proof";
    char text[64];
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    wari_solve solve = WARI_STRUCT(wari_solve);
    wari_solution first = WARI_STRUCT(wari_solution);
    wari_solution second = WARI_STRUCT(wari_solution);
    wari_engine* engine = NULL;
    wari_position* hard = parse("1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", "awari");
    wari_position* found = NULL;
    wari_game* game = NULL;
    FILE* foreign = NULL;
    options.hash_mb = 8;
    OK(wari_engine_new(&options, &engine, NULL));
    OK(wari_game_new(hard, &game, NULL));
    GIVES(WARI_ERROR_BAD_VALUE, wari_engine_save_proof(engine, path));
    solve.nodes = 20000;
    OK(wari_engine_solve(engine, game, &solve, &first));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_save_proof(engine, NULL));
    OK(wari_engine_save_proof(engine, path));
    OK(wari_engine_free(engine));
    OK(wari_engine_new(&options, &engine, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_engine_load_proof(engine, NULL, &found));
    OK(wari_engine_load_proof(engine, path, NULL));
    OK(wari_engine_load_proof(engine, path, &found));
    OK(wari_position_text(found, text, sizeof text, NULL));
    CHECK(strcmp(text, "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S") == 0);
    solve.nodes = 5000000;
    OK(wari_engine_solve(engine, game, &solve, &second));
    CHECK(second.lower == 9 && second.upper == 9 && second.move == 'F' && second.depth >= first.depth);
    remove(path);
    foreign = fopen(path, "w");
    CHECK(foreign != NULL && fputs("a letter", foreign) >= 0 && fclose(foreign) == 0);
    GIVES(WARI_ERROR_BAD_FILE, wari_engine_save_proof(engine, path));
    GIVES(WARI_ERROR_BAD_FILE, wari_engine_load_proof(engine, path, NULL));
    remove(path);
    GIVES(WARI_ERROR_IO, wari_engine_load_proof(engine, path, NULL));
    OK(wari_engine_free(engine));
    wari_game_free(game);
    wari_position_free(found);
    wari_position_free(hard);
}

MAIN(CASE(tables_probe), CASE(tables_are_files), CASE(engines_analyse), CASE(engines_refuse),
     CASE(engines_prove_and_keep_tables), CASE(proofs_are_files))
