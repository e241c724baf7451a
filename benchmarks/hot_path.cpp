// The hot paths in a program small enough to count instructions in: perft and search, nothing else.
// Knows the public headers only. Driven by instructions.py; see README.md beside it.
//
//     hot_path perft RULES POSITION DEPTH ISA       ISA: portable, v3
//     hot_path search RULES POSITION DEPTH
//
// Prints the number of leaves or nodes. What is counted happens below `measured`.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "wari/engine.hpp"
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

[[gnu::noinline]] std::uint64_t measured_search(Engine& engine, const SearchRequest& request) {
    return need(engine.analyse(request)).nodes;
}

int main(int count, char** words) {
    const std::string_view what = count > 1 ? words[1] : "";
    if (!(what == "perft" && count == 6) && !(what == "search" && count == 5)) {
        std::fputs("usage: hot_path perft RULES POSITION DEPTH ISA | search RULES POSITION DEPTH\n", stderr);
        return 2;
    }
    const Position position = need(Position::parse(words[3], need(parse_rules(words[2]))));
    const int depth = std::atoi(words[4]);
    std::uint64_t counted = 0;
    if (what == "perft") {
        counted =
            measured_perft(position, depth, std::string_view(words[5]) == "v3" ? Isa::v3 : Isa::portable);
    } else {
        EngineOptions options;
        options.hash_mebibytes = 16;
        const auto engine = need(Engine::create(options));
        SearchRequest request{position, {}, {}, {}, 1, {}, {}, {}};
        request.limits.depth = depth;
        counted = measured_search(*engine, request);
    }
    std::printf("%llu\n", static_cast<unsigned long long>(counted));
    return 0;
}
