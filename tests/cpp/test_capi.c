// wari.h from C99: words, rules, positions, sizes and games, right and in the ways a caller can be wrong.
#include "capi_check.h"

// --- words --------------------------------------------------------------------------------------------

static void names_are_complete(void) {
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", WARI_VERSION_MAJOR, WARI_VERSION_MINOR, WARI_VERSION_PATCH);
    CHECK(strcmp(numbers, WARI_VERSION_TEXT) == 0);
    CHECK(strcmp(wari_version(), WARI_VERSION_TEXT) == 0);
    for (int status = WARI_OK; status <= WARI_ERROR_INTERNAL; ++status) {
        CHECK(strcmp(wari_status_text((wari_status)status), "unknown status") != 0);
    }
    CHECK(strcmp(wari_status_text((wari_status)1000), "unknown status") == 0);
    CHECK(strcmp(wari_refusal_code(WARI_REFUSAL_MUST_FEED), "must_feed") == 0);
    CHECK(strcmp(wari_refusal_code(WARI_REFUSAL_CANNOT_PASS), "cannot_pass") == 0);
    CHECK(strcmp(wari_ending_code(WARI_ENDING_EMPTIED), "emptied") == 0);
    CHECK(strcmp(wari_ending_code(WARI_ENDING_TIME), "time") == 0);
    CHECK(wari_refusal_code(0) == NULL && wari_refusal_code(8) == NULL && wari_refusal_code(-1) == NULL);
    CHECK(wari_ending_code(0) == NULL && wari_ending_code(10) == NULL);
    for (int i = 1; i <= WARI_REFUSAL_CANNOT_PASS; ++i) CHECK(strlen(wari_refusal_in_words(i)) > 5);
    for (int i = 1; i <= WARI_ENDING_TIME; ++i) CHECK(strlen(wari_ending_in_words(i)) > 5);
}

static void rules_have_names(void) {
    wari_error error = WARI_STRUCT(wari_error);
    char text[64];
    int32_t value = -1;
    size_t needed = 0;
    CHECK(wari_preset_count() == 7 && wari_axis_count() == 10);
    CHECK(strcmp(wari_preset_name(0), "wari") == 0 && wari_preset_name(7) == NULL);
    for (size_t i = 0; i < wari_preset_count(); ++i) {
        OK(wari_rules_text(wari_preset_name(i), text, sizeof text, NULL, NULL));
        CHECK(strcmp(text, wari_preset_name(i)) == 0);
        CHECK(strlen(wari_preset_origin(i)) > 0);
    }
    for (size_t axis = 0; axis < wari_axis_count(); ++axis) {
        CHECK(strlen(wari_axis_name(axis)) > 0 && strlen(wari_axis_question(axis)) > 0);
        CHECK(wari_axis_value_count(axis) >= 2);
        for (size_t i = 0; i < wari_axis_value_count(axis); ++i) {
            CHECK(strlen(wari_axis_value_name(axis, i)) > 0 && strlen(wari_axis_value_meaning(axis, i)) > 0);
            snprintf(text, sizeof text, "%s=%s", wari_axis_name(axis), wari_axis_value_name(axis, i));
            OK(wari_rules_value(text, wari_axis_name(axis), &value, NULL));
            CHECK(value == (int32_t)i);
        }
    }
    CHECK(wari_axis_name(10) == NULL && wari_axis_value_count(10) == 0 &&
          wari_axis_value_name(0, 99) == NULL);
    OK(wari_rules_text("awari, sowing=clockwise", NULL, 0, &needed, NULL));
    CHECK(needed == strlen("awari,sowing=clockwise") + 1);
    GIVES(WARI_ERROR_TOO_SMALL, wari_rules_text("awari,sowing=clockwise", text, needed - 1, &needed, &error));
    CHECK(error.status == WARI_ERROR_TOO_SMALL);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_rules_text("abapa", NULL, 5, NULL, &error));
    GIVES(WARI_ERROR_BAD_VALUE, wari_rules_text("chess", text, sizeof text, NULL, &error));
    CHECK(strcmp(error.field, "rules") == 0 && strstr(error.message, "chess") != NULL);
    GIVES(WARI_ERROR_BAD_VALUE, wari_rules_value("abapa", "colour", &value, &error));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_rules_value("abapa", NULL, &value, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_rules_value("abapa", "stuck", NULL, NULL));
}

// --- positions ------------------------------------------------------------------------------------------

static void positions_play(void) {
    wari_position_data data = WARI_STRUCT(wari_position_data);
    wari_played played = WARI_STRUCT(wari_played);
    wari_position* start = NULL;
    wari_position* next = NULL;
    uint64_t leaves = 0;
    char text[64];
    char moves[8];
    OK(wari_position_start(NULL, &start, NULL));
    OK(wari_position_text(start, text, sizeof text, NULL));
    CHECK(strcmp(text, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") == 0);
    OK(wari_position_rules(start, text, sizeof text, NULL));
    CHECK(strcmp(text, "wari") == 0);
    OK(wari_position_legal_moves(start, moves));
    CHECK(strcmp(moves, "ABCDEF") == 0);
    OK(wari_position_perft(start, 7, &leaves));
    CHECK(leaves == 139157);
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_perft(start, -1, &leaves));
    OK(wari_position_play(start, 'F', &next, &played));
    CHECK(played.captured == 0 && played.ending == WARI_PLAYING);
    OK(wari_position_get(next, &data));
    CHECK(data.pits[5] == 0 && data.pits[6] == 5 && data.side == WARI_NORTH && data.total == 48);
    CHECK(data.ending == WARI_PLAYING && data.winner == WARI_NOBODY);
    wari_position_free(next);
    wari_position_free(start);
}

static void positions_end(void) {
    wari_position_data data = WARI_STRUCT(wari_position_data);
    wari_position* over = parse("0-0-0-0-0-0-0-0-0-0-0-0-30-18-N", "abapa");
    char moves[8];
    int32_t refusal = 0;
    OK(wari_position_get(over, &data));
    CHECK(data.ending == WARI_ENDING_MAJORITY && data.winner == WARI_SOUTH);
    CHECK(data.result[0] == 30 && data.result[1] == 18);
    OK(wari_position_legal_moves(over, moves));
    CHECK(moves[0] == '\0');
    OK(wari_position_refusal(over, 'a', &refusal));
    CHECK(refusal == WARI_REFUSAL_GAME_OVER);
    wari_position_free(over);
}

static void positions_refuse(void) {
    wari_error error = WARI_STRUCT(wari_error);
    const int32_t pits[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 97};
    wari_position* position = (wari_position*)&error;
    wari_position* untouched = position;
    int32_t refusal = -1;
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_parse("4-4-x", "abapa", &position, &error));
    CHECK(position == untouched && error.status == WARI_ERROR_BAD_VALUE && error.message[0] != '\0');
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_from_counts(pits, 0, 0, WARI_SOUTH, NULL, &position, &error));
    CHECK(strcmp(error.field, "f") == 0);
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_from_counts(pits, 0, 0, 2, NULL, &position, &error));
    CHECK(strcmp(error.field, "side") == 0);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_from_counts(NULL, 0, 0, 0, NULL, &position, &error));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_parse(NULL, "abapa", &position, &error));
    CHECK(strcmp(error.field, "text") == 0);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_parse("", "abapa", NULL, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_start(NULL, NULL, NULL));

    position = parse("0-0-0-0-0-2-0-0-0-0-0-0-23-23-S", "abapa");
    GIVES(WARI_ERROR_ILLEGAL_MOVE, wari_position_play(position, 'a', &untouched, NULL));
    OK(wari_position_error(position, &error));
    CHECK(error.refusal == WARI_REFUSAL_NOT_YOUR_PIT && error.message[0] != '\0');
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_play(position, 'x', &untouched, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_play(position, 'F', NULL, NULL));
    OK(wari_position_refusal(position, 'A', &refusal));
    CHECK(refusal == WARI_REFUSAL_EMPTY_PIT);
    OK(wari_position_refusal(position, 'F', &refusal));
    CHECK(refusal == WARI_LEGAL);
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_refusal(position, 'F', NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_legal_moves(position, NULL));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_perft(position, 1, NULL));
    wari_position_free(position);
}

// --- sizes and handles ----------------------------------------------------------------------------------

static void sizes_are_checked(void) {
    struct {
        wari_position_data known;
        int32_t later[4];
    } grown;
    struct {
        wari_search known;
        int32_t later[2];
    } asked;
    wari_position_data data = WARI_STRUCT(wari_position_data);
    wari_position* start = NULL;
    wari_engine* engine = NULL;
    wari_analysis* analysis = NULL;
    wari_error error = {0};
    OK(wari_position_start(NULL, &start, NULL));
    data.struct_size = 0;
    GIVES(WARI_ERROR_BAD_SIZE, wari_position_get(start, &data));
    data.struct_size = sizeof data - 4;
    GIVES(WARI_ERROR_BAD_SIZE, wari_position_get(start, &data));
    data.struct_size = (size_t)-1;
    GIVES(WARI_ERROR_BAD_SIZE, wari_position_get(start, &data));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_get(start, NULL));
    GIVES(WARI_ERROR_BAD_SIZE, wari_position_error(start, &error));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_error(start, NULL));
    GIVES(WARI_ERROR_BAD_VALUE, wari_position_parse("", NULL, &start, &error));  // error is left alone
    CHECK(error.status == 0 && error.message[0] == '\0');

    memset(&grown, 0xFF, sizeof grown);  // a caller of a later header: what is beyond becomes zero
    grown.known.struct_size = sizeof grown;
    OK(wari_position_get(start, &grown.known));
    CHECK(grown.known.struct_size == sizeof grown && grown.known.total == 48 && grown.later[3] == 0);

    memset(&asked, 0, sizeof asked);
    asked.known.struct_size = sizeof asked;
    asked.known.depth = 1;
    OK(wari_engine_new(NULL, &engine, NULL));
    OK(wari_engine_analyse_position(engine, start, &asked.known, &analysis));
    wari_analysis_free(analysis);
    asked.later[1] = 1;  // asks for something that this library does not know
    GIVES(WARI_ERROR_BAD_SIZE, wari_engine_analyse_position(engine, start, &asked.known, &analysis));
    OK(wari_engine_free(engine));
    wari_position_free(start);
}

static void handles_are_told_apart(void) {
    wari_position* start = NULL;
    wari_game* game = NULL;
    wari_error error = WARI_STRUCT(wari_error);
    char moves[8];
    wari_position_free(NULL);
    wari_game_free(NULL);
    wari_tablebase_free(NULL);
    wari_analysis_free(NULL);
    OK(wari_engine_free(NULL));
    OK(wari_position_start(NULL, &start, NULL));
    GIVES(WARI_ERROR_BAD_HANDLE, wari_game_legal_moves((const wari_game*)start, moves));
    GIVES(WARI_ERROR_BAD_HANDLE, wari_engine_free((wari_engine*)start));
    GIVES(WARI_ERROR_BAD_HANDLE, wari_game_error((const wari_game*)start, &error));
    wari_game_free((wari_game*)start);  // not a game: nothing happens
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_position_legal_moves(NULL, moves));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_game_new(NULL, &game, &error));
    CHECK(strcmp(error.field, "start") == 0);
    GIVES(WARI_ERROR_BAD_HANDLE, wari_game_copy((const wari_game*)start, &game, &error));
    wari_position_free(start);
}

// --- games ------------------------------------------------------------------------------------------------

static void games_have_history(void) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_game_data data = WARI_STRUCT(wari_game_data);
    wari_played played = WARI_STRUCT(wari_played);
    wari_game* game = replay("abapa", "FfEd");
    wari_game* copy = NULL;
    wari_position* position = NULL;
    int32_t refusal = -1;
    char text[64];
    char move = '?';
    OK(wari_game_moves(game, text, sizeof text, NULL));
    CHECK(strcmp(text, "FfEd") == 0);
    OK(wari_game_get(game, &data));
    CHECK(data.plies == 4 && data.side == WARI_SOUTH && data.ending == WARI_PLAYING);
    OK(wari_game_copy(game, &copy, NULL));
    OK(wari_game_push(copy, 'A', &played));
    OK(wari_game_pop(copy, &move));
    CHECK(move == 'A');
    GIVES(WARI_ERROR_ILLEGAL_MOVE, wari_game_push(copy, 'a', NULL));
    OK(wari_game_error(copy, &error));
    CHECK(error.refusal == WARI_REFUSAL_NOT_YOUR_PIT);
    GIVES(WARI_ERROR_ILLEGAL_MOVE, wari_game_push_all(copy, "AaAB"));
    OK(wari_game_get(copy, &data));
    CHECK(data.plies == 4);
    GIVES(WARI_ERROR_BAD_VALUE, wari_game_push_all(copy, "A!"));
    GIVES(WARI_ERROR_NULL_ARGUMENT, wari_game_push_all(copy, NULL));
    for (int i = 0; i < 4; ++i) OK(wari_game_pop(copy, NULL));
    GIVES(WARI_ERROR_NO_HISTORY, wari_game_pop(copy, NULL));
    OK(wari_game_position(game, 0, &position));
    OK(wari_position_text(position, text, sizeof text, NULL));
    CHECK(strcmp(text, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") == 0);
    wari_position_free(position);
    OK(wari_game_position(game, -1, &position));
    OK(wari_position_legal_moves(position, text));
    wari_position_free(position);
    GIVES(WARI_ERROR_BAD_VALUE, wari_game_position(game, 5, &position));
    OK(wari_game_refusal(game, 'f', &refusal));
    CHECK(refusal == WARI_REFUSAL_NOT_YOUR_PIT);
    wari_game_free(copy);
    wari_game_free(game);
}

static void games_end(void) {
    wari_error error = WARI_STRUCT(wari_error);
    wari_game_data data = WARI_STRUCT(wari_game_data);
    wari_game* game = replay("wari", "Ff");
    char moves[8];
    GIVES(WARI_ERROR_BAD_VALUE, wari_game_resign(game, 7));
    OK(wari_game_resign(game, WARI_NORTH));
    OK(wari_game_get(game, &data));
    CHECK(data.ending == WARI_ENDING_RESIGNATION && data.winner == WARI_SOUTH);
    GIVES(WARI_ERROR_ILLEGAL_MOVE, wari_game_agree(game));
    OK(wari_game_error(game, &error));
    CHECK(error.refusal == WARI_REFUSAL_GAME_OVER);
    OK(wari_game_legal_moves(game, moves));
    CHECK(moves[0] == '\0');
    OK(wari_game_pop(game, NULL));
    OK(wari_game_agree(game));
    OK(wari_game_get(game, &data));
    CHECK(data.ending == WARI_ENDING_AGREEMENT && data.result[0] == 20 && data.winner == WARI_NORTH);
    OK(wari_game_pop(game, NULL));
    OK(wari_game_lose_on_time(game, WARI_SOUTH));
    OK(wari_game_get(game, &data));
    CHECK(data.ending == WARI_ENDING_TIME && data.winner == WARI_NORTH);
    wari_game_free(game);
}

MAIN(CASE(names_are_complete), CASE(rules_have_names), CASE(positions_play), CASE(positions_end),
     CASE(positions_refuse), CASE(sizes_are_checked), CASE(handles_are_told_apart), CASE(games_have_history),
     CASE(games_end))
