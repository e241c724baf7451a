// The positions of the bench: the four games of the data folder and random play under every preset, from
// full boards to endgames; depths for some hundred thousand nodes each.
#include "wari/bench.hpp"

#include <ctime>

namespace wari {
namespace {

struct Place {
    const char* rules;
    const char* position;
    int depth;
};

constexpr Place kPlaces[] = {
    {"awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 18},      {"awari", "8-1-7-0-6-1-8-0-8-0-6-1-0-2-S", 17},
    {"awari", "10-0-2-0-9-0-11-0-0-1-9-2-2-2-S", 18},    {"awari", "13-2-0-3-0-1-13-0-1-7-1-3-2-2-S", 17},
    {"awari", "17-1-0-0-5-2-0-1-3-0-0-7-2-10-S", 18},    {"awari", "8-7-7-1-7-0-7-0-0-7-1-3-0-0-S", 16},
    {"awari", "0-1-1-14-3-6-1-1-0-2-14-5-0-0-S", 18},    {"awari", "0-6-3-0-1-10-3-5-0-0-12-1-4-3-S", 18},
    {"awari", "5-0-2-0-1-5-0-14-9-0-3-2-3-4-S", 17},     {"awari", "1-20-10-0-0-1-1-2-0-0-4-0-4-5-S", 19},
    {"awari", "6-1-6-6-5-1-6-5-0-6-5-1-0-0-S", 17},      {"awari", "5-5-5-5-4-0-5-5-5-5-4-0-0-0-S", 17},
    {"wari", "1-7-7-6-0-0-6-1-3-8-0-7-2-0-N", 17},       {"abapa", "2-1-0-1-0-0-1-8-12-10-0-5-3-5-N", 17},
    {"cairo", "2-8-6-0-1-5-3-0-2-2-3-2-9-5-S", 18},      {"singles", "4-3-6-0-0-3-4-0-0-4-1-0-18-5-N", 29},
    {"nostarve", "5-0-1-1-11-1-2-1-0-0-0-0-24-2-N", 20}, {"ouri", "2-1-0-0-0-0-1-0-0-1-0-11-12-20-S", 35},
    {"wari", "2-1-8-8-0-1-1-0-9-8-2-6-0-2-S", 17},       {"abapa", "5-2-1-1-0-0-3-0-6-12-5-2-2-9-S", 19},
    {"ouri", "1-3-7-6-0-1-5-0-2-1-5-1-2-14-S", 29},      {"wari", "1-3-1-1-12-0-0-2-1-4-1-0-15-7-N", 19},
    {"abapa", "0-0-6-4-1-0-1-1-1-4-0-1-15-14-S", 25},    {"cairo", "0-2-0-3-0-4-0-1-2-2-0-2-17-15-N", 21},
    {"singles", "5-0-2-6-6-1-0-6-0-7-7-6-2-0-N", 19},    {"nostarve", "0-11-2-2-0-7-1-1-7-5-0-2-5-5-N", 17},
    {"ouri", "0-3-1-5-1-0-13-5-4-0-0-0-9-7-N", 25},      {"wari", "1-0-1-5-1-3-5-8-1-0-0-2-8-13-N", 19},
    {"abapa", "6-0-0-0-0-0-4-0-0-4-7-1-17-9-N", 21},     {"ouri", "2-1-1-1-1-0-1-1-3-1-2-0-21-13-S", 33},
};
constexpr int kBenchHashMebibytes = 16;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Expected<BenchResult> bench(EvaluationKind evaluation, bool full_width, int deeper, const Task<>& task) {
    EngineOptions options;
    options.hash_mebibytes = kBenchHashMebibytes;
    options.evaluation = evaluation;
    options.full_width = full_width;
    const auto engine = Engine::create(options);
    if (!engine) return engine.error();
    BenchResult result;
    for (const Place& place : kPlaces) {
        SearchRequest request;
        request.root = *Position::parse(place.position, *parse_rules(place.rules));
        request.limits.depth = place.depth + deeper;
        request.task.stop_requested = task.stop_requested;
        (void)(*engine)->new_game();  // nobody else has it
        const double begin = processor_seconds();
        const auto found = (*engine)->analyse(request);
        const double seconds = processor_seconds() - begin;
        if (!found) return found.error();
        if (!found->finished) return Error{ErrorKind::cancelled, "bench", "bench: stopped"};
        result.entries.push_back({place.rules, place.position, *request.limits.depth, found->nodes, seconds,
                                  found->lines[0].move});
        result.nodes += found->nodes;
        result.seconds += seconds;
    }
    return result;
}

}  // namespace wari
