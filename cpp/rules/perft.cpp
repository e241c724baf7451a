// Perft's border: checks the depth, picks the kernel, splits by root move.
#include "wari/perft.hpp"

#include "perft_kernel.hpp"
#include "wari/isa.hpp"

namespace wari {
namespace {

PerftKernel kernel_for([[maybe_unused]] Isa isa) {
#ifdef WARI_X86_KERNELS
    if (isa >= Isa::v3) return v3::perft_kernel;
#endif
    return portable::perft_kernel;
}

Error bad_depth(int depth, int least) {
    return {ErrorKind::bad_value, "depth",
            "depth: expected " + std::to_string(least) + " to " + std::to_string(kMaxPerftDepth) + ", not " +
                std::to_string(depth)};
}

Error bad_isa(Isa isa) {
    return {ErrorKind::bad_value, "isa",
            "isa: " + std::string(to_text(isa)) + " is beyond this processor and build, which have " +
                std::string(to_text(best_isa()))};
}

Perft after(PerftRun& run, PerftKernel kernel, const Position& position, Move move, int depth) {
    const Position::Played played = position.play_unchecked(move);
    if (depth == 1) return {1, static_cast<std::uint64_t>(played.captured)};
    if (played.own_end.has_value()) return {};
    return kernel(run, played.next.board(), depth - 1);
}

}  // namespace

Expected<std::vector<DivideEntry>> divide(const Position& position, int depth, const Task<>& task,
                                          std::optional<Isa> isa) {
    if (depth < 1 || depth > kMaxPerftDepth) return bad_depth(depth, 1);
    if (isa.value_or(Isa::portable) > best_isa()) return bad_isa(*isa);
    const PerftKernel kernel = kernel_for(isa.value_or(best_isa()));
    PerftRun run{position.rules(), position.total(), &task};
    std::vector<DivideEntry> entries;
    for (const Move move : position.legal_moves()) {
        entries.push_back({move, after(run, kernel, position, move, depth)});
    }
    if (run.stopped) return Error{ErrorKind::cancelled, "perft", "perft: stopped"};
    return entries;
}

Expected<Perft> perft(const Position& position, int depth, const Task<>& task, std::optional<Isa> isa) {
    if (depth < 0 || depth > kMaxPerftDepth) return bad_depth(depth, 0);
    if (depth == 0) return Perft{1, 0};
    const auto entries = divide(position, depth, task, isa);
    if (!entries) return entries.error();
    Perft sum;
    for (const DivideEntry& entry : *entries) {
        sum.nodes += entry.perft.nodes;
        sum.captured += entry.perft.captured;
    }
    return sum;
}

}  // namespace wari
