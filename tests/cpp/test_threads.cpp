// Many engines in many threads beside threads that share one table file: right answers, and, under the thread
// sanitizer, no race. `test_threads SECONDS` goes on for as long.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "wari/engine.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using Watch = std::chrono::steady_clock;

constexpr int kEngines = 64;
constexpr int kProbers = 16;
constexpr int kSeeds = 6;

/// A table in memory, the truth, and the same in a file.
struct Truth {
    explicit Truth(const char* name) : rules(*parse_rules(name)) {
        BuildOptions options;
        options.seeds = kSeeds;
        table = *Tablebase::build(rules, options);
        path = (std::filesystem::temp_directory_path() /
                ("wari-threads-" + std::to_string(std::random_device()()) + ".wtb"))
                   .string();
        CHECK(!table->save(path).has_value());
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

/// What a score proves of the margin agrees with what the table proves. Stores are empty.
bool agrees(const Score& score, const Bounds& truth) {
    const bool at_least = score.bound == Bound::exact || score.bound == Bound::lower;
    const bool at_most = score.bound == Bound::exact || score.bound == Bound::upper;
    return (!at_least || score.value <= truth.upper * kSeedUnits) &&
           (!at_most || score.value >= truth.lower * kSeedUnits);
}

/// One engine until the time is over; every other one has the table.
void search(const Truth& truth, int number, Watch::time_point end, std::atomic<int>& wrong) {
    std::mt19937 random(static_cast<unsigned>(number));
    EngineOptions options;
    options.hash_mebibytes = 1;
    if (number % 2 == 0) options.tablebase = truth.table;
    const auto engine = Engine::create(options);
    if (!engine) {
        ++wrong;
        return;
    }
    do {
        const Board board = any_board(random);
        SearchRequest request;
        request.position = Position::from_board(board, Side::south, truth.rules);
        request.limits.nodes = 1'000;
        const auto found = (*engine)->analyse(request);
        if (!found || !agrees(found->score, *truth.table->bounds(board))) ++wrong;
    } while (Watch::now() < end);
}

/// Asks a file that the others ask, too, and whose blocks nobody has read at first.
void probe(const Truth& truth, const Tablebase& file, int number, std::atomic<int>& wrong) {
    std::mt19937 random(static_cast<unsigned>(number));
    for (int i = 0; i < 2'000; ++i) {
        const Board board = any_board(random);
        if (file.bounds(board) != truth.table->bounds(board)) ++wrong;
        if (i % 100 != 0) continue;
        const auto found = file.probe(board);
        if (!found || found->distance != truth.table->probe(board)->distance) ++wrong;
    }
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 1.0;
    const auto end =
        Watch::now() + std::chrono::duration_cast<Watch::duration>(std::chrono::duration<double>(seconds));
    const Truth value("awari");
    const Truth force("abapa");
    std::atomic<int> wrong{0};
    std::vector<std::thread> engines;
    for (int i = 0; i < kEngines; ++i)
        engines.emplace_back([&, i] { search(i / 2 % 2 == 0 ? value : force, i, end, wrong); });
    do {
        for (const Truth* truth : {&value, &force}) {
            const TablebasePtr file = *Tablebase::open(truth->path);
            std::vector<std::thread> probers;
            for (int i = 0; i < kProbers; ++i)
                probers.emplace_back([&, i] { probe(*truth, *file, i, wrong); });
            for (std::thread& prober : probers) prober.join();
        }
    } while (Watch::now() < end);
    for (std::thread& engine : engines) engine.join();
    CHECK_EQUAL(wrong.load(), 0);
    return check::failures();
}
