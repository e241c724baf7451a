// Plays games of the engine against itself and writes what the network learns from.
//
//     selfplay OUT --games N [--depth D] [--seeds T] [--threads K] [--seed S] [--evaluation NAME] [--first G]
//
// One record for each position searched (records.hpp has the layout): the pits, the rules, the
// value that a search of D plies with tables up to T seeds gives, whether that is exact, and how the game
// ended. Rule sets rotate through the presets, every fifth game with one axis changed. Each game has its
// own seed, so the file depends on the arguments alone, not on the number of threads.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "records.hpp"
#include "wari/engine.hpp"
#include "wari/game.hpp"

namespace {

using namespace wari;
using training::Record;

struct Options {
    const char* out = nullptr;
    int games = 1000;
    int first = 0;
    int depth = 6;
    int seeds = 12;
    int threads = 2;
    std::uint64_t seed = 1;
    EvaluationKind evaluation = kBestEvaluation;
};

// splitmix64: short, well mixed, the same everywhere.
class Random {
 public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
        z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
        z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
        return z ^ z >> 31;
    }
    int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

 private:
    std::uint64_t state_;
};

// Whose turn it is, game by game. The rule sets that most people and databases use come up most; each of
// the others is there, and those with own-row repetition also with the repetition that tables know exactly.
constexpr std::array<const char*, 20> kTurns = {"awari",
                                                "abapa",
                                                "wari",
                                                "cairo",
                                                "awari",
                                                "abapa,repetition=split",
                                                "wari",
                                                "ouri",
                                                "awari",
                                                "abapa",
                                                "wari,repetition=split",
                                                "awari",
                                                "singles",
                                                "abapa",
                                                "wari",
                                                "awari",
                                                "nostarve",
                                                "ouri,repetition=split",
                                                "abapa",
                                                "wari"};
constexpr int kOddRulesEvery = 5;  // every fifth game changes one axis
constexpr int kOddRulesSeeds = 12;
constexpr int kForceSeeds = 7;
constexpr int kMostKnownPlies = 24;  // a game goes on for so long where the tables know its value
constexpr int kOddKnownEvery = 4;    // every so many of those moves are random
constexpr int kMostPlies = 250;
constexpr int kMostOpeningPlies = 24;
constexpr int kOddMovesPerGame = 4;

// What a game is played by, and the seeds of the tables that label it.
struct Plan {
    Rules rules;
    int seeds = 0;
};

Plan plan_of(int game, const Options& options, Random& random) {
    const std::size_t turn = static_cast<std::size_t>(game) % kTurns.size();
    Plan plan{*parse_rules(kTurns[turn]), options.seeds};
    // The largest table is for awari alone. Force tables seldom know a value, so a small one does.
    plan.seeds = kind_of(plan.rules) == TableKind::force ? kForceSeeds : options.seeds - 4;
    if (game % kOddRulesEvery == kOddRulesEvery - 1) {
        const Axis& axis = axes()[static_cast<std::size_t>(random.below(6))];
        const auto value = static_cast<std::size_t>(random.below(static_cast<int>(axis.values.size())));
        plan.rules = *with_axis(plan.rules, axis.name, axis.values[value].name);
        plan.seeds = kind_of(plan.rules) == TableKind::force ? kForceSeeds : kOddRulesSeeds;
    }
    if (plan.rules == *preset("awari")) plan.seeds = options.seeds;
    plan.rules.majority = false;
    return plan;
}

Record record_of(const Position& position) {
    Record record{};
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        record.pits[pit] = static_cast<std::uint8_t>(seeds_in(position.board().own, pit));
        record.pits[pit + kPitsPerRow] = static_cast<std::uint8_t>(seeds_in(position.board().opp, pit));
    }
    for (std::size_t i = 0; i < training::kRuleAxes.size(); ++i) {
        record.rules[i] = static_cast<std::uint8_t>(axis_value(position.rules(), training::kRuleAxes[i]));
    }
    return record;
}

int margin(const Position& position) {
    const Side side = position.side_to_move();
    return position.store(side) - position.store(other(side));
}

// One game in work, and what it has recorded.
class SelfPlay {
 public:
    SelfPlay(const Plan& plan, Random& random, Engine& engine, const Options& options)
        : random_(random), engine_(engine), options_(options), game_(Position(plan.rules)) {}

    std::vector<Record> play() {
        for (int ply = random_.below(kMostOpeningPlies + 1); ply > 0 && !game_.ending(); --ply) play_any();
        engine_.new_game();
        // Some moves are random, spread over the game, so that positions after mistakes are met too.
        const int odd_every = 8 + random_.below(30);
        int known_plies = 0;
        for (int ply = 0; ply < kMostPlies && !game_.ending() && known_plies < kMostKnownPlies; ++ply) {
            const Position position = game_.position();
            const auto known = engine_.options().tablebase->bounds(position.board());
            const bool exact = known.has_value() && known->exact();
            MoveList best;
            if (exact) {
                note(position, kSeedUnits * known->lower, true);
                best = keeping(position, known->lower);
                ++known_plies;
                if (random_.below(kOddKnownEvery) == 0) best = MoveList{};
            } else if (!search(position, best)) {
                break;
            }
            const bool odd = !exact && random_.below(odd_every) == 0 && ply < kOddMovesPerGame * odd_every;
            if (odd || best.empty()) {
                play_any();
            } else {
                (void)game_.push(
                    best[static_cast<std::size_t>(random_.below(static_cast<int>(best.size())))]);
            }
        }
        tell_outcome();
        return std::move(records_);
    }

 private:
    void play_any() {
        const MoveList moves = game_.position().legal_moves();
        (void)game_.push(moves[static_cast<std::size_t>(random_.below(static_cast<int>(moves.size())))]);
    }

    void note(const Position& position, int score, bool exact) {
        Record record = record_of(position);
        record.score = static_cast<std::int16_t>(score);
        record.exact = exact ? 1 : 0;
        records_.push_back(record);
        margins_.push_back(margin(position));
        sides_.push_back(position.side_to_move());
    }

    bool search(const Position& position, MoveList& best) {
        SearchRequest request;
        request.root = game_;
        request.limits.depth = options_.depth;
        const auto analysis = engine_.analyse(request);
        if (!analysis || analysis->lines.empty()) return false;
        note(position, analysis->score.value - kSeedUnits * margin(position), false);
        best.push_back(analysis->lines.front().move);
        return true;
    }

    // The moves that keep an exact table value; they need make no progress, the game is soon given up.
    MoveList keeping(const Position& position, int value) const {
        MoveList keep;
        for (const Move move : position.legal_moves()) {
            const Position::Played played = position.play_unchecked(move);
            const auto next = engine_.options().tablebase->bounds(played.next.board());
            if (!played.own_end && next && next->exact() && played.captured - next->lower == value) {
                keep.push_back(move);
            }
        }
        return keep;
    }

    // What every recorded side collected from then on: as the game ended, or as the table has it.
    void tell_outcome() {
        const Position last = game_.position();
        int south = 0;
        const auto known = engine_.options().tablebase->bounds(last.board());
        if (const auto end = game_.outcome()) {
            south = end->south - end->north;
        } else if (known && known->exact()) {
            const int net = margin(last) + known->lower;
            south = last.side_to_move() == Side::south ? net : -net;
        } else {
            const Outcome shared = last.outcome(Ending::agreement);
            south = shared.south - shared.north;
        }
        for (std::size_t i = 0; i < sides_.size(); ++i) {
            const int net = sides_[i] == Side::south ? south : -south;
            records_[i].outcome = static_cast<std::int16_t>(kSeedUnits * (net - margins_[i]));
        }
    }

    Random& random_;
    Engine& engine_;
    const Options& options_;
    Game game_;
    std::vector<Record> records_;
    std::vector<int> margins_;
    std::vector<Side> sides_;
};

// Tables for every rule set that can come up, built when first met and shared by the threads.
class Tables {
 public:
    explicit Tables(const Options& options) : options_(options) {}
    TablebasePtr get(const Plan& plan) {
        const std::lock_guard lock(mutex_);
        auto& table = tables_[{to_text(table_rules(plan.rules)), plan.seeds}];
        if (!table) {
            BuildOptions build;
            build.seeds = plan.seeds;
            build.threads = options_.threads;
            build.verify = VerifyLevel::none;
            auto built = Tablebase::build(plan.rules, build);
            if (!built) {
                std::fprintf(stderr, "%s\n", built.error().message.c_str());
                std::exit(1);
            }
            table = *built;
        }
        return table;
    }

 private:
    const Options& options_;
    std::mutex mutex_;
    std::map<std::pair<std::string, int>, TablebasePtr> tables_;
};

void play_share(int share, const Options& options, Tables& tables, std::vector<std::vector<Record>>& games) {
    std::map<std::pair<std::string, int>, std::unique_ptr<Engine>> engines;
    for (int i = share; i < options.games; i += options.threads) {
        const int number = options.first + i;
        Random random(options.seed * 0x1000'0000'01B3 + static_cast<std::uint64_t>(number));
        const Plan plan = plan_of(number, options, random);
        auto& engine = engines[{to_text(plan.rules), plan.seeds}];
        if (!engine) {
            EngineOptions asked;
            asked.hash_mebibytes = 4;
            asked.evaluation = options.evaluation;
            asked.tablebase = tables.get(plan);
            engine = std::move(*Engine::create(asked));
        }
        games[static_cast<std::size_t>(i)] = SelfPlay(plan, random, *engine, options).play();
        if (share == 0 && i % 1000 < options.threads) std::fprintf(stderr, "%d games\n", i);
    }
}

bool read_options(int argc, char** argv, Options& options) {
    if (argc < 2) return false;
    options.out = argv[1];
    if (argv[1][0] == '\0' || argv[1][0] == '-') return false;
    for (int i = 2; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--evaluation") {
            const auto kind = parse_evaluation(argv[i + 1]);
            if (!kind) return false;
            options.evaluation = *kind;
            continue;
        }
        const int value = std::atoi(argv[i + 1]);
        if (name == "--games")
            options.games = value;
        else if (name == "--first")
            options.first = value;
        else if (name == "--depth")
            options.depth = value;
        else if (name == "--seeds")
            options.seeds = value;
        else if (name == "--threads")
            options.threads = std::max(1, value);
        else if (name == "--seed")
            options.seed = static_cast<std::uint64_t>(value);
        else
            return false;
    }
    return argc % 2 == 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (!read_options(argc, argv, options)) {
        std::fputs(
            "usage: selfplay OUT --games N [--first G] [--depth D] [--seeds T] [--threads K] [--seed S] "
            "[--evaluation NAME]\n",
            stderr);
        return 2;
    }
    Tables tables(options);
    std::vector<std::vector<Record>> games(static_cast<std::size_t>(options.games));
    std::vector<std::thread> threads;
    for (int share = 0; share < options.threads; ++share) {
        threads.emplace_back([&, share] { play_share(share, options, tables, games); });
    }
    for (std::thread& thread : threads) thread.join();
    std::FILE* out = std::fopen(options.out, "wb");
    if (out == nullptr) {
        std::perror(options.out);
        return 1;
    }
    std::size_t count = 0;
    for (const auto& records : games)
        count += std::fwrite(records.data(), sizeof(Record), records.size(), out);
    const bool written = std::fclose(out) == 0;
    std::fprintf(stderr, "%zu records from %d games\n", count, options.games);
    return written ? 0 : 1;
}
