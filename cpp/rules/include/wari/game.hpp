// A game: the positions since the start, and everything that needs them: repetition, undo, and the endings
// the players make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/position.hpp"

namespace wari {

/// One move played, a pass included, and what came of it.
struct Ply {
    Move move;
    std::uint8_t captured = 0;     ///< seeds the move itself put into the mover's store
    std::optional<Ending> ending;  ///< the end of the game, where this ply brought it

    friend bool operator==(const Ply&, const Ply&) = default;
};

/// A game from a start position. The rules are those of the start; a set-up start has no history.
///
/// A repetition is a position (pits and side to move) that was there before since the last capture,
/// the position right after that capture included. The end is judged after each ply in the order of
/// rules.md: the move's own ending, majority, empty board, repetition, no legal move.
class WARI_API Game {
 public:
    explicit Game(const Position& start = Position());

    const Rules& rules() const noexcept { return rules_; }
    Position start() const { return at(0); }
    Position position() const { return at(plies_.size()); }
    /// The position after `ply` moves. Precondition: ply <= size().
    Position at(std::size_t ply) const;

    /// Moves played, passes included.
    std::size_t size() const noexcept { return plies_.size(); }
    std::span<const Ply> plies() const noexcept { return plies_; }

    /// Plies since the last capture, or since the start.
    std::size_t quiet_plies() const noexcept { return plies_.size() - quiet_from_.back(); }
    /// The boards a repetition is judged by: the one after the last capture (or the start) first, the
    /// present one last. Each is seen from its own side to move, so sides alternate backwards from the
    /// present one, and two boards can be equal only an even number of plies apart.
    std::span<const Board> boards_since_capture() const noexcept;

    /// The legal moves; none when the game is over for any reason.
    MoveList legal_moves() const;
    std::optional<Refusal> refusal(Move move) const;

    /// Plays a move. Error: illegal_move with the reason in words; then the game is unchanged.
    Expected<Ply> push(Move move);
    /// Takes the last move back, and with it an ending that the players made after it.
    /// Error: no_history; then the game is unchanged.
    Expected<Move> pop();

    /// The players agree to end the game: each side takes its own row. Error: illegal_move when the game
    /// is over already; so too for the next two.
    Status agree();
    /// `side` gives up. The stores stay as they are and the other side wins, whatever they hold.
    Status resign(Side side);
    /// The time of `side` is up; settled as a resignation.
    Status lose_on_time(Side side);

    std::optional<Ending> ending() const noexcept;
    bool is_over() const noexcept { return ending().has_value(); }
    /// The result; nothing while the game goes on.
    std::optional<Outcome> outcome() const;
    /// The position after the final sharing; the present one while the game goes on.
    Position settled() const;

    /// Equal rules, starts, moves and endings.
    WARI_API friend bool operator==(const Game& left, const Game& right);

 private:
    /// An ending that the players made; it is no ply.
    struct Call {
        Ending ending = Ending::agreement;
        Side loser = Side::south;  ///< meaningless for an agreement

        friend bool operator==(const Call&, const Call&) = default;
    };

    Side side_at(std::size_t ply) const noexcept { return ply % 2 == 0 ? first_ : other(first_); }
    bool recurs() const noexcept;
    void make_room();  ///< for one more move: what follows then cannot run out of memory half-way
    void index(std::size_t ply) noexcept;  ///< the board after that ply; those before it are indexed
    std::size_t bucket(const Board& board) const noexcept;
    Status call(Call call);

    Rules rules_;
    Side first_ = Side::south;
    std::vector<Ply> plies_;
    std::vector<Board> boards_;            ///< after 0, 1, ... plies; never empty
    std::vector<std::size_t> quiet_from_;  ///< for each board, the ply of the last capture before it
    std::optional<Call> call_;
    /// Where a board was before, found in constant time however long ago the last capture was: the newest
    /// board of each bucket, and for each board the one before it in its bucket; 1 more than the ply, 0 is
    /// none.
    std::vector<std::uint32_t> newest_;
    std::vector<std::uint32_t> older_;
};

}  // namespace wari
