// Verifying a table: solving each layer again and comparing, and comparing entries with those of their
// successors by the general rules. Also the count of entries.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "build_needs.hpp"
#include "table_builder.hpp"

namespace wari::detail {
namespace {

/// Compares entries with their successors by table_moves(): one by one, without the builder's plans.
struct EntryCheck {
    const Rules& rules;
    bool net;
    const std::vector<Layer>& layers;

    Shares held(const Board& b) const {
        const Layer& layer = layers[static_cast<std::size_t>(board_seeds(b))];
        const std::uint64_t at = board_index(b);
        if (net) return {value_of(layer.mover.data()[at]), -value_of(layer.mover.data()[at])};
        return {sure_of(layer.mover.data()[at]), layer.other.data()[at]};
    }

    bool agrees(const Board& b) const {
        const TableMoves moves = table_moves(b, rules);
        const Shares entry = held(b);
        Shares found = moves.settled;
        bool first = true;
        for (const TableMove& move : moves) {
            Shares got = move.got;
            if (!move.ends) {
                const Shares next = held(move.next);
                got.mover += next.other;
                got.other += next.mover;
            }
            if (net) got = {got.mover - (move.ends ? got.other : 0), 0};
            found.mover = first ? got.mover : std::max(found.mover, got.mover);
            found.other = first ? got.other : std::min(found.other, got.other);
            first = false;
        }
        if (net) return entry.mover == (first ? found.mover - found.other : found.mover);
        return entry.mover == found.mover && entry.other == found.other;
    }
};

// Of the time of a full verification; measured.
constexpr double kSolvingShare = 0.3;

Error wrong_entry(const std::string& path, int n, std::uint64_t index) {
    const Board b = board_from_index(n, index);
    std::string text;
    for (int pit = 0; pit < kPitsInAll; ++pit) {
        if (pit != 0) text += '-';
        text += std::to_string(seeds_in(pit < kPitsPerRow ? b.own : b.opp, pit % kPitsPerRow));
    }
    const std::string where = path.empty() ? "the table" : path;
    return {ErrorKind::bad_file, where,
            where + ": wrong entry in layer " + std::to_string(n) + " seeds, board " + std::to_string(index) +
                " (" + text + ")"};
}

std::optional<std::uint64_t> first_difference(const Bytes& a, const Bytes& b) {
    if (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size()) == 0) return std::nullopt;
    return static_cast<std::uint64_t>(std::mismatch(a.data(), a.data() + a.size(), b.data()).first -
                                      a.data());
}

}  // namespace

std::optional<std::uint64_t> first_wrong_entry(const Rules& rules, const std::vector<Layer>& layers, int n,
                                               std::uint64_t step, WorkerPool& pool,
                                               const std::function<void(double)>& report) {
    const EntryCheck check{rules, kind_of(rules) == TableKind::value, layers};
    constexpr std::uint64_t kJob = 1U << 14;
    const std::uint64_t count = (boards_with(n) + step - 1) / step;
    const std::uint64_t jobs = (count + kJob - 1) / kJob;
    std::atomic<std::uint64_t> wrong{UINT64_MAX};
    pool.run(jobs, [&](std::uint64_t job, int worker) {
        const std::uint64_t end = std::min(count, (job + 1) * kJob);
        for (std::uint64_t i = job * kJob; i < end; ++i) {
            if (check.agrees(board_from_index(n, i * step))) continue;
            std::uint64_t first = wrong.load(std::memory_order_relaxed);
            while (i * step < first &&
                   !wrong.compare_exchange_weak(first, i * step, std::memory_order_relaxed)) {
            }
            break;
        }
        if (worker == 0) report(static_cast<double>(job) / static_cast<double>(jobs));
    });
    if (wrong.load() == UINT64_MAX) return std::nullopt;
    return wrong.load();
}

LastRounds TableData::last_rounds(const Rules& rules, int n, const ProbeOptions& options) {
    const std::uint64_t planes = kind_of(rules) == TableKind::force ? 2 : 1;
    const bool expensive = boards_with(n) * planes > options.most_solved;
    if (expensive && !options.kept) return {};
    // Another thread may be solving; who only wants what is kept does not wait for that, and who waits can be
    // stopped.
    std::unique_lock lock(making_, std::defer_lock);
    while (!lock.try_lock()) {
        if (expensive || stopped(options.task)) return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    auto& made = last_rounds_[static_cast<std::size_t>(n)];
    if (made != nullptr) return {made.get(), false};
    if (expensive) return {};
    if (check_memory(last_rounds_bytes(kind_of(rules), n, file != nullptr), 0)) return {nullptr, true};
    Builder builder(rules, n, 1, options.task);
    std::vector<Layer> loaded;
    for (int k = 0; file != nullptr && k < n; ++k) {
        auto layer = file->load(k, builder.pool());
        if (builder.pool().stopped()) return {};
        if (!layer) return {nullptr, true};
        loaded.push_back(std::move(*layer));
    }
    auto found = std::make_unique<Layer>();
    if (!builder.find_rounds(n, file != nullptr ? loaded : layers, *found)) {
        return {nullptr, !builder.pool().stopped()};
    }
    made = std::move(found);
    return {made.get(), false};
}

}  // namespace wari::detail

namespace wari {

using detail::Layer;

Status Tablebase::verify(const VerifyOptions& options) const {
    if (options.level == VerifyLevel::none) {
        return Error{ErrorKind::bad_value, "level", "level: expected rebuilt or full, not none"};
    }
    if (auto failed = detail::check_threads(options.threads)) return failed;
    const std::uint64_t file_bytes = data_->file ? data_->file->file_bytes() : 0;
    std::uint64_t needed = detail::verifying_bytes(kind_, seeds_, options.threads, file_bytes);
    if (!data_->file) needed -= detail::layers_bytes(kind_, seeds_);  // these are there already
    if (auto failed = detail::check_memory(needed, options.memory_limit)) return failed;
    detail::Progress progress(options.task, seeds_, true);
    detail::Builder builder(rules_, seeds_, options.threads, &options.task);
    std::vector<Layer> loaded;
    const std::vector<Layer>& layers = data_->file ? loaded : data_->layers;
    for (int n = 0; n <= seeds_; ++n) {
        if (data_->file) {
            auto layer = data_->file->load(n, builder.pool());
            if (!layer) return layer.error();
            if (builder.pool().stopped()) return detail::build_stopped();
            loaded.push_back(std::move(*layer));
        }
        const Layer& stored = layers[static_cast<std::size_t>(n)];
        const bool every = options.level == VerifyLevel::full;
        progress.part(every ? detail::kSolvingShare : 1);
        auto solved = builder.solve(n, layers, progress);
        progress.part(1);
        if (!solved) return solved.error();
        auto wrong = detail::first_difference(stored.mover, solved->mover);
        if (!wrong) wrong = detail::first_difference(stored.other, solved->other);
        if (!wrong) {
            const std::uint64_t step = every || n <= kFullCheckSeeds ? 1 : kPartOfLarge;
            wrong = detail::first_wrong_entry(rules_, layers, n, step, builder.pool(), [&](double done) {
                if (every) progress.layer(n, detail::kSolvingShare + (1 - detail::kSolvingShare) * done);
            });
            if (every) progress.layer(n, 1);
        }
        if (builder.pool().stopped()) return detail::build_stopped();
        if (wrong) return detail::wrong_entry(path(), n, *wrong);
    }
    return std::nullopt;
}

Expected<std::vector<EntryCount>> Tablebase::distribution(int layer, int threads, const Task<>& task) const {
    if (auto failed = detail::check_threads(threads)) return *failed;
    if (layer < 0 || layer > seeds_) {
        return Error{ErrorKind::missing_table, "layer",
                     "layer: expected 0 to " + std::to_string(seeds_) + ", not " + std::to_string(layer)};
    }
    detail::WorkerPool pool(threads);
    pool.watch(&task);
    Layer loaded;
    if (data_->file) {
        auto read = data_->file->load(layer, pool);
        if (pool.stopped()) return detail::stopped("layer");
        if (!read) return read.error();
        loaded = std::move(*read);
    }
    const Layer& from = data_->file ? loaded : data_->layers[static_cast<std::size_t>(layer)];
    const bool net = kind_ == TableKind::value;
    constexpr std::uint64_t kJob = 1U << 20;
    std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(threads),
                                                   std::vector<std::uint64_t>(net ? 256 : 256 * 256, 0));
    pool.run((from.mover.size() + kJob - 1) / kJob, [&](std::uint64_t job, int worker) {
        auto& mine = counts[static_cast<std::size_t>(worker)];
        for (std::uint64_t i = job * kJob; i < std::min<std::uint64_t>(from.mover.size(), (job + 1) * kJob);
             ++i) {
            ++mine[net ? from.mover.data()[i] : from.mover.data()[i] * 256U + from.other.data()[i]];
        }
    });
    if (pool.stopped()) return detail::stopped("layer");
    std::map<std::pair<int, int>, std::uint64_t> sorted;
    for (const auto& mine : counts) {
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (mine[i] == 0) continue;
            const auto byte = static_cast<std::uint8_t>(net ? i : i / 256);
            const int mover = net ? detail::value_of(byte) : detail::sure_of(byte);
            sorted[{mover, net ? 0 : static_cast<int>(i % 256)}] += mine[i];
        }
    }
    std::vector<EntryCount> entries;
    entries.reserve(sorted.size());
    for (const auto& [key, boards] : sorted) entries.push_back({key.first, key.second, boards});
    return entries;
}

}  // namespace wari
