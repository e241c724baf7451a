// Position: the border between packed boards and what people write. All input is checked here.
#include "wari/position.hpp"

#include <charconv>

namespace wari {
namespace {

constexpr std::array<std::string_view, 15> kFieldNames = {"A", "B", "C", "D", "E",      "F",      "a",   "b",
                                                          "c", "d", "e", "f", "storeS", "storeN", "side"};

Error bad(std::string_view field, const std::string& what) {
    return {ErrorKind::bad_value, std::string(field), std::string(field) + ": " + what};
}

std::string shown(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    std::string out = "'";
    for (const char c : text.substr(0, kLongest)) {
        const bool plain = c >= ' ' && c <= '~';
        out += plain ? c : '?';
    }
    out += text.size() > kLongest ? "...'" : "'";
    return out;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\r\n";
    const std::size_t from = text.find_first_not_of(kSpaces);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(kSpaces) - from + 1);
}

constexpr std::uint64_t store_bits(int seeds) { return static_cast<std::uint64_t>(seeds) << kStoreShift; }

}  // namespace

Expected<Move> parse_move(std::string_view text) {
    const std::string_view letter = trimmed(text);
    if (letter.size() == 1) {
        const char c = letter[0];
        if ((c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') || c == '-') return Move{c};
    }
    return Error{ErrorKind::bad_value, "move",
                 "move: expected one of A-F, a-f or - (a pass), not " + shown(text)};
}

std::string_view to_text(Refusal refusal) {
    switch (refusal) {
        case Refusal::game_over: return "game_over";
        case Refusal::not_your_pit: return "not_your_pit";
        case Refusal::empty_pit: return "empty_pit";
        case Refusal::single_seed: return "single_seed";
        case Refusal::must_feed: return "must_feed";
        case Refusal::slam_forbidden: return "slam_forbidden";
        case Refusal::cannot_pass: return "cannot_pass";
    }
    return {};
}

std::string_view in_words(Refusal refusal) {
    switch (refusal) {
        case Refusal::game_over: return "the game is over";
        case Refusal::not_your_pit: return "that pit belongs to the other side";
        case Refusal::empty_pit: return "that pit is empty";
        case Refusal::single_seed: return "a pit with a single seed may not be played while a larger pit can";
        case Refusal::must_feed: return "the opponent's row is empty and this move leaves no seeds there";
        case Refusal::slam_forbidden: return "this move would capture every seed of the opponent's row";
        case Refusal::cannot_pass: return "passing is only allowed, and then required, when nothing else is";
    }
    return {};
}

Error illegal(Move move, Refusal refusal) {
    return {ErrorKind::illegal_move, "move",
            std::string("move: ") + move.letter + " is not legal here: " + std::string(in_words(refusal))};
}

std::string_view to_text(Ending ending) {
    switch (ending) {
        case Ending::emptied: return "emptied";
        case Ending::forfeit: return "forfeit";
        case Ending::majority: return "majority";
        case Ending::empty_board: return "empty_board";
        case Ending::repetition: return "repetition";
        case Ending::stuck: return "stuck";
        case Ending::agreement: return "agreement";
        case Ending::resignation: return "resignation";
        case Ending::time: return "time";
    }
    return {};
}

std::string_view in_words(Ending ending) {
    switch (ending) {
        case Ending::emptied: return "a move left the mover's own row empty";
        case Ending::forfeit: return "a grand slam ended the game";
        case Ending::majority: return "a store holds more than half of all seeds";
        case Ending::empty_board: return "no seeds are left on the board";
        case Ending::repetition: return "a position has come up for the second time";
        case Ending::stuck: return "the side to move has no legal move";
        case Ending::agreement: return "the players agreed to end the game";
        case Ending::resignation: return "the side to move resigned";
        case Ending::time: return "the side to move ran out of time";
    }
    return {};
}

Position::Position(const Rules& rules) : rules_(rules) {
    board_.own = board_.opp = kPitOnes * rules.seeds_per_pit;
}

Position Position::from_board(const Board& board, Side to_move, const Rules& rules) {
    Position position(rules);
    position.board_ = board;
    position.side_ = to_move;
    return position;
}

Expected<Position> Position::from_counts(std::span<const int, kPitsInAll> pits, int store_south,
                                         int store_north, Side to_move, const Rules& rules) {
    std::array<int, kPitsInAll + 2> counts{};
    for (std::size_t i = 0; i < kPitsInAll; ++i) counts[i] = pits[i];
    counts[kPitsInAll] = store_south;
    counts[kPitsInAll + 1] = store_north;
    int total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] < 0 || counts[i] > kMaxSeeds) {
            return bad(kFieldNames[i], "expected a count of 0 to 96 seeds, not " + std::to_string(counts[i]));
        }
        total += counts[i];
    }
    if (total < 1 || total > kMaxSeeds) {
        return bad("total", "pits and stores must hold 1 to 96 seeds together, not " + std::to_string(total));
    }
    std::uint64_t rows[2] = {store_bits(store_south), store_bits(store_north)};
    for (int i = 0; i < kPitsInAll; ++i) {
        const int letter = i % kPitsPerRow;
        const int pit = rules.sowing == Sowing::clockwise ? kPitsPerRow - 1 - letter : letter;
        rows[i / kPitsPerRow] += static_cast<std::uint64_t>(counts[static_cast<std::size_t>(i)]) << (8 * pit);
    }
    const bool south = to_move == Side::south;
    return from_board({rows[south ? 0 : 1], rows[south ? 1 : 0]}, to_move, rules);
}

Expected<Position> Position::parse(std::string_view text, const Rules& rules) {
    constexpr std::size_t kFields = kFieldNames.size();
    std::array<std::string_view, kFields> fields;
    std::string_view rest = trimmed(text);
    std::size_t found = 0;
    while (true) {
        // A field that begins with '-' has a sign, so that "-1" is reported as a negative count.
        const bool sign = !rest.empty() && rest[0] == '-';
        const std::size_t dash = rest.find('-', sign ? 1 : 0);
        if (found < kFields) fields[found] = trimmed(rest.substr(0, dash));
        ++found;
        if (dash == std::string_view::npos) break;
        rest = rest.substr(dash + 1);
    }
    if (found != kFields) {
        return bad("position", "expected 15 fields (12 pits, 2 stores, S or N) separated by '-', found " +
                                   std::to_string(found) + " in " + shown(text));
    }
    std::array<int, kPitsInAll + 2> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::string_view field = fields[i];
        const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), counts[i]);
        if (failure != std::errc{} || end != field.data() + field.size() || counts[i] < 0 ||
            counts[i] > kMaxSeeds) {
            return bad(kFieldNames[i], "expected a count of 0 to 96 seeds, not " + shown(field));
        }
    }
    const std::string_view side = fields[kFields - 1];
    if (side != "S" && side != "N") return bad("side", "expected S or N, not " + shown(side));
    const std::span<const int, kPitsInAll> pits(counts.data(), kPitsInAll);
    return from_counts(pits, counts[kPitsInAll], counts[kPitsInAll + 1],
                       side == "S" ? Side::south : Side::north, rules);
}

std::array<int, kPitsInAll> Position::pits() const noexcept {
    const bool south = side_ == Side::south;
    const std::uint64_t rows[2] = {south ? board_.own : board_.opp, south ? board_.opp : board_.own};
    std::array<int, kPitsInAll> pits{};
    for (int i = 0; i < kPitsInAll; ++i) {
        const int letter = i % kPitsPerRow;
        const int pit = rules_.sowing == Sowing::clockwise ? kPitsPerRow - 1 - letter : letter;
        pits[static_cast<std::size_t>(i)] = seeds_in(rows[i / kPitsPerRow], pit);
    }
    return pits;
}

int Position::store(Side side) const noexcept { return store_of(side == side_ ? board_.own : board_.opp); }

int Position::row(Side side) const noexcept { return row_seeds(side == side_ ? board_.own : board_.opp); }

int Position::total() const noexcept {
    return board_seeds(board_) + store_of(board_.own) + store_of(board_.opp);
}

std::string Position::text() const {
    std::string out;
    for (const int count : pits()) out += std::to_string(count) + '-';
    out += std::to_string(store(Side::south)) + '-' + std::to_string(store(Side::north)) + '-';
    return out += to_char(side_);
}

int Position::pit_of(Move move) const noexcept {
    if (move.is_pass()) return kPassPit;
    const int letter = move.letter >= 'a' ? move.letter - 'a' : move.letter - 'A';
    return rules_.sowing == Sowing::clockwise ? kPitsPerRow - 1 - letter : letter;
}

Move Position::move_of(int pit) const noexcept {
    if (pit == kPassPit) return Move{'-'};
    const int letter = rules_.sowing == Sowing::clockwise ? kPitsPerRow - 1 - pit : pit;
    return Move{static_cast<char>((side_ == Side::south ? 'A' : 'a') + letter)};
}

MoveList Position::legal_moves() const {
    MoveList moves;
    if (ending().has_value()) return moves;
    const PitSet legal = legal_pits(board_, rules_);
    if (legal == 0) moves.push_back(Move{'-'});
    for (int letter = 0; letter < kPitsPerRow; ++letter) {
        const int pit = rules_.sowing == Sowing::clockwise ? kPitsPerRow - 1 - letter : letter;
        if ((legal >> pit & 1U) != 0) moves.push_back(move_of(pit));
    }
    return moves;
}

std::optional<Refusal> Position::refusal(Move move) const {
    if (ending().has_value()) return Refusal::game_over;
    const LegalSteps steps = legal_steps(board_, rules_);
    if (move.is_pass()) {
        if (steps.legal != 0) return Refusal::cannot_pass;
        return std::nullopt;
    }
    const char first = side_ == Side::south ? 'A' : 'a';
    if (move.letter < first || move.letter >= first + kPitsPerRow) return Refusal::not_your_pit;
    const PitSet bit = 1U << pit_of(move);
    if ((steps.playable & bit) == 0) return Refusal::empty_pit;
    if ((steps.allowed & bit) == 0) return Refusal::single_seed;
    if ((steps.feeding & bit) == 0) return Refusal::must_feed;
    if ((steps.legal & bit) == 0) return Refusal::slam_forbidden;
    return std::nullopt;
}

Expected<Position::Played> Position::play(Move move) const {
    if (const auto refused = refusal(move)) return illegal(move, *refused);
    return play_unchecked(move);
}

Position::Played Position::play_unchecked(Move move) const {
    if (move.is_pass()) return {from_board(pass(board_), other(side_), rules_), 0, std::nullopt};
    const Made made = wari::make(board_, pit_of(move), rules_);
    std::optional<Ending> own_end;
    if (made.end == MoveEnd::emptied) own_end = Ending::emptied;
    if (made.end == MoveEnd::forfeit) own_end = Ending::forfeit;
    return {from_board(made.next, other(side_), rules_), made.captured, own_end};
}

std::optional<Ending> Position::ending() const {
    if (rules_.majority && has_majority(board_, total())) return Ending::majority;
    if (row_empty(board_.own) && row_empty(board_.opp)) return Ending::empty_board;
    if (legal_pits(board_, rules_) == 0 && !must_pass(board_, rules_)) return Ending::stuck;
    return std::nullopt;
}

Position Position::settled(Ending ending) const {
    Board board = board_;
    switch (ending) {
        case Ending::stuck: board = sweep(board_, rules_.remainder); break;
        case Ending::repetition: {
            const bool split = rules_.repetition == Repetition::split;
            board = sweep(board_, split ? Remainder::split : Remainder::owner);
            break;
        }
        case Ending::agreement: board = sweep(board_, Remainder::owner); break;
        case Ending::emptied:
        case Ending::forfeit:
        case Ending::majority:
        case Ending::empty_board:
        case Ending::resignation:
        case Ending::time: break;
    }
    return from_board(board, side_, rules_);
}

Outcome Position::outcome(Ending ending) const {
    const Position final_position = settled(ending);
    Outcome outcome;
    outcome.ending = ending;
    outcome.south = final_position.store(Side::south);
    outcome.north = final_position.store(Side::north);
    if (ending == Ending::resignation || ending == Ending::time) {
        outcome.winner = other(side_);
    } else if (outcome.south != outcome.north) {
        outcome.winner = outcome.south > outcome.north ? Side::south : Side::north;
    }
    return outcome;
}

}  // namespace wari
