// Table files: what is written is read, and no damage ever gives a wrong answer.
// Every byte of small files is changed, every length is cut off, and noise is read as a file.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "file_format.hpp"
#include "sampling.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using Bytes = std::vector<char>;

/// A folder of its own, removed at the end.
struct Folder {
    Folder()
        : path(std::filesystem::temp_directory_path() /
               ("wari-table-" + std::to_string(std::random_device()()))) {
        std::filesystem::create_directory(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string file(const char* name) const { return (path / name).string(); }

    std::filesystem::path path;
};

Bytes read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const Bytes& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TablebasePtr build(const char* rules, int seeds) {
    BuildOptions options;
    options.seeds = seeds;
    const auto table = Tablebase::build(*parse_rules(rules), options);
    REQUIRE(table.has_value());
    return *table;
}

/// Asks the file about every board: each answer is right or missing.
int wrong_answers(const Tablebase& file, const Tablebase& truth) {
    int wrong = 0;
    for (int n = 0; n <= std::min(file.seeds(), truth.seeds()); ++n) {
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const Board board = board_from_index(n, i);
            const auto answer = file.bounds(board);
            if (answer.has_value() && answer != truth.bounds(board)) ++wrong;
            if (!answer.has_value() && file.probe(board).has_value()) ++wrong;
        }
    }
    return wrong;
}

void round_trip(const char* rules, int seeds) {
    const Folder folder;
    const TablebasePtr table = build(rules, seeds);
    for (const TablePacking packing : {TablePacking::fast, TablePacking::dense}) {
        const std::string path = folder.file("round.wtb");
        CHECK(!table->save(path, packing, 2).has_value());
        for (const std::uint64_t cache : {std::uint64_t{0}, kDefaultCacheBytes}) {
            const auto file = Tablebase::open(path, {cache});
            REQUIRE(file.has_value());
            CHECK((*file)->seeds() == seeds);
            CHECK((*file)->rules() == table->rules());
            int missing = 0;
            for (int n = 0; n <= seeds; ++n) {
                for (std::uint64_t i = 0; i < boards_with(n); ++i) {
                    const Board board = board_from_index(n, i);
                    if ((*file)->bounds(board) != table->bounds(board)) ++missing;
                }
            }
            CHECK(missing == 0);
            CHECK(!(*file)->verify({}).has_value());
        }
    }
}

void damaged(const char* rules, int seeds) {
    const Folder folder;
    const TablebasePtr table = build(rules, seeds);
    const std::string path = folder.file("damaged.wtb");
    CHECK(!table->save(path).has_value());
    const Bytes good = read(path);
    int opened = 0;
    const auto attempt = [&](const Bytes& bytes) {
        write(path, bytes);
        const auto file = Tablebase::open(path);
        if (!file) {
            CHECK(file.error().kind == ErrorKind::bad_file);
            CHECK(file.error().message.find(path) != std::string::npos);
            return;
        }
        CHECK(wrong_answers(**file, *table) == 0);
        if (opened++ % 8 != 0) return;
        const auto failed = (*file)->verify({});
        REQUIRE(failed.has_value());
        CHECK(failed->kind == ErrorKind::bad_file);
    };
    for (std::size_t at = 0; at < good.size(); ++at) {
        Bytes bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ (at % 2 == 0 ? 0xFF : 1 << at % 8));
        attempt(bytes);
    }
    // A damaged block is found when it is read: such files open.
    CHECK(opened > 0);
    opened = 0;
    for (std::size_t size = 0; size < good.size(); ++size)
        attempt(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    Bytes longer = good;
    longer.push_back(0);
    attempt(longer);
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        Bytes noise(random() % 4096);
        for (char& byte : noise) byte = static_cast<char>(random());
        // With the right start, so that more than the first test has to hold.
        if (i % 3 != 0)
            std::copy_n(good.begin(), std::min(noise.size(), std::size_t{i % 3 == 1 ? 64U : 300U}),
                        noise.begin());
        attempt(noise);
    }
    CHECK(opened == 0);
}

// What is no file is neither waited for nor read without an end, nor does a table take its place.
TEST_CASE("what is no file is neither read nor replaced") {
    const Folder folder;
    CHECK(Tablebase::open(folder.file("absent.wtb")).error().kind == ErrorKind::io);
    CHECK(Tablebase::open(folder.path.string()).error().kind == ErrorKind::io);
#if !defined(_WIN32)
    for (const char* device : {"/dev/null", "/dev/zero"})
        CHECK(Tablebase::open(device).error().message.ends_with(": not a file"));
    const std::string pipe = folder.file("pipe.wtb");
    CHECK(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(Tablebase::open(pipe).error().kind == ErrorKind::io);
    for (const std::string& taken : {pipe, folder.path.string()}) {
        CHECK(build("awari", 1)->save(taken)->message.ends_with(": not a file"));
        BuildOptions options;
        options.path = taken;
        CHECK(Tablebase::build(Rules{}, options).error().kind == ErrorKind::io);
        CHECK(!std::filesystem::is_regular_file(taken));
    }
    CHECK(::unlink(pipe.c_str()) == 0);
#endif
}

// Bytes whose checksums are right and which still make no table.
TEST_CASE("a file of right checksums and wrong values is refused") {
    const Folder folder;
    const std::string path = folder.file("forged.wtb");
    CHECK(!build("awari", 2)->save(path).has_value());
    const auto with = [&](const Bytes& bytes, std::size_t at, char value) {
        Bytes changed = bytes;
        changed[at] = value;
        return changed;
    };
    Bytes good = read(path);
    // The header's checksum is over the header: repairing it must not be enough.
    for (const std::size_t at : {detail::kAtVersion, detail::kAtKind, detail::kAtPlanes, detail::kAtRules,
                                 detail::kAtBlockBoards, detail::kHeaderBytes - 8}) {
        Bytes bytes = with(good, at, 99);
        std::uint32_t crc = 0xFFFF'FFFF;
        for (std::size_t i = 0; i < detail::kAtHeaderSum; ++i) {
            crc ^= static_cast<std::uint8_t>(bytes[i]);
            for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F6'3B78 : 0);
        }
        for (std::size_t i = 0; i < 4; ++i)
            bytes[detail::kAtHeaderSum + i] = static_cast<char>(~crc >> (8 * i));
        write(path, bytes);
        CHECK(Tablebase::open(path).error().kind == ErrorKind::bad_file);
    }
}

#if !defined(_WIN32)
// Where others may write, too, a link under the name of a temporary file leads nowhere.
TEST_CASE("a link under the name of a temporary file is not followed") {
    const Folder folder;
    const std::string path = folder.file("linked.wtb");
    const std::string victim = folder.file("victim");
    write(victim, {'o', 'l', 'd'});
    for (const char* ending : {".lock", ".part.new"}) {
        std::filesystem::create_symlink(victim, path + ending);
        BuildOptions options;
        options.seeds = 2;
        options.path = path;
        const auto table = Tablebase::build(Rules{}, options);
        REQUIRE(!table);
        CHECK(table.error().kind == ErrorKind::io);
        CHECK(read(victim) == Bytes({'o', 'l', 'd'}));
        std::filesystem::remove(path + ending);
    }
    std::filesystem::remove(victim);
}
#endif

TEST_CASE("a build in a file keeps and grows what is there") {
    const Folder folder;
    BuildOptions options;
    options.seeds = 5;
    options.path = folder.file("built.wtb");
    CHECK((*Tablebase::build(*parse_rules("awari"), options))->path() == options.path);
    const Bytes five = read(options.path);
    options.seeds = 3;  // a larger table is there: it is taken as it is
    CHECK((*Tablebase::build(*parse_rules("awari"), options))->seeds() == 5);
    CHECK(read(options.path) == five);
    options.seeds = 7;
    CHECK((*Tablebase::build(*parse_rules("awari,majority=false"), options))->seeds() == 7);
    const Bytes grown = read(options.path);
    const std::string fresh = folder.file("fresh.wtb");
    BuildOptions again = options;
    again.path = fresh;
    CHECK(Tablebase::build(*parse_rules("awari"), again).has_value());
    CHECK(read(fresh) == grown);
    const auto other = Tablebase::build(*parse_rules("abapa"), options);
    REQUIRE(!other);
    CHECK(other.error().kind == ErrorKind::wrong_rules);
    // Stopped at once: nothing new, nothing partial.
    options.seeds = 9;
    options.path = folder.file("stopped.wtb");
    options.task.stop_requested = [] { return true; };
    CHECK(Tablebase::build(*parse_rules("awari"), options).error().kind == ErrorKind::cancelled);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
        CHECK(entry.path().extension() == ".wtb");
    }
}

TEST_CASE("a build names the option that is wrong") {
    BuildOptions options;
    options.seeds = 20;
    options.memory_limit = 1'000'000;
    const auto refused = Tablebase::build(*parse_rules("awari"), options);
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::no_memory);
    CHECK(refused.error().message.find("MiB") != std::string::npos);
    options = {};
    options.seeds = -1;
    CHECK(Tablebase::build(Rules{}, options).error().field == "seeds");
    options = {};
    options.threads = 0;
    CHECK(Tablebase::build(Rules{}, options).error().field == "threads");
    options = {};
    options.kind = TableKind::value;
    CHECK(Tablebase::build(Rules{}, options).error().field == "kind");
    options.seeds = 2;
    options.kind = TableKind::force;
    CHECK(Tablebase::build(Rules{}, options).has_value());
}

constexpr int kLess = sampling::kSampled ? 2 : 0;

TEST_CASE("a file of awari is read as it was written") { round_trip("awari", 7 - kLess); }

TEST_CASE("a file of abapa is read as it was written") { round_trip("abapa", 6 - kLess); }

TEST_CASE("a file of rules between presets is read as it was written") {
    round_trip("singles,remainder=split,repetition=split", 6 - kLess);
}

TEST_CASE("files of more seeds are read as they were written" * doctest::test_suite("slow")) {
    round_trip("awari", 9);
    round_trip("abapa", 8);
}

TEST_CASE("no damage to a value table gives a wrong answer") { damaged("awari", 3 - kLess / 2); }

TEST_CASE("no damage to a force table gives a wrong answer") { damaged("abapa", 2); }

}  // namespace
