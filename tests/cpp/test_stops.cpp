// Work on tables that the caller stops, the threads that are started, and faults of the calling program.
#include <doctest/doctest.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "wari/engine.hpp"
#include "wari/tablebase.hpp"
#include "worker_pool.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#define HAS_FORK
#endif

using namespace wari;

namespace {

TablebasePtr small() {
    BuildOptions options;
    options.seeds = 6;
    options.verify = VerifyLevel::none;
    return Tablebase::build(preset("abapa").value(), options).value();
}

const Task<> kAtOnce{[] { return true; }};

}  // namespace

TEST_CASE("a table that is being written can be stopped and leaves no file") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "wari_test_stops";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string path = (folder / "table.wtb").string();
    const auto table = small();
    const auto stopped = table->save(path, TablePacking::dense, 2, kAtOnce);
    REQUIRE(stopped.has_value());
    CHECK(stopped->kind == ErrorKind::cancelled);
    CHECK(stopped->message == "save: stopped");
    CHECK(!fs::exists(path));
    CHECK(!table->save(path, TablePacking::dense, 2).has_value());
    // From a file, too: its blocks are decoded before they are packed again.
    const auto opened = Tablebase::open(path);
    REQUIRE(opened.has_value());
    const auto again = (*opened)->save(path, TablePacking::fast, 1, kAtOnce);
    REQUIRE(again.has_value());
    CHECK(again->kind == ErrorKind::cancelled);
    CHECK((*opened)->distribution(6, 2, kAtOnce).error().kind == ErrorKind::cancelled);
    fs::remove_all(folder);
}

TEST_CASE("counting entries and probing many boards can be stopped") {
    const auto table = small();
    CHECK(table->distribution(6, 2, kAtOnce).error().kind == ErrorKind::cancelled);
    CHECK(table->distribution(6, 2).has_value());
    const std::vector<std::uint8_t> pits(12 * 100);
    std::vector<std::int8_t> lower(100);
    std::vector<std::int8_t> upper(100);
    const auto stopped = table->probe_many(pits, lower, upper, 2, kAtOnce);
    REQUIRE(stopped.has_value());
    CHECK(stopped->kind == ErrorKind::cancelled);
    CHECK(!table->probe_many(pits, lower, upper, 2).has_value());
}

TEST_CASE("no more threads are started than are of use") {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    const int most = processors == 0 ? kMaxThreads : std::max(8, 2 * processors);
    CHECK(useful_threads(1) == 1);
    CHECK(useful_threads(kMaxThreads) == std::min(most, kMaxThreads));
    const detail::WorkerPool pool(kMaxThreads);
    CHECK(pool.threads() <= most);
}

#ifdef HAS_FORK
TEST_CASE("a value that is not there ends the program and nothing else happens") {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};  // no core file, no message of the test program
        setrlimit(RLIMIT_CORE, &none);
        close(2);
        for (const int signal : {SIGABRT, SIGILL, SIGTRAP}) std::signal(signal, SIG_DFL);
        const Rules value = preset("no such rules").value();
        _exit(value.majority ? 1 : 2);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}
#endif
