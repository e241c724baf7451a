// A position as people see it: letters, South and North, text, the reason for every refusal, the end and its
// result.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wari/board.hpp"
#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/rules.hpp"

namespace wari {

enum class Side : std::uint8_t { south, north };

constexpr Side other(Side side) noexcept { return side == Side::south ? Side::north : Side::south; }
constexpr char to_char(Side side) noexcept { return side == Side::south ? 'S' : 'N'; }

/// A move as it is written: 'A'..'F' South, 'a'..'f' North, '-' a pass.
struct Move {
    char letter = '-';

    constexpr bool is_pass() const noexcept { return letter == '-'; }
    friend auto operator<=>(const Move&, const Move&) = default;
};

/// Reads one letter. Error: bad_value naming `move`.
WARI_API Expected<Move> parse_move(std::string_view text);

/// Up to six moves, without allocation.
class MoveList {
 public:
    void push_back(Move move) noexcept { moves_[size_++] = move; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    Move operator[](std::size_t i) const noexcept { return moves_[i]; }
    const Move* begin() const noexcept { return moves_.data(); }
    const Move* end() const noexcept { return moves_.data() + size_; }

 private:
    std::array<Move, kPitsPerRow> moves_{};
    std::size_t size_ = 0;
};

/// Why a move is not legal.
enum class Refusal : std::uint8_t {
    game_over,
    not_your_pit,
    empty_pit,
    single_seed,
    must_feed,
    slam_forbidden,
    cannot_pass,
};
WARI_API std::string_view to_text(Refusal refusal);   ///< the code: "must_feed"
WARI_API std::string_view in_words(Refusal refusal);  ///< a sentence for people
WARI_API Error illegal(Move move,
                       Refusal refusal);  ///< illegal_move, naming the move and the reason in words

/// Why a game ended.
enum class Ending : std::uint8_t {
    emptied,
    forfeit,
    majority,
    empty_board,
    repetition,
    stuck,
    agreement,
    resignation,
    time,
};
WARI_API std::string_view to_text(Ending ending);
WARI_API std::string_view in_words(Ending ending);

/// The seeds of both sides at the end, and who has won (nobody: a draw).
struct Outcome {
    int south = 0;
    int north = 0;
    std::optional<Side> winner;
    Ending ending = Ending::stuck;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

class WARI_API Position {
 public:
    /// The start position of `rules`, South to move.
    explicit Position(const Rules& rules = {});

    /// `pits` are A..F, a..f. Errors name the field: `A`, ..., `f`, `storeS`, `storeN` or `total`.
    static Expected<Position> from_counts(std::span<const int, kPitsInAll> pits, int store_south,
                                          int store_north, Side to_move, const Rules& rules);

    /// Reads `A-B-C-D-E-F-a-b-c-d-e-f-storeS-storeN-T`. Errors name the field.
    static Expected<Position> parse(std::string_view text, const Rules& rules);

    /// A position from its packed form, for callers that computed it. Precondition: at most 96 seeds.
    static Position from_board(const Board& board, Side to_move, const Rules& rules);

    std::string text() const;

    const Rules& rules() const noexcept { return rules_; }
    Side side_to_move() const noexcept { return side_; }
    const Board& board() const noexcept { return board_; }

    std::array<int, kPitsInAll> pits() const noexcept;  ///< A..F, a..f
    int store(Side side) const noexcept;
    int row(Side side) const noexcept;  ///< seeds in the six pits of a side
    int total() const noexcept;         ///< seeds in pits and stores

    /// The pit number in sowing order that a move names, kPassPit for a pass, and back.
    int pit_of(Move move) const noexcept;
    Move move_of(int pit) const noexcept;

    /// In letter order; a pass alone where that is the only legal move; empty when the game is over.
    MoveList legal_moves() const;
    bool is_legal(Move move) const { return !refusal(move).has_value(); }
    /// Why `move` is refused; nothing when it is legal.
    std::optional<Refusal> refusal(Move move) const;

    struct Played;
    /// Error: illegal_move, with the reason in words.
    Expected<Played> play(Move move) const;
    /// Precondition: is_legal(move).
    Played play_unchecked(Move move) const;

    /// Is the game over here, judged without history: majority, empty_board or stuck.
    std::optional<Ending> ending() const;

    /// The result if the game ends here for that reason. For resignation and time the side to move loses.
    Outcome outcome(Ending ending) const;

    /// The position after the final sharing: pits empty and stores final. A majority stop, a resignation
    /// and a loss on time share nothing and change nothing.
    Position settled(Ending ending) const;

    friend bool operator==(const Position&, const Position&) = default;

 private:
    Board board_;
    Rules rules_;
    Side side_ = Side::south;
};

struct Position::Played {
    Position next;
    int captured = 0;               ///< seeds put into the mover's store by the move itself
    std::optional<Ending> own_end;  ///< emptied or forfeit: the move's own ending
};

}  // namespace wari
