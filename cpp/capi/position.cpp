// Positions for C.
#include "wari/position.hpp"

#include "handles.hpp"
#include "structs.hpp"
#include "wari/perft.hpp"

using namespace wari;
using namespace wari::capi;

namespace {

Problem make(const Expected<Position>& position, wari_position** out) {
    if (!position) return position.error();
    *out = new wari_position(*position);
    return {};
}

std::optional<Outcome> outcome_of(const Position& position) {
    const auto ending = position.ending();
    if (!ending.has_value()) return std::nullopt;
    return position.outcome(*ending);
}

}  // namespace

wari_status wari_position_start(const char* rules, wari_position** out, wari_error* error) {
    return report(error, [&]() -> Problem {
        if (out == nullptr) return null("out");
        const auto read = rules_of(rules);
        if (!read) return read.error();
        return make(Position(*read), out);
    });
}

wari_status wari_position_parse(const char* text, const char* rules, wari_position** out, wari_error* error) {
    return report(error, [&]() -> Problem {
        if (text == nullptr) return null("text");
        if (out == nullptr) return null("out");
        const auto read = rules_of(rules);
        if (!read) return read.error();
        return make(Position::parse(text, *read), out);
    });
}

wari_status wari_position_from_counts(const int32_t* pits, int32_t store_south, int32_t store_north,
                                      int32_t side, const char* rules, wari_position** out,
                                      wari_error* error) {
    return report(error, [&]() -> Problem {
        if (pits == nullptr) return null("pits");
        if (out == nullptr) return null("out");
        const auto read = rules_of(rules);
        if (!read) return read.error();
        const auto to_move = side_of(side);
        if (!to_move) return to_move.error();
        std::array<int, kPitsInAll> counts{};
        std::copy_n(pits, kPitsInAll, counts.begin());
        return make(Position::from_counts(counts, store_south, store_north, *to_move, *read), out);
    });
}

void wari_position_free(wari_position* position) { release(position); }

wari_status wari_position_error(const wari_position* position, wari_error* error) {
    return last_error(position, error);
}

wari_status wari_position_get(const wari_position* position, wari_position_data* data) {
    return on(position, [&]() -> Problem {
        if (Problem wrong = check_out(data, "data"); wrong.failed()) return wrong;
        const Position& value = position->value;
        wari_position_data made{};
        const auto pits = value.pits();
        std::copy(pits.begin(), pits.end(), made.pits);
        made.stores[0] = value.store(Side::south);
        made.stores[1] = value.store(Side::north);
        made.side = static_cast<int>(value.side_to_move());
        made.total = value.total();
        put_outcome(outcome_of(value), made);
        give(made, data);
        return {};
    });
}

wari_status wari_position_text(const wari_position* position, char* buffer, size_t size, size_t* needed) {
    return on(position, [&] { return copy_text(position->value.text(), buffer, size, needed); });
}

wari_status wari_position_rules(const wari_position* position, char* buffer, size_t size, size_t* needed) {
    return on(position, [&] { return copy_text(to_text(position->value.rules()), buffer, size, needed); });
}

wari_status wari_position_legal_moves(const wari_position* position, char moves[8]) {
    return on(position, [&] { return copy_moves(position->value.legal_moves(), moves); });
}

wari_status wari_position_refusal(const wari_position* position, char move, int32_t* refusal) {
    return on(position, [&]() -> Problem {
        if (refusal == nullptr) return null("refusal");
        const auto read = parse_move({&move, 1});
        if (!read) return read.error();
        *refusal = number_of(position->value.refusal(*read));
        return {};
    });
}

wari_status wari_position_play(const wari_position* position, char move, wari_position** out,
                               wari_played* played) {
    return on(position, [&]() -> Problem {
        if (out == nullptr) return null("out");
        if (played != nullptr) {
            if (Problem wrong = check_out(played, "played"); wrong.failed()) return wrong;
        }
        const auto read = parse_move({&move, 1});
        if (!read) return read.error();
        if (const auto why = position->value.refusal(*read)) return refused(*read, *why);
        const Position::Played done = position->value.play_unchecked(*read);
        *out = new wari_position(done.next);
        if (played != nullptr) {
            const auto ending = done.own_end.has_value() ? done.own_end : done.next.ending();
            give(wari_played{0, done.captured, number_of(ending)}, played);
        }
        return {};
    });
}

wari_status wari_position_perft(const wari_position* position, int32_t depth, uint64_t* leaves) {
    return on(position, [&]() -> Problem {
        if (leaves == nullptr) return null("leaves");
        const auto counted = perft(position->value, depth);
        if (!counted) return counted.error();
        *leaves = counted->nodes;
        return {};
    });
}
