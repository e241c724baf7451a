// Building: what it needs, layer after layer, in memory or into a file that survives interruptions.
#include "table_builder.hpp"

#include <algorithm>

#include "build_needs.hpp"
#include "file_format.hpp"
#include "little_endian.hpp"

namespace wari::detail {
namespace {

constexpr auto kReportEvery = std::chrono::milliseconds(100);

Error no_memory() {
    return {ErrorKind::no_memory, "memory", "memory: the system refused what building needs"};
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB"; }

}  // namespace

Error stopped(const char* what) { return {ErrorKind::cancelled, what, std::string(what) + ": stopped"}; }
Error build_stopped() { return stopped("build"); }

Status check_memory(std::uint64_t needed, std::uint64_t limit) {
    const std::uint64_t free = limit != 0 ? limit : free_memory();
    if (free == 0 || needed <= free) return std::nullopt;
    return Error{ErrorKind::no_memory, "memory",
                 "memory: " + mebibytes(needed) + " are needed, " + mebibytes(free) + " are " +
                     (limit != 0 ? "allowed" : "free")};
}

Packing packing_of(TablePacking packing, int n) noexcept {
    if (packing == TablePacking::automatic) return n <= kDenseSeeds ? Packing::dense : Packing::fast;
    return packing == TablePacking::dense ? Packing::dense : Packing::fast;
}

Progress::Progress(const Task<BuildProgress>& task, int seeds, bool verifying)
    : task_(task), start_(std::chrono::steady_clock::now()), reported_(start_ - kReportEvery) {
    state_.seeds = seeds;
    state_.verifying = verifying;
    for (int n = 0; n <= seeds; ++n) state_.total += boards_with(n);
}

void Progress::layer(int n, double fraction) {
    fraction *= share_;
    if (!task_.on_progress) return;
    const auto now = std::chrono::steady_clock::now();
    const bool last = n == state_.seeds && fraction >= 1;
    if (!last && now - reported_ < kReportEvery) return;
    reported_ = now;
    state_.layer = n;
    double done = fraction * static_cast<double>(boards_with(n));
    for (int k = 0; k < n; ++k) done += static_cast<double>(boards_with(k));
    state_.done = static_cast<std::uint64_t>(done);
    state_.seconds = std::chrono::duration<double>(now - start_).count();
    state_.boards_per_second = state_.seconds > 0 ? done / state_.seconds : 0;
    const double left = static_cast<double>(state_.total) - done;
    state_.seconds_left = state_.boards_per_second > 0 ? left / state_.boards_per_second : 0;
    task_.on_progress(state_);
}

Builder::Builder(const Rules& rules, int seeds, int threads, const Task<>* task, SweepKernels kernels)
    : pool_(threads),
      plans_(table_rules(rules), seeds, kernels.lanes),
      solver_(plans_, kind_of(rules), seeds, kernels, pool_) {
    pool_.watch(task);
}

Expected<Layer> Builder::solve(int n, const std::vector<Layer>& layers, Progress& progress) {
    Layer layer;
    if (!solver_.ok()) return no_memory();
    if (!solver_.solve(n, layers, layer, [&](double fraction) { progress.layer(n, fraction); })) {
        return pool_.stopped() ? build_stopped() : no_memory();
    }
    progress.layer(n, 1);
    return layer;
}

bool Builder::find_rounds(int n, const std::vector<Layer>& layers, Layer& rounds) {
    Layer layer;
    return solver_.ok() && solver_.solve(n, layers, layer, [](double) {}, &rounds);
}

namespace {

/// The lock that all who write or remove the table take; `path` is the file itself, not a link to it.
Expected<FileLock> lock_table(const std::string& path, bool wait, const Task<>& task) {
    return FileLock::take(path + ".lock", "building this table", wait, task);
}

/// A table file in the making: whole layers under a temporary name.
class PartFile {
 public:
    /// `path` is locked, and no link.
    explicit PartFile(const std::string& path) : path_(path), part_(path + ".part") {}

    const std::string& part() const noexcept { return part_; }

    Status start(const Rules& rules) {
        auto file = NewFile::create(part_ + ".new", path_);
        if (!file) return file.error();
        file_ = std::move(*file);
        return append(file_header(rules));
    }
    Status append(std::span<const std::uint8_t> bytes) {
        size_ += bytes.size();
        return file_.append(bytes);
    }
    /// From here on the layers survive the process: the file takes the place of what an earlier build has
    /// left, of whose layers it holds `taken`.
    Status begin_growing(int taken) {
        if (file_exists(part_)) {
            if (auto failed = check_replaces(taken)) return failed;
            kept_ = size_;
        }
        if (auto failed = file_.sync()) return failed;
        if (auto failed = file_.take_place(part_)) return failed;
        growing_ = true;
        return std::nullopt;
    }
    bool growing() const noexcept { return growing_; }
    Status sync() { return file_.sync(); }
    /// Ends the file and gives it its name.
    Status finish(int layers, const Verified& verified) {
        if (auto failed = append(file_end(layers, verified, size_ + kEndBytes))) return failed;
        if (auto failed = file_.sync()) return failed;
        return file_.take_place(path_);
    }
    /// Removes it, but nothing that an earlier build has left.
    void discard() { file_.discard(); }
    /// After a failure of the disk, where room counts: only what an earlier build had done is kept.
    void give_back_room() {
        if (kept_ == 0) return discard();
        if (growing_ && !file_.shorten(kept_)) (void)file_.sync();
    }

 private:
    // Nobody's work is lost but one's own: what another user has left is replaced only by more of the same.
    Status check_replaces(int taken) const {
        if (is_own_file(part_)) return std::nullopt;
        const auto left = TableFile::open(part_, 0, true);
        if (left && (*left)->layer_count() <= taken) return std::nullopt;
        return Error{ErrorKind::io, part_,
                     part_ + ": an unfinished build of another user, which cannot be gone on with"};
    }

    std::string path_;
    std::string part_;
    NewFile file_;
    std::uint64_t size_ = 0;
    std::uint64_t kept_ = 0;  ///< bytes that hold no more than an earlier build had left
    bool growing_ = false;
};

/// One build: options, layers so far, and the file if there is one.
class Build {
 public:
    Build(const Rules& rules, const BuildOptions& options) : rules_(table_rules(rules)), options_(options) {}

    Expected<TablebasePtr> run() {
        if (options_.path.empty()) return in_memory();
        auto target = behind_links(options_.path);
        if (!target) return target.error();
        target_ = std::move(*target);
        if (auto failed = check_is_file(target_)) return *failed;  // a device would be gone afterwards
        auto lock = lock_table(target_, options_.wait, options_.task);
        if (!lock) return lock.error();
        if (file_exists(target_)) {
            bool enough = false;
            if (auto failed = look_at_what_is_there(enough)) return *failed;
            if (enough) return Tablebase::open(options_.path);
        }
        return into_file();
    }

 private:
    /// Whether the file that is there is all that is wanted. Its blocks are read and their checksums
    /// compared: a damaged file is an error, or is to be built again from the damage on, as the options say.
    Status look_at_what_is_there(bool& enough) {
        auto there = TableFile::open(options_.path, 0);
        if (!there) {
            const Error& error = there.error();
            const bool repair = options_.repair && error.kind == ErrorKind::bad_file;
            return repair ? TableFile::check_repairable(target_, options_.path) : error;
        }
        if (!same_tables((*there)->rules(), rules_)) {
            return Error{ErrorKind::wrong_rules, options_.path,
                         options_.path + ": holds a table for the rules " + to_text((*there)->rules())};
        }
        const int seeds = (*there)->layer_count() - 1;
        WorkerPool pool(options_.threads);
        pool.watch(&options_.task);
        auto damage = (*there)->check_blocks(pool);
        if (damage && !(options_.repair && damage->kind == ErrorKind::bad_file)) return damage;
        const Verified& verified = (*there)->verified();
        const VerifyLevel level = verified.layers > seeds ? verified.level : VerifyLevel::none;
        enough = seeds >= options_.seeds && level >= options_.verify && !damage;
        options_.seeds = std::max(options_.seeds, seeds);
        return std::nullopt;
    }

    Status check_needs() const {
        const BuildNeeds needs = build_needs(rules_, options_);
        if (auto failed = check_memory(needs.memory, options_.memory_limit)) return failed;
        if (options_.path.empty()) return std::nullopt;
        const std::uint64_t free = free_disk(target_);
        if (free == 0 || needs.disk <= free) return std::nullopt;
        return Error{ErrorKind::no_memory, "disk",
                     "disk: " + mebibytes(needs.disk) + " are needed, " + mebibytes(free) + " are free"};
    }

    Expected<TablebasePtr> in_memory() {
        if (auto failed = check_needs()) return *failed;
        Progress progress(options_.task, options_.seeds);
        {
            Builder builder(rules_, options_.seeds, options_.threads, &options_.task);
            while (static_cast<int>(layers_.size()) <= options_.seeds) {
                auto layer = builder.solve(static_cast<int>(layers_.size()), layers_, progress);
                if (!layer) return layer.error();
                layers_.push_back(std::move(*layer));
            }
        }
        auto data = std::make_unique<TableData>(std::move(layers_));
        TableData& held = *data;
        auto table = TableData::make(rules_, options_.seeds, std::move(data));
        if (options_.verify == VerifyLevel::none) return table;
        if (auto failed = verify(*table)) return *failed;
        held.verified = {options_.seeds + 1, options_.verify};
        return table;
    }

    Status verify(const Tablebase& table) const {
        VerifyOptions verify;
        verify.level = options_.verify;
        verify.threads = options_.threads;
        verify.memory_limit = options_.memory_limit;
        verify.task = options_.task;
        return table.verify(verify);
    }

    /// Takes the layers that a file of the same rules holds; a damaged file gives those before the damage.
    Status take_layers(const std::string& path, PartFile& part, WorkerPool& pool) {
        auto file = TableFile::open(path, 0, true);
        if (!file || !same_tables((*file)->rules(), rules_)) return std::nullopt;
        const Verified there = layers_.empty() ? (*file)->verified() : Verified{};
        while (static_cast<int>(layers_.size()) < std::min((*file)->layer_count(), options_.seeds + 1)) {
            const int n = static_cast<int>(layers_.size());
            auto layer = (*file)->load(n, pool);
            if (pool.stopped()) return build_stopped();
            if (!layer) return std::nullopt;
            const auto append = [&](std::span<const std::uint8_t> bytes) { return part.append(bytes); };
            if (auto failed = (*file)->copy_layer(n, append)) return failed;
            layers_.push_back(std::move(*layer));
            if (n < there.layers) verified_ = {n + 1, there.level};
        }
        return std::nullopt;
    }

    Expected<TablebasePtr> into_file() {
        if (auto failed = check_needs()) return *failed;
        PartFile part(target_);
        auto failed = fill(part);
        const bool stopped = failed && failed->kind == ErrorKind::cancelled;
        if (failed && failed->kind == ErrorKind::io) part.give_back_room();
        if (failed && (!stopped || layers_.empty() || !part.growing())) {
            if (stopped && layers_.empty()) part.discard();
            return *failed;
        }
        const int layers = static_cast<int>(layers_.size());
        layers_.clear();
        const bool lacks = verified_.layers < layers || verified_.level < options_.verify;
        if (!failed && options_.verify != VerifyLevel::none && lacks) {
            failed = verify_part(part.part(), layers);
            if (failed && failed->kind == ErrorKind::bad_file) part.discard();
            if (failed && failed->kind != ErrorKind::cancelled && failed->kind != ErrorKind::no_memory) {
                return *failed;
            }
            if (!failed) verified_ = {layers, options_.verify};
        }
        // Also what was stopped is a table, which says how far it is verified.
        if (auto broken = part.finish(layers, verified_)) {
            part.give_back_room();
            return *broken;
        }
        if (failed) return *failed;
        return Tablebase::open(options_.path);
    }

    /// Verifies the layers as they stand in the file, before it gets its end mark and its name.
    Status verify_part(const std::string& path, int layers) const {
        auto file = TableFile::open(path, 0, true);
        if (!file) return file.error();
        if ((*file)->layer_count() != layers)
            return Error{ErrorKind::bad_file, path, path + ": it does not hold what was written"};
        return verify(*TableData::make(rules_, layers - 1, std::make_unique<TableData>(std::move(*file))));
    }

    Status fill(PartFile& part) {
        Progress progress(options_.task, options_.seeds);
        Builder builder(rules_, options_.seeds, options_.threads, &options_.task);
        if (!builder.ok()) return no_memory();
        if (auto failed = part.start(rules_)) return failed;
        for (const std::string& path : {target_, part.part()}) {
            if (!file_exists(path)) continue;
            if (auto failed = take_layers(path, part, builder.pool())) return failed;
        }
        if (auto failed = part.begin_growing(static_cast<int>(layers_.size()))) return failed;
        while (static_cast<int>(layers_.size()) <= options_.seeds) {
            const int n = static_cast<int>(layers_.size());
            auto layer = builder.solve(n, layers_, progress);
            if (!layer) return layer.error();
            const auto section = pack_layer(n, *layer, packing_of(options_.packing, n), builder.pool());
            if (builder.pool().stopped()) return build_stopped();
            if (auto failed = part.append(section)) return failed;
            if (auto failed = part.sync()) return failed;
            layers_.push_back(std::move(*layer));
        }
        return std::nullopt;
    }

    Rules rules_;
    BuildOptions options_;
    std::string target_;  ///< the file itself, where the path is a link
    std::vector<Layer> layers_;
    Verified verified_;  ///< of the layers taken from a file
};

}  // namespace
}  // namespace wari::detail

namespace wari {

Expected<TablebasePtr> Tablebase::build(const Rules& rules, const BuildOptions& options) {
    if (options.seeds < 0 || options.seeds > kMaxTableSeeds) {
        return Error{ErrorKind::bad_value, "seeds",
                     "seeds: expected 0 to " + std::to_string(kMaxTableSeeds) + ", not " +
                         std::to_string(options.seeds)};
    }
    if (auto failed = detail::check_threads(options.threads)) return *failed;
    const TableKind kind = kind_of(rules);
    if (options.kind.has_value() && *options.kind != kind) {
        return Error{
            ErrorKind::bad_value, "kind",
            "kind: rules with repetition=" + std::string(kind == TableKind::value ? "split" : "owner") +
                " need a " + std::string(to_text(kind)) + " table"};
    }
    return detail::Build(rules, options).run();
}

Expected<TablebasePtr> Tablebase::open(const std::string& path, const OpenOptions& options) {
    auto file = detail::TableFile::open(path, options.cache_bytes);
    if (!file) return file.error();
    const Rules rules = (*file)->rules();
    const int seeds = (*file)->layer_count() - 1;
    return detail::TableData::make(rules, seeds, std::make_unique<detail::TableData>(std::move(*file)));
}

Status Tablebase::save(const std::string& path, TablePacking packing, int threads, const Task<>& task) const {
    if (auto failed = detail::check_threads(threads)) return failed;
    const std::uint64_t needed =
        detail::saving_bytes(kind_, seeds_, packing, threads, data_->file != nullptr);
    if (auto failed = detail::check_memory(needed, 0)) return failed;
    const auto target = detail::behind_links(path);
    if (!target) return target.error();
    if (auto failed = detail::check_is_file(*target)) return failed;
    const auto lock = detail::lock_table(*target, false, task);
    if (!lock) return lock.error();
    detail::WorkerPool pool(threads);
    pool.watch(&task);
    detail::PartFile part(*target);
    if (auto failed = part.start(rules_)) return failed;
    for (int n = 0; n <= seeds_; ++n) {
        std::vector<std::uint8_t> section;
        if (data_->file == nullptr) {
            section = detail::pack_layer(n, data_->layers[static_cast<std::size_t>(n)],
                                         detail::packing_of(packing, n), pool);
        } else {
            const auto layer = data_->file->load(n, pool);
            if (pool.stopped()) return detail::stopped("save");
            if (!layer) return layer.error();
            section = detail::pack_layer(n, *layer, detail::packing_of(packing, n), pool);
        }
        if (pool.stopped()) return detail::stopped("save");
        if (auto failed = part.append(section)) return failed;
    }
    return part.finish(seeds_ + 1, data_->verified);
}

}  // namespace wari
