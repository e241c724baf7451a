// Tables that several threads make, prove and ask.
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sampling.hpp"
#include "table_checks.hpp"
#include "wari/index.hpp"

namespace {

using namespace wari;
using namespace table_checks;

// Many threads ask one file whose blocks nobody has read yet; one proves it meanwhile, one asks for moves.
void ask_one_file(const char* rules, int seeds, std::uint64_t cache) {
    const TablebasePtr table = build(*parse_rules(rules), seeds);
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("wari-shared-" + std::to_string(std::random_device()()) + ".wtb"))
                                 .string();
    REQUIRE(!table->save(path, TablePacking::dense, 2).has_value());
    const TablebasePtr file = *Tablebase::open(path, {cache});
    std::vector<std::uint8_t> pits;
    std::vector<Board> boards;
    std::mt19937_64 random(3);
    for (int i = 0; i < sampling::sample(3'000); ++i) {
        const Board board = board_from_index(seeds, random() % boards_with(seeds));
        boards.push_back(board);
        for (int pit = 0; pit < kPitsInAll; ++pit)
            pits.push_back(static_cast<std::uint8_t>(
                seeds_in(pit < kPitsPerRow ? board.own : board.opp, pit % kPitsPerRow)));
    }
    std::atomic<int> wrong{0};
    std::vector<std::thread> askers;
    for (int asker = 0; asker < 2; ++asker) {
        askers.emplace_back([&] {
            std::vector<std::int8_t> lower(boards.size());
            std::vector<std::int8_t> upper(boards.size());
            if (file->probe_many(pits, lower, upper, 2).has_value()) ++wrong;
            for (std::size_t i = 0; i < boards.size(); ++i) {
                if (table->bounds(boards[i]) != Bounds{lower[i], upper[i]}) ++wrong;
            }
        });
    }
    askers.emplace_back([&] {
        for (std::size_t i = 0; i < boards.size(); i += 50) {
            const auto probe = file->probe(boards[i]);
            if (!probe || probe->bounds != table->bounds(boards[i])) ++wrong;
        }
    });
    VerifyOptions options;
    options.threads = 2;
    if (file->verify(options).has_value()) ++wrong;
    for (std::thread& asker : askers) asker.join();
    CHECK(wrong.load() == 0);
    std::filesystem::remove(path);
}

TEST_SUITE_BEGIN("threads");

// Layers of few jobs and of many, proofs, passes, both kinds.
TEST_CASE("what two threads make together is right") {
    for (const char* rules : {"awari", "wari", "singles,remainder=split"}) {
        agrees(*parse_rules(rules), 4, 2);
        kernels_agree(rules, 6);
        verified(*parse_rules(rules), 7);
    }
}

TEST_CASE("many threads ask one file whose blocks are read the first time") {
    for (const std::uint64_t cache : {std::uint64_t{1} << 14, kDefaultCacheBytes}) {
        ask_one_file("awari", 6, cache);
        ask_one_file("abapa", 5, cache);
    }
}

TEST_SUITE_END();

}  // namespace
