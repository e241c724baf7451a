// Games for C.
#include "wari/game.hpp"

#include "handles.hpp"
#include "structs.hpp"
#include "wari/notation.hpp"

using namespace wari;
using namespace wari::capi;

namespace {

/// Plays a list of moves, or none of them.
Problem play_all(Game& game, const char* text) {
    if (text == nullptr) return null("moves");
    const auto moves = parse_moves(text);
    if (!moves) return moves.error();
    if (const auto wrong = push_moves(game, *moves)) {
        Problem problem(wrong->error());
        problem.refusal = number_of(wrong->refusal);
        return problem;
    }
    return {};
}

/// For what ends a game that is over already: the reason is known.
Problem called(const Status& status) {
    Problem problem(status);
    if (problem.status == WARI_ERROR_ILLEGAL_MOVE) problem.refusal = WARI_REFUSAL_GAME_OVER;
    return problem;
}

}  // namespace

wari_status wari_game_new(const wari_position* start, wari_game** out, wari_error* error) {
    return wari_game_replay(start, "", out, error);
}

wari_status wari_game_replay(const wari_position* start, const char* moves, wari_game** out,
                             wari_error* error) {
    return report(error, [&]() -> Problem {
        if (Problem wrong = check(start, "start"); wrong.failed()) return wrong;
        if (out == nullptr) return null("out");
        auto game = std::make_unique<wari_game>(Game(start->value));
        if (Problem wrong = play_all(game->value, moves); wrong.failed()) return wrong;
        *out = game.release();
        return {};
    });
}

wari_status wari_game_copy(const wari_game* game, wari_game** out, wari_error* error) {
    return report(error, [&]() -> Problem {
        if (Problem wrong = check(game, "game"); wrong.failed()) return wrong;
        if (out == nullptr) return null("out");
        *out = new wari_game(game->value);
        return {};
    });
}

void wari_game_free(wari_game* game) { release(game); }

wari_status wari_game_error(const wari_game* game, wari_error* error) { return last_error(game, error); }

wari_status wari_game_get(const wari_game* game, wari_game_data* data) {
    return on(game, [&]() -> Problem {
        if (Problem wrong = check_out(data, "data"); wrong.failed()) return wrong;
        wari_game_data made{};
        made.plies = static_cast<int>(game->value.size());
        made.quiet_plies = static_cast<int>(game->value.quiet_plies());
        made.side = static_cast<int>(game->value.position().side_to_move());
        put_outcome(game->value.outcome(), made);
        give(made, data);
        return {};
    });
}

wari_status wari_game_moves(const wari_game* game, char* buffer, size_t size, size_t* needed) {
    return on(game, [&] { return copy_text(moves_text(game->value), buffer, size, needed); });
}

wari_status wari_game_position(const wari_game* game, int32_t ply, wari_position** out) {
    return on(game, [&]() -> Problem {
        if (out == nullptr) return null("out");
        const std::size_t plies = game->value.size();
        const std::size_t at = ply < 0 ? plies : static_cast<std::size_t>(ply);
        if (at > plies) {
            return bad("ply", "the game has " + std::to_string(plies) + " plies, not " + std::to_string(ply));
        }
        *out = new wari_position(game->value.at(at));
        return {};
    });
}

wari_status wari_game_legal_moves(const wari_game* game, char moves[8]) {
    return on(game, [&] { return copy_moves(game->value.legal_moves(), moves); });
}

wari_status wari_game_refusal(const wari_game* game, char move, int32_t* refusal) {
    return on(game, [&]() -> Problem {
        if (refusal == nullptr) return null("refusal");
        const auto read = parse_move({&move, 1});
        if (!read) return read.error();
        *refusal = number_of(game->value.refusal(*read));
        return {};
    });
}

wari_status wari_game_push(wari_game* game, char move, wari_played* played) {
    return on(game, [&]() -> Problem {
        if (played != nullptr) {
            if (Problem wrong = check_out(played, "played"); wrong.failed()) return wrong;
        }
        const auto read = parse_move({&move, 1});
        if (!read) return read.error();
        if (const auto why = game->value.refusal(*read)) return refused(*read, *why);
        const auto ply = game->value.push(*read);
        if (!ply) return ply.error();
        if (played != nullptr) give(wari_played{0, ply->captured, number_of(ply->ending)}, played);
        return {};
    });
}

wari_status wari_game_push_all(wari_game* game, const char* moves) {
    return on(game, [&] { return play_all(game->value, moves); });
}

wari_status wari_game_pop(wari_game* game, char* move) {
    return on(game, [&]() -> Problem {
        const auto taken = game->value.pop();
        if (!taken) return taken.error();
        if (move != nullptr) *move = taken->letter;
        return {};
    });
}

wari_status wari_game_agree(wari_game* game) {
    return on(game, [&] { return called(game->value.agree()); });
}

wari_status wari_game_resign(wari_game* game, int32_t side) {
    return on(game, [&]() -> Problem {
        const auto loser = side_of(side);
        return loser ? called(game->value.resign(*loser)) : Problem(loser.error());
    });
}

wari_status wari_game_lose_on_time(wari_game* game, int32_t side) {
    return on(game, [&]() -> Problem {
        const auto loser = side_of(side);
        return loser ? called(game->value.lose_on_time(*loser)) : Problem(loser.error());
    });
}
