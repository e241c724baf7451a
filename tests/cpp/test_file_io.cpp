// Files below tables and proofs: names of any language, the system's own words for what it refuses, locks,
// and what a writer leaves that ends before it is done. Under every system alike, unless a case says
// otherwise.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <doctest/doctest.h>

#include "file_io.hpp"
#include "wari/engine.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using detail::FileLock;
using detail::InputFile;
using detail::NewFile;

const std::string kOdd =
    "\xC3\xB1"
    "and\xC3\xBA \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x8E\xB2";

/// A folder of its own, in a folder whose name is not ASCII; removed at the end.
struct Folder {
    Folder()
        : path(std::filesystem::temp_directory_path() /
               ("wari-files-" + std::to_string(std::random_device()()))) {
        std::filesystem::create_directories(detail::os::path_of(file("").substr(0, file("").size() - 1)));
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string file(const std::string& name) const {
        return detail::os::name_of(path) + '/' + kOdd + '/' + name;
    }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(detail::os::path_of(file("."))))
            found.insert(detail::os::name_of(entry.path().filename()));
        return found;
    }
    std::filesystem::path path;
};

std::vector<std::uint8_t> content(const std::string& path) {
    std::ifstream in(detail::os::path_of(path), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

const std::vector<std::uint8_t> kOld = {1, 2, 3};
const std::vector<std::uint8_t> kNew = {4, 5, 6, 7};

void write(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    auto file = NewFile::create(path + ".new", path);
    REQUIRE(file.has_value());
    REQUIRE(!file->append(bytes));
    REQUIRE(!file->sync());
    REQUIRE(!file->take_place(path));
}

}  // namespace

TEST_CASE("tables and proofs are kept under names of any language") {
    const Folder folder;
    BuildOptions options;
    options.seeds = 4;
    options.path = folder.file(kOdd + ".wtb");
    const auto built = Tablebase::build(*parse_rules("awari"), options);
    REQUIRE(built.has_value());
    CHECK((*built)->path() == options.path);
    CHECK(!(*built)->verify({}));
    const std::string copy = folder.file("copy " + kOdd);
    CHECK(!(*built)->save(copy));
    CHECK(content(copy) == content(options.path));
    const auto engine = Engine::create({.threads = 1, .hash_mebibytes = 8});
    SolveRequest request;
    request.root = *Position::parse("6-0-0-1-1-0-2-2-0-1-2-1-0-0-S", *parse_rules("awari"));
    request.limits.nodes = 2000;
    REQUIRE(engine.value()->solve(request).has_value());
    for (int times = 0; times < 2; ++times) CHECK(!engine.value()->save_proof(folder.file(kOdd)));
    CHECK(engine.value()->load_proof(folder.file(kOdd)).has_value());
    CHECK(folder.names() == std::set<std::string>{kOdd, kOdd + ".wtb", "copy " + kOdd});
}

TEST_CASE("a build goes on from what is there and grows the file under its name") {
    const Folder folder;
    BuildOptions options;
    options.path = folder.file("grown.wtb");
    for (options.seeds = 3; options.seeds < 6; ++options.seeds) {
        const auto built = Tablebase::build(*parse_rules("abapa"), options);
        REQUIRE(built.has_value());
        CHECK((*built)->seeds() == options.seeds);
    }
    CHECK(folder.names() == std::set<std::string>{"grown.wtb"});
}

TEST_CASE("a new file takes its place while it is open and grows there and goes on to another") {
    const Folder folder;
    for (const bool there : {false, true}) {
        if (there) write(folder.file("first"), kOld);
        auto file = NewFile::create(folder.file("first.new"), folder.file("first"));
        REQUIRE(file.has_value());
        CHECK(!file->append(kNew));
        if (there) CHECK(content(folder.file("first")) == kOld);
        CHECK(!file->take_place(folder.file("first")));
        CHECK(content(folder.file("first")) == kNew);
        CHECK(!file->append(kOld));
        CHECK(content(folder.file("first")).size() == kNew.size() + kOld.size());
        CHECK(!file->shorten(kNew.size()));
        CHECK(content(folder.file("first")) == kNew);
        CHECK(!file->append(kOld));
        CHECK(!file->take_place(folder.file("second")));
        CHECK(folder.names() == std::set<std::string>{"second"});
        CHECK(content(folder.file("second")).size() == kNew.size() + kOld.size());
        file->discard();
        CHECK(folder.names().empty());
    }
}

TEST_CASE("a new file that never took its place is gone with its writer") {
    const Folder folder;
    write(folder.file("kept"), kOld);
    {
        auto file = NewFile::create(folder.file("kept.new"), folder.file("kept"));
        REQUIRE(file.has_value());
        CHECK(!file->append(kNew));
    }
    CHECK(folder.names() == std::set<std::string>{"kept"});
    CHECK(content(folder.file("kept")) == kOld);
}

TEST_CASE("what a dead writer has left under the name on the way is cleared by the next") {
    const Folder folder;
    std::ofstream(detail::os::path_of(folder.file("kept.new"))) << "left";
    write(folder.file("kept"), kNew);
    CHECK(folder.names() == std::set<std::string>{"kept"});
    CHECK(content(folder.file("kept")) == kNew);
}

TEST_CASE("the system says itself what it refuses") {
    const Folder folder;
    const auto absent = InputFile::open(folder.file("absent"));
    REQUIRE(!absent);
    CHECK(absent.error().kind == ErrorKind::io);
    CHECK(absent.error().field == folder.file("absent"));
    const auto nowhere = InputFile::open(folder.file("no folder/absent"));
    REQUIRE(!nowhere);
    const std::string head = folder.file("absent") + ": cannot open: ";
    CHECK(absent.error().message.starts_with(head));
    CHECK(absent.error().message.size() > head.size() + 5);
    CHECK(absent.error().message.find('\n') == std::string::npos);
#if defined(_WIN32)
    CHECK(nowhere.error().message.substr(nowhere.error().message.rfind(':')) !=
          absent.error().message.substr(absent.error().message.rfind(':')));  // a path, and a file
    CHECK(InputFile::open("bad \xFF name").error().kind == ErrorKind::io);
#else
    CHECK(absent.error().message == head + "No such file or directory");
#endif
    CHECK(InputFile::open(folder.file(".")).error().message.ends_with(": not a file"));
    const auto created = NewFile::create(folder.file("no folder/new"), folder.file("no folder/old"));
    REQUIRE(!created);
    CHECK(created.error().message.find(": cannot create: ") != std::string::npos);
}

TEST_CASE("reading at any place ends at the end of the file") {
    const Folder folder;
    write(folder.file("read"), kNew);
    const auto file = InputFile::open(folder.file("read"));
    REQUIRE(file.has_value());
    CHECK(file->size() == kNew.size());
    std::array<std::uint8_t, 2> two{};
    CHECK(file->read(1, two));
    CHECK(two == std::array<std::uint8_t, 2>{5, 6});
    CHECK(!file->read(3, two));
    CHECK(file->try_read(3, two)->message == folder.file("read") + ": cannot read: it was cut off meanwhile");
    CHECK(!file->read(std::uint64_t{1} << 40, two));
    CHECK(file->try_read(4, std::span<std::uint8_t>()) == std::nullopt);
}

TEST_CASE("a lock is held once and leaves nothing") {
    const Folder folder;
    const std::string name = folder.file("table.lock");
    {
        const auto held = FileLock::take(name, "building this table", false, {});
        REQUIRE(held.has_value());
        const auto second = FileLock::take(name, "building this table", false, {});
        REQUIRE(!second);
        CHECK(second.error().kind == ErrorKind::busy);
        CHECK(second.error().message.starts_with(name + ": another process is building this table"));
        const auto stopped = FileLock::take(name, "", true, {[] { return true; }});
        CHECK(stopped.error().kind == ErrorKind::cancelled);
    }
    CHECK(folder.names().empty());
    CHECK(FileLock::take(name, "building this table", false, {}).has_value());
    CHECK(FileLock::take(folder.file("no folder/lock"), "", false, {}).error().kind == ErrorKind::io);
}

#if !defined(_WIN32)
TEST_CASE("a writer that is killed leaves what the next one clears and the old file") {
    const Folder folder;
    write(folder.file("kept"), kOld);
    for (const bool placed : {false, true}) {
        const pid_t child = ::fork();
        if (child == 0) {
            auto file = NewFile::create(folder.file("kept.new"), folder.file("kept"));
            const bool good =
                file && !file->append(kNew) && (!placed || !file->take_place(folder.file("kept")));
            ::_exit(good ? 0 : 1);  // as a kill does: nothing is tidied up
        }
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        CHECK(content(folder.file("kept")) == (placed ? kNew : kOld));
        write(folder.file("kept"), placed ? kNew : kOld);
        CHECK(folder.names() == std::set<std::string>{"kept"});
    }
}

TEST_CASE("links are followed and those in a circle are an error") {
    const Folder folder;
    namespace fs = std::filesystem;
    fs::create_symlink("two", folder.file("one"));
    fs::create_symlink(folder.file("absent"), folder.file("two"));
    CHECK(*detail::behind_links(folder.file("one")) == folder.file("absent"));
    fs::create_symlink("b", folder.file("a"));
    fs::create_symlink("a", folder.file("b"));
    const auto circle = detail::behind_links(folder.file("a"));
    REQUIRE(!circle);
    CHECK(circle.error().kind == ErrorKind::io);
    CHECK(circle.error().message.ends_with("Too many levels of symbolic links"));
}
#endif
