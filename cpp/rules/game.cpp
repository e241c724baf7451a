// Game: playing on, taking back, and the order in which the endings are judged.
#include "wari/game.hpp"

#include <bit>
#include <cassert>
#include <string>

namespace wari {

Game::Game(const Position& start)
    : rules_(start.rules()),
      first_(start.side_to_move()),
      boards_{start.board()},
      quiet_from_{0},
      older_{0} {}

Position Game::at(std::size_t ply) const {
    assert(ply < boards_.size());
    return Position::from_board(boards_[ply], side_at(ply), rules_);
}

std::span<const Board> Game::boards_since_capture() const noexcept {
    return std::span(boards_).subspan(quiet_from_.back());
}

std::optional<Ending> Game::ending() const noexcept {
    if (call_.has_value()) return call_->ending;
    return plies_.empty() ? start().ending() : plies_.back().ending;
}

MoveList Game::legal_moves() const { return is_over() ? MoveList() : position().legal_moves(); }

std::optional<Refusal> Game::refusal(Move move) const {
    return is_over() ? Refusal::game_over : position().refusal(move);
}

bool Game::recurs() const noexcept {
    // Stores are the same on all boards since the capture, so comparing whole words compares the pits.
    const std::size_t now = boards_.size() - 1;
    for (std::uint32_t at = older_[now]; at > quiet_from_.back(); at = older_[at - 1]) {
        if ((now - (at - 1)) % 2 == 0 && boards_[at - 1] == boards_[now]) return true;
    }
    return false;
}

std::size_t Game::bucket(const Board& board) const noexcept {
    std::uint64_t mixed = (board.own ^ (board.own >> 29)) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ board.opp ^ (mixed >> 32)) * 0xC2B2AE3D27D4EB4FU;
    return static_cast<std::size_t>(mixed >> 32) & (newest_.size() - 1);
}

void Game::index(std::size_t ply) noexcept {
    std::uint32_t& newest = newest_[bucket(boards_[ply])];
    older_[ply] = newest;
    newest = static_cast<std::uint32_t>(ply + 1);
}

void Game::make_room() {
    if (plies_.size() < plies_.capacity() && boards_.size() < boards_.capacity() &&
        quiet_from_.size() < quiet_from_.capacity() && older_.size() < older_.capacity() &&
        older_.size() < newest_.size())
        return;
    const std::size_t room = 2 * boards_.size() + 14;
    plies_.reserve(room);
    boards_.reserve(room);
    quiet_from_.reserve(room);
    older_.reserve(room);
    newest_ = std::vector<std::uint32_t>(std::bit_ceil(room));
    for (std::size_t ply = 0; ply < boards_.size(); ++ply) index(ply);
}

Expected<Ply> Game::push(Move move) {
    if (const auto refused = refusal(move)) return illegal(move, *refused);
    make_room();
    const Position::Played played = position().play_unchecked(move);
    boards_.push_back(played.next.board());
    older_.push_back(0);
    index(boards_.size() - 1);
    quiet_from_.push_back(played.captured > 0 ? boards_.size() - 1 : quiet_from_.back());
    Ply ply{move, static_cast<std::uint8_t>(played.captured), played.own_end};
    if (!ply.ending.has_value()) {
        ply.ending = played.next.ending();
        const bool stuck = ply.ending == Ending::stuck;
        if ((!ply.ending.has_value() || stuck) && recurs()) ply.ending = Ending::repetition;
    }
    plies_.push_back(ply);
    return ply;
}

Expected<Move> Game::pop() {
    if (plies_.empty()) return Error{ErrorKind::no_history, "game", "game: there is no move to take back"};
    const Move move = plies_.back().move;
    plies_.pop_back();
    newest_[bucket(boards_.back())] = older_.back();
    older_.pop_back();
    boards_.pop_back();
    quiet_from_.pop_back();
    call_.reset();
    return move;
}

Status Game::call(Call call) {
    if (is_over()) {
        return Error{ErrorKind::illegal_move, "game",
                     "game: the game is over already: " + std::string(in_words(*ending()))};
    }
    call_ = call;
    return std::nullopt;
}

Status Game::agree() { return call({Ending::agreement, Side::south}); }

Status Game::resign(Side side) { return call({Ending::resignation, side}); }

Status Game::lose_on_time(Side side) { return call({Ending::time, side}); }

std::optional<Outcome> Game::outcome() const {
    const auto ending = this->ending();
    if (!ending.has_value()) return std::nullopt;
    Outcome outcome = position().outcome(*ending);
    const bool lost = ending == Ending::resignation || ending == Ending::time;
    if (lost) outcome.winner = other(call_->loser);
    return outcome;
}

bool operator==(const Game& left, const Game& right) {
    return left.rules_ == right.rules_ && left.first_ == right.first_ && left.plies_ == right.plies_ &&
           left.boards_ == right.boards_ && left.call_ == right.call_;
}

Position Game::settled() const {
    const auto ending = this->ending();
    return ending.has_value() ? position().settled(*ending) : position();
}

}  // namespace wari
