// The library for C: bytes drive a small interpreter that calls every function of wari.h in any order, with
// null pointers, handles of other types, sizes that are wrong and buffers that are too small.
// What it never does is what wari.h forbids: use a handle that was freed. Here: words, positions, games.
#include "capi_interpreter.hpp"

namespace fuzz {

void Interpreter::words() {
    const int number = wild();
    const auto index = static_cast<std::size_t>(number);
    LAW(wari_status_text(static_cast<wari_status>(number & 31)) != nullptr);
    (void)wari_refusal_code(number);
    (void)wari_refusal_in_words(number);
    (void)wari_ending_code(number);
    (void)wari_ending_in_words(number);
    LAW((wari_preset_name(index) != nullptr) == (index < wari_preset_count()));
    LAW((wari_preset_origin(index) != nullptr) == (index < wari_preset_count()));
    LAW((wari_axis_name(index) != nullptr) == (index < wari_axis_count()));
    LAW((wari_axis_question(index) != nullptr) == (index < wari_axis_count()));
    const std::size_t axis = static_cast<std::size_t>(in_.below(12));
    LAW((wari_axis_value_name(axis, index) != nullptr) == (index < wari_axis_value_count(axis)));
    (void)wari_axis_value_meaning(axis, index);
    const char* text = rules();
    copy_text([&](char* buffer, std::size_t size, std::size_t* needed) {
        return wari_rules_text(text, buffer, size, needed, nullptr);
    });
    std::int32_t value = 0;
    (void)wari_rules_value(text, in_.flag() ? wari_axis_name(axis) : "", &value, nullptr);
}

void Interpreter::new_position() {
    wari_position*& slot = positions_.any(in_);
    switch (in_.below(4)) {
        case 0:
            make(slot, [&](wari_position** out, wari_error* error) {
                return wari_position_start(rules(), out, error);
            });
            break;
        case 1: {
            const std::string position = in_.text(80);
            make(slot, [&](wari_position** out, wari_error* error) {
                return wari_position_parse(position.c_str(), rules(), out, error);
            });
            break;
        }
        case 2: {
            std::array<std::int32_t, 12> pits{};
            for (auto& pit : pits) pit = in_.below(32) == 31 ? wild() : in_.below(5);
            const std::int32_t south = wild();
            const std::int32_t side = in_.below(3);
            make(slot, [&](wari_position** out, wari_error* error) {
                return wari_position_from_counts(pits.data(), south, 1, side, rules(), out, error);
            });
            break;
        }
        default: drop(slot);
    }
}

void Interpreter::use_position() {
    wari_position* position = positions_.any(in_);
    std::array<char, 8> moves{};
    switch (in_.below(7)) {
        case 0: last_error(wari_position_error, position); break;
        case 1: {
            Struct<wari_position_data> data(in_);
            const auto status = wari_position_get(position, data.get());
            LAW((status == WARI_OK) == (position != nullptr && data.right()));
            break;
        }
        case 2:
            copy_text([&](char* buffer, std::size_t size, std::size_t* needed) {
                return wari_position_text(position, buffer, size, needed);
            });
            break;
        case 3:
            copy_text([&](char* buffer, std::size_t size, std::size_t* needed) {
                return wari_position_rules(position, buffer, size, needed);
            });
            break;
        case 4: {
            std::int32_t refusal = -1;
            const char move = letter();
            (void)wari_position_legal_moves(position, in_.below(8) == 7 ? nullptr : moves.data());
            (void)wari_position_refusal(position, move, in_.below(8) == 7 ? nullptr : &refusal);
            break;
        }
        case 5: {
            Struct<wari_played> played(in_);
            const char move = letter();
            derive(positions_.any(in_), [&](wari_position** out) {
                return wari_position_play(position, move, out, played.get());
            });
            break;
        }
        default: {
            std::uint64_t leaves = 0;
            const std::int32_t depth = in_.below(8) == 7 ? -1 : in_.below(4);
            (void)wari_position_perft(position, depth, in_.below(8) == 7 ? nullptr : &leaves);
        }
    }
}

void Interpreter::new_game() {
    wari_game*& slot = games_.any(in_);
    const wari_position* start = positions_.any(in_);
    const int choice = in_.below(4);
    if (choice == 0) {
        make(slot, [&](wari_game** out, wari_error* error) { return wari_game_new(start, out, error); });
    } else if (choice == 1) {
        const char* moves = text(60);
        make(slot,
             [&](wari_game** out, wari_error* error) { return wari_game_replay(start, moves, out, error); });
    } else if (choice == 2) {
        const wari_game* other = games_.any(in_);
        make(slot, [&](wari_game** out, wari_error* error) { return wari_game_copy(other, out, error); });
    } else {
        drop(slot);
    }
}

void Interpreter::use_game() {
    wari_game* game = games_.any(in_);
    std::array<char, 8> moves{};
    char popped = 0;
    std::int32_t refusal = 0;
    const int choice = in_.below(11);
    const char move = letter();
    Struct<wari_played> played(in_);
    Struct<wari_game_data> data(in_);
    wari_game_data before = WARI_STRUCT(wari_game_data);
    (void)wari_game_get(game, &before);
    if (choice == 0) last_error(wari_game_error, game);
    if (choice == 1) LAW((wari_game_get(game, data.get()) == WARI_OK) == (game != nullptr && data.right()));
    if (choice == 2) {
        copy_text([&](char* buffer, std::size_t size, std::size_t* needed) {
            return wari_game_moves(game, buffer, size, needed);
        });
    }
    if (choice == 3) {
        const std::int32_t ply = wild();
        derive(positions_.any(in_), [&](wari_position** out) { return wari_game_position(game, ply, out); });
    }
    if (choice == 4) {
        (void)wari_game_legal_moves(game, in_.below(8) == 7 ? nullptr : moves.data());
        (void)wari_game_refusal(game, move, &refusal);
    }
    if (choice == 5 && wari_game_legal_moves(game, moves.data()) == WARI_OK && moves[0] != 0) {
        LAW(wari_game_push(game, moves[static_cast<std::size_t>(in_.byte()) % std::strlen(moves.data())],
                           nullptr) == WARI_OK);
    }
    if (choice == 6) (void)wari_game_push(game, move, played.get());
    if (choice == 7 && wari_game_push_all(game, text(30)) != WARI_OK && game != nullptr) {
        wari_game_data after = WARI_STRUCT(wari_game_data);
        LAW(wari_game_get(game, &after) == WARI_OK && std::memcmp(&before, &after, sizeof after) == 0);
    }
    if (choice == 8) (void)wari_game_pop(game, in_.flag() ? nullptr : &popped);
    if (choice == 9) (void)wari_game_agree(game);
    if (choice == 10) {
        (void)(in_.flag() ? wari_game_resign(game, in_.below(3))
                          : wari_game_lose_on_time(game, in_.below(3)));
    }
}

}  // namespace fuzz

namespace {

constexpr int kOperations = 120;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes input(data, size);
    fuzz::Interpreter interpreter(input);
    for (int i = 0; i < kOperations && !input.empty(); ++i) interpreter.step();
    return 0;
}
