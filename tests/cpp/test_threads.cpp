// Engines of several threads; many engines in many threads beside threads that share one table file: right
// answers, and, under the thread sanitizer, no race.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "plain_search.hpp"
#include "sampling.hpp"
#include "wari/engine.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;

constexpr int kEngines = 64;
constexpr int kProbers = 16;
constexpr int kSeeds = 6;

// --- engines beside probers -------------------------------------------------------------------------

/// A table in memory, the truth, and the same in a file.
struct Truth {
    explicit Truth(const char* name) : rules(*parse_rules(name)) {
        BuildOptions options;
        options.seeds = kSeeds;
        table = *Tablebase::build(rules, options);
        path = (std::filesystem::temp_directory_path() /
                ("wari-threads-" + std::to_string(std::random_device()()) + ".wtb"))
                   .string();
        REQUIRE(!table->save(path).has_value());
    }
    ~Truth() { std::filesystem::remove(path); }
    Truth(const Truth&) = delete;
    Truth& operator=(const Truth&) = delete;

    Rules rules;
    TablebasePtr table;
    std::string path;
};

Board any_board(std::mt19937& random) {
    const int seeds = 1 + static_cast<int>(random() % kSeeds);
    return board_from_index(seeds, random() % boards_with(seeds));
}

/// What all the threads found together.
struct Tally {
    std::atomic<int> wrong{0};
    std::atomic<int> proved{0};  ///< scores that were no estimates
};

/// What a score proves of the margin agrees with what the table proves. Stores are empty.
bool agrees(const Score& score, const Bounds& truth) {
    const bool at_least = score.bound == Bound::exact || score.bound == Bound::lower;
    const bool at_most = score.bound == Bound::exact || score.bound == Bound::upper;
    return (!at_least || score.value <= truth.upper * kSeedUnits) &&
           (!at_most || score.value >= truth.lower * kSeedUnits);
}

/// One engine that searches so many boards; every other one has the table.
void search(const Truth& truth, int number, int boards, Tally& tally) {
    std::mt19937 random(static_cast<unsigned>(number));
    EngineOptions options;
    options.hash_mebibytes = 1;
    if (number % 2 == 0) options.tablebase = truth.table;
    const auto engine = Engine::create(options);
    if (!engine) {
        ++tally.wrong;
        return;
    }
    for (int i = 0; i < boards; ++i) {
        const Board board = any_board(random);
        SearchRequest request;
        request.root = Position::from_board(board, Side::south, truth.rules);
        request.limits.nodes = 1'000;
        const auto found = (*engine)->analyse(request);
        if (!found || !agrees(found->score, *truth.table->bounds(board))) ++tally.wrong;
        if (found && found->score.bound != Bound::estimate) ++tally.proved;
    }
}

/// Asks a file that the others ask, too, and whose blocks nobody has read at first.
void probe(const Truth& truth, const Tablebase& file, int number, Tally& tally) {
    std::mt19937 random(static_cast<unsigned>(number));
    for (int i = 0; i < 1'000; ++i) {
        const Board board = any_board(random);
        if (file.bounds(board) != truth.table->bounds(board)) ++tally.wrong;
        if (i % 100 != 0) continue;
        const auto found = file.probe(board);
        if (!found || found->distance != truth.table->probe(board)->distance) ++tally.wrong;
    }
}

/// All at once, so many rounds: in each the files are opened anew.
void engines_beside_probers(int rounds) {
    const Truth value("awari");
    const Truth force("abapa");
    Tally tally;
    std::vector<std::thread> engines;
    for (int i = 0; i < kEngines; ++i)
        engines.emplace_back([&, i] { search(i / 2 % 2 == 0 ? value : force, i, 8 * rounds, tally); });
    for (int round = 0; round < rounds; ++round) {
        for (const Truth* truth : {&value, &force}) {
            const TablebasePtr file = *Tablebase::open(truth->path);
            std::vector<std::thread> probers;
            for (int i = 0; i < kProbers; ++i)
                probers.emplace_back([&, i] { probe(*truth, *file, i, tally); });
            for (std::thread& prober : probers) prober.join();
        }
    }
    for (std::thread& engine : engines) engine.join();
    CHECK(tally.wrong.load() == 0);
    CHECK(tally.proved.load() > 0);
}

TEST_CASE("many engines search beside threads that share a table file" * doctest::test_suite("threads")) {
    engines_beside_probers(sampling::kSampled ? 1 : 3);
}

TEST_CASE("many engines search for long beside threads that share a table file" *
          doctest::test_suite("slow")) {
    engines_beside_probers(300);
}

// --- engines of several threads ---------------------------------------------------------------------

TEST_CASE("three threads keep the limit of nodes together" * doctest::test_suite("threads")) {
    const auto engine = Engine::create({.threads = 3, .hash_mebibytes = 8});
    SearchRequest request;
    request.limits.nodes = 200'000;
    request.multipv = 2;
    const auto found = (*engine)->analyse(request);
    CHECK(found->nodes >= 200'000);
    CHECK(found->nodes <= 203'000);
    CHECK(found->lines.size() == 2);
}

TEST_CASE("a search of three threads is stopped from a fourth" * doctest::test_suite("threads")) {
    const auto engine = Engine::create({.threads = 3, .hash_mebibytes = 8});
    const SearchRequest endless;
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        (*engine)->stop();
    });
    CHECK(!(*engine)->analyse(endless)->lines.empty());
    stopper.join();
}

TEST_CASE("a batch does not depend on the number of threads" * doctest::test_suite("threads")) {
    std::vector<Position> positions;
    std::mt19937 random(19);
    for (int i = 0; i < 20; ++i) positions.push_back(plain::random_start(random, 20, Rules{}).position());
    BatchRequest batch;
    batch.positions = positions;
    batch.limits.nodes = 5000;
    const auto many = (*Engine::create({.threads = 3, .hash_mebibytes = 8}))->analyse_many(batch);
    const auto one = (*Engine::create({.hash_mebibytes = 8}))->analyse_many(batch);
    REQUIRE(many->size() == positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        CHECK((*many)[i].nodes == (*one)[i].nodes);
        CHECK((*many)[i].score == (*one)[i].score);
    }
}

}  // namespace
