// Files of proofs: any bytes are taken up as one, with the checksum as it is or made right, gone on from, and
// written again. The input: a byte of choices, then the file.
#include <algorithm>
#include <vector>

#include "bytes.hpp"
#include "crc32c.hpp"
#include "folder.hpp"
#include "little_endian.hpp"
#include "wari/engine.hpp"

namespace {

using namespace wari;

constexpr std::size_t kMostBytes = 1 << 16;
constexpr std::size_t kSumBytes = 4;
constexpr std::uint64_t kNodes = 3'000;

void go_on(Engine& engine, const Position& position, const std::string& path, bool winner_only) {
    SolveRequest request;
    request.root = position;
    request.limits.nodes = kNodes;
    request.winner_only = winner_only;
    const auto solution = engine.solve(request);
    LAW(solution.has_value());
    const Board& b = position.board();
    const int stores = store_of(b.own) - store_of(b.opp);
    const int seeds = board_seeds(b);
    LAW(solution->lower <= solution->upper);
    LAW(solution->ending.has_value() ||
        (solution->lower >= stores - seeds && solution->upper <= stores + seeds));
    LAW(!engine.save_proof(path).has_value());
    const auto again = engine.load_proof(path);
    LAW(again.has_value() && *again == position);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    EngineOptions options;
    options.hash_mebibytes = 1;
    static const auto engine = std::move(*Engine::create(options));
    fuzz::Bytes input(data, std::min(size, kMostBytes));
    const int choices = input.byte();
    std::vector<std::uint8_t> file(input.rest().begin(), input.rest().end());
    if ((choices & 1) != 0 && file.size() >= kSumBytes) {
        const std::size_t summed = file.size() - kSumBytes;
        detail::put_number(file, summed, 4,
                           detail::crc32c(std::span<const std::uint8_t>(file).first(summed)));
    }
    engine->new_game();
    const std::string path = folder.put("position.proof", file);
    const auto position = engine->load_proof(path);
    if (!position) {
        const ErrorKind kind = position.error().kind;
        // no_memory: there is no room in the small table for all that the file holds.
        LAW(kind == ErrorKind::bad_file || kind == ErrorKind::no_memory);
        LAW(position.error().message.find(path) != std::string::npos);
        return 0;
    }
    go_on(*engine, *position, path, (choices & 2) != 0);
    return 0;
}
