// Games: pushing, taking back, endings by the players, and lists of moves as text.
// The input: rules, a start, then one operation a byte. Beside the game runs a plain list of positions.
#include <vector>

#include "bytes.hpp"
#include "wari/game.hpp"
#include "wari/notation.hpp"

namespace {

using namespace wari;

constexpr int kOperations = 400;

class Walk {
 public:
    explicit Walk(const Position& start) : game_(start), passed_{start} {}

    void step(fuzz::Bytes& input) {
        const int operation = input.below(16);
        if (operation < 8) push(input.below(13));
        if (operation == 8) pop();
        if (operation == 9) push_text(input.text(40));
        if (operation == 10) call(game_.agree(), Ending::agreement);
        if (operation == 11) call(game_.resign(static_cast<Side>(input.below(2))), Ending::resignation);
        if (operation == 12) call(game_.lose_on_time(static_cast<Side>(input.below(2))), Ending::time);
        if (operation >= 13) push_legal(input.byte());
        check();
    }

    void finish() {
        const Game copy = game_;
        if (!called_) {
            const auto again = replay(game_.start(), moves_text(game_));
            LAW(again.has_value() && *again == game_);
        }
        while (game_.size() > 0) pop();
        called_ = false;
        LAW(!game_.pop().has_value() && game_.pop().error().kind == ErrorKind::no_history);
        LAW(game_.position() == passed_.front() && game_.start() == copy.start() &&
            copy.size() + 1 > game_.size());
        LAW(game_.ending() == passed_.front().ending() || game_.ending() > Ending::stuck);
    }

 private:
    void push(int letter) {
        const Move move{fuzz::kLetters[static_cast<std::size_t>(letter)]};
        const auto refusal = game_.refusal(move);
        const std::size_t size = game_.size();
        const auto ply = game_.push(move);
        LAW(ply.has_value() != refusal.has_value());
        LAW(game_.size() == size + (ply ? 1 : 0));
        if (!ply) return;
        passed_.push_back(passed_.back().play(move)->next);
        LAW(ply->move == move);
    }

    void push_legal(int choice) {
        const MoveList moves = game_.legal_moves();
        LAW(moves.empty() == game_.is_over());
        if (!moves.empty())
            push(static_cast<int>(
                fuzz::kLetters.find(moves[static_cast<std::size_t>(choice) % moves.size()].letter)));
    }

    void pop() {
        const std::size_t size = game_.size();
        const auto move = game_.pop();
        LAW(move.has_value() == (size > 0));
        if (!move) return;
        passed_.pop_back();
        called_ = false;
        LAW(!game_.is_over() && !game_.refusal(*move).has_value());
    }

    void push_text(const std::string& text) {
        const auto moves = parse_moves(text);
        if (!moves) {
            LAW(moves.error().kind == ErrorKind::bad_value && moves.error().field == "moves");
            return;
        }
        LAW(*parse_moves(to_text(*moves)) == *moves);
        const Game before = game_;
        const auto refused = push_moves(game_, *moves);
        if (refused.has_value()) {
            LAW(refused->index < moves->size() && game_ == before);
            LAW(refused->error().kind == ErrorKind::illegal_move);
            return;
        }
        for (std::size_t ply = before.size(); ply < game_.size(); ++ply)
            passed_.push_back(passed_.back().play(game_.plies()[ply].move)->next);
    }

    void call(const Status& failed, Ending ending) {
        if (failed.has_value()) {
            LAW(failed->kind == ErrorKind::illegal_move && game_.is_over());
            return;
        }
        called_ = true;
        LAW(game_.ending() == ending);
    }

    void check() const {
        LAW(game_.size() + 1 == passed_.size());
        LAW(game_.position() == passed_.back());
        LAW(game_.is_over() == game_.legal_moves().empty() && game_.is_over() == game_.outcome().has_value());
        LAW(game_.quiet_plies() <= game_.size());
        LAW(game_.boards_since_capture().size() == game_.quiet_plies() + 1);
        // Where seeds are split in half, an odd one counts for nobody.
        LAW(game_.start().total() - game_.settled().total() <= 1);
        if (const auto outcome = game_.outcome())
            LAW(outcome->south + outcome->north <= game_.start().total());
    }

    Game game_;
    std::vector<Position> passed_;
    bool called_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes input(data, size);
    const Rules rules = input.rules();
    Walk walk(input.flag() ? input.position(rules) : Position(rules));
    for (int i = 0; i < kOperations && !input.empty(); ++i) walk.step(input);
    walk.finish();
    return 0;
}
