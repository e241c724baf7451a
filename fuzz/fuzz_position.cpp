// Text of rules and positions: whatever is read is printed so that it is read again, and play keeps the laws.
// The input: a line of rules, a line of a position, bytes that choose moves.
#include <optional>

#include "bytes.hpp"
#include "wari/perft.hpp"

namespace {

using namespace wari;

constexpr int kPlies = 120;

Rules rules_from(const std::string& text) {
    const auto rules = parse_rules(text);
    if (!rules) {
        LAW(rules.error().kind == ErrorKind::bad_value && !rules.error().message.empty());
        return {};
    }
    const std::string shortest = to_text(*rules);
    const auto again = parse_rules(shortest);
    LAW(again.has_value() && *again == *rules && to_text(*again) == shortest);
    Rules built;
    for (int axis = 0; axis < kAxisCount; ++axis) {
        const Axis& about = axes()[static_cast<std::size_t>(axis)];
        const auto value = static_cast<std::size_t>(axis_value(*rules, axis));
        LAW(value < about.values.size());
        const auto next = with_axis(built, about.name, about.values[value].name);
        LAW(next.has_value());
        built = *next;
    }
    LAW(built == *rules);
    return *rules;
}

void check_text(const Position& position) {
    const auto again = Position::parse(position.text(), position.rules());
    LAW(again.has_value() && *again == position && again->text() == position.text());
    const auto counted =
        Position::from_counts(position.pits(), position.store(Side::south), position.store(Side::north),
                              position.side_to_move(), position.rules());
    LAW(counted.has_value() && *counted == position);
}

void check_end(const Position& position, Ending ending) {
    const Outcome outcome = position.outcome(ending);
    LAW(outcome.ending == ending && outcome.south >= 0 && outcome.north >= 0);
    LAW(outcome.south + outcome.north <= position.total());
    const Position settled = position.settled(ending);
    // Where seeds are split in half, an odd one counts for nobody.
    LAW(settled.total() == position.total() || settled.total() == position.total() - 1);
    LAW(settled.store(Side::south) == outcome.south && settled.store(Side::north) == outcome.north);
}

void check_moves(const Position& position) {
    const MoveList moves = position.legal_moves();
    const auto ending = position.ending();
    LAW(moves.empty() == ending.has_value());
    for (int i = 0; i <= static_cast<int>(Ending::time); ++i) check_end(position, static_cast<Ending>(i));
    std::size_t legal = 0;
    std::uint64_t grandchildren = 0;
    for (const char letter : fuzz::kLetters) {
        const Move move{letter};
        const auto refusal = position.refusal(move);
        const auto played = position.play(move);
        LAW(refusal.has_value() != played.has_value());
        if (refusal.has_value()) {
            LAW(played.error().kind == ErrorKind::illegal_move);
            continue;
        }
        LAW(moves[legal++] == move || move.is_pass() || position.side_to_move() == Side::north ||
            position.rules().sowing == Sowing::clockwise);
        const Side mover = position.side_to_move();
        LAW(position.total() - played->next.total() <= 1 && played->next.side_to_move() == other(mover));
        LAW(played->captured >= 0 && played->next.store(mover) >= position.store(mover) + played->captured);
        check_text(played->next);
        grandchildren += perft(played->next, 1)->nodes;
    }
    LAW(legal == moves.size());
    LAW(perft(position, 1)->nodes == moves.size());
    LAW(perft(position, 2)->nodes == grandchildren);
    LAW(*perft(position, 3) == *perft(position, 3, {}, Isa::portable));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes input(data, size);
    const Rules rules = rules_from(input.line());
    const auto read = Position::parse(input.line(), rules);
    if (!read) {
        LAW(read.error().kind == ErrorKind::bad_value && !read.error().message.empty());
        return 0;
    }
    Position position = *read;
    check_text(position);
    for (int ply = 0; ply < kPlies; ++ply) {
        check_moves(position);
        const MoveList moves = position.legal_moves();
        if (moves.empty() || input.empty()) break;
        position =
            position
                .play_unchecked(moves[static_cast<std::size_t>(input.below(static_cast<int>(moves.size())))])
                .next;
    }
    return 0;
}
