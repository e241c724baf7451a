// The hot paths in a program small enough to count instructions in: perft and the bench, nothing else.
// Knows the public headers only. Driven by instructions.py; see README.md beside it.
//
//     hot_path perft RULES POSITION DEPTH ISA       ISA: portable, v3
//     hot_path bench DEEPER                         each depth of the bench that much deeper
//
// Prints the number of leaves or nodes. What is counted happens below `measured`.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "wari/bench.hpp"
#include "wari/perft.hpp"

namespace {

using namespace wari;

template <class T>
T need(Expected<T> result) {
    if (!result) {
        std::fprintf(stderr, "hot_path: %s\n", result.error().message.c_str());
        std::exit(2);
    }
    return *std::move(result);
}

}  // namespace

// External and not inlined, so that callgrind finds it by name.
[[gnu::noinline]] std::uint64_t measured_perft(const Position& position, int depth, Isa isa) {
    return need(perft(position, depth, {}, isa)).nodes;
}

[[gnu::noinline]] std::uint64_t measured_bench(int deeper) {
    return need(bench(kBestEvaluation, false, deeper)).nodes;
}

int main(int count, char** words) {
    const std::string_view what = count > 1 ? words[1] : "";
    std::uint64_t counted = 0;
    if (what == "perft" && count == 6) {
        const Position position = need(Position::parse(words[3], need(parse_rules(words[2]))));
        const Isa isa = std::string_view(words[5]) == "v3" ? Isa::v3 : Isa::portable;
        counted = measured_perft(position, std::atoi(words[4]), isa);
    } else if (what == "bench" && count == 3) {
        counted = measured_bench(std::atoi(words[2]));
    } else {
        std::fputs("usage: hot_path perft RULES POSITION DEPTH ISA | bench DEEPER\n", stderr);
        return 2;
    }
    std::printf("%llu\n", static_cast<unsigned long long>(counted));
    return 0;
}
