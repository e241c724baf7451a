// Reading of table files. Nothing in a file is believed before its checksum is found right, and every
// offset is compared with the size of what it points into.
#include "table_file.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "crc32c.hpp"
#include "file_format.hpp"
#include "little_endian.hpp"

namespace wari::detail {
namespace {

bool sum_is_right(std::span<const std::uint8_t> bytes, std::size_t at) {
    return crc32c(bytes.first(at)) == get_number(bytes, at, 4);
}

template <std::size_t N>
bool starts_with(std::span<const std::uint8_t> bytes, const std::array<std::uint8_t, N>& magic) {
    return bytes.size() >= N && std::equal(magic.begin(), magic.end(), bytes.begin());
}

/// Are all bytes of a plane values that boards of n seeds can have? All that reads entries counts on it.
bool values_can_be(const Alphabet& alphabet, int n, int plane, TableKind kind) {
    const int first = alphabet.bytes.front();
    const int last = alphabet.bytes.back();
    if (kind == TableKind::value)
        return value_of(alphabet.bytes.front()) <= n && value_of(alphabet.bytes.back()) >= -n;
    return plane == 0 ? first >= kForceZero - n : last <= n;
}

std::string layer_name(int n) { return "layer " + std::to_string(n) + " seeds"; }

}  // namespace

Error TableFile::damaged(const std::string& what) const {
    return {ErrorKind::bad_file, path_, path_ + ": " + what};
}

Error TableFile::wrong_version(std::span<const std::uint8_t> header) const {
    return damaged("format version " + std::to_string(get_number(header, kAtVersion, 2)) +
                   " is not known; this program reads version " + std::to_string(kFormatVersion));
}

Error TableFile::unreadable(const Error& why) const { return {ErrorKind::bad_file, path_, why.message}; }

std::string TableFile::name_of(int n, int plane, std::uint32_t block) const {
    return "block " + std::to_string(block) + " of plane " + std::to_string(plane) + ", " + layer_name(n);
}

Expected<std::unique_ptr<TableFile>> TableFile::open(const std::string& path, std::uint64_t cache_bytes,
                                                     bool tolerant) {
    auto opened = InputFile::open(path);
    if (!opened) return opened.error();
    std::unique_ptr<TableFile> file(new TableFile);
    file->path_ = path;
    file->file_ = std::move(*opened);
    file->cache_bytes_ = cache_bytes;
    if (auto failed = file->read_all(tolerant)) return *failed;
    return file;
}

Status TableFile::check_repairable(const std::string& path, const std::string& shown) {
    TableFile file;
    file.path_ = shown;
    auto opened = InputFile::open(path);
    if (!opened) return opened.error();
    std::array<std::uint8_t, kHeaderBytes> room;
    const auto header =
        std::span<std::uint8_t>(room).first(std::min<std::uint64_t>(opened->size(), kHeaderBytes));
    if (auto failed = opened->try_read(0, header)) return failed;
    if (!starts_with(header, kFileMagic)) return file.damaged("not a wari tablebase");
    const bool whole = header.size() == kHeaderBytes && sum_is_right(header, kAtHeaderSum);
    if (whole && get_number(header, kAtVersion, 2) != kFormatVersion) return file.wrong_version(header);
    return std::nullopt;
}

TableFile::~TableFile() {
    for (FileLayer& layer : layers_) {
        for (FilePlane& plane : layer.planes) {
            for (std::uint32_t i = 0; plane.decoded != nullptr && i < layer.grid.count(); ++i) {
                delete[] plane.decoded[i].load(std::memory_order_relaxed);
            }
        }
    }
}

Status TableFile::read_all(bool tolerant) {
    std::array<std::uint8_t, std::max(kHeaderBytes, kLayerHeaderBytes)> head;
    auto header = std::span<std::uint8_t>(head).first(std::min<std::uint64_t>(file_.size(), kHeaderBytes));
    if (auto failed = file_.try_read(0, header)) return failed;
    if (!starts_with(header, kFileMagic)) return damaged("not a wari tablebase");
    if (header.size() < kHeaderBytes) return damaged("the header breaks off");
    if (!sum_is_right(header, kAtHeaderSum)) return damaged("the header is damaged");
    if (get_number(header, kAtVersion, 2) != kFormatVersion) return wrong_version(header);
    const auto* axis = header.data() + kAtRules;
    rules_ = table_rules({});
    rules_.grand_slam = static_cast<GrandSlam>(axis[0]);
    rules_.feeding = static_cast<Feeding>(axis[1]);
    rules_.single_seeds = static_cast<SingleSeeds>(axis[2]);
    rules_.stuck = static_cast<Stuck>(axis[3]);
    rules_.ends_when_emptied = axis[4] != 0;
    rules_.remainder = static_cast<Remainder>(axis[5]);
    rules_.repetition = static_cast<Repetition>(axis[6]);
    const auto expected = file_header(rules_);
    if (axis[0] > 6 || axis[1] > 1 || axis[2] > 1 || axis[3] > 1 || axis[4] > 1 || axis[5] > 2 ||
        axis[6] > 1 || !std::equal(expected.begin(), expected.end(), header.begin())) {
        return damaged("the header holds values that this version does not know");
    }
    std::uint64_t at = kHeaderBytes;
    while (true) {
        const std::uint64_t rest = file_.size() - at;
        const auto next =
            std::span<std::uint8_t>(head).first(std::min<std::uint64_t>(rest, kLayerHeaderBytes));
        if (auto failed = file_.try_read(at, next)) return tolerant ? std::nullopt : failed;
        if (starts_with(std::span<const std::uint8_t>(next), kEndMagic) && rest >= kEndBytes) {
            const auto end = next.first(kEndBytes);
            Verified verified;
            verified.layers = static_cast<int>(std::min<std::uint64_t>(
                get_number(end, kAtVerified, 4), static_cast<std::uint64_t>(layer_count())));
            if (verified.layers != 0) {
                verified.level = end[kAtVerifyLevel] == 0 ? VerifyLevel::rebuilt : VerifyLevel::full;
            }
            const auto expected_end = file_end(layer_count(), verified, file_.size());
            const bool right =
                rest == kEndBytes && std::equal(expected_end.begin(), expected_end.end(), end.begin());
            if (right) verified_ = verified;
            if (right) break;
            if (!tolerant) return damaged("the end mark is damaged, or bytes follow it");
            return std::nullopt;
        }
        const auto read = read_layer(next, at);
        if (!read) {
            if (tolerant) return std::nullopt;
            return read.error();
        }
        at = *read;
    }
    if (layers_.empty()) return damaged("no layers");
    return std::nullopt;
}

// Takes the layer at `at`, which begins with `header`, and returns where the next one starts.
Expected<std::uint64_t> TableFile::read_layer(std::span<const std::uint8_t> header, std::uint64_t at) {
    const int n = layer_count();
    const std::string name = layer_name(n);
    const std::uint64_t rest = file_.size() - at;
    if (header.size() < kLayerHeaderBytes) return damaged("the file breaks off before " + name);
    if (!starts_with(header, kLayerMagic) || !sum_is_right(header, kAtLayerSum) || n > kMaxTableSeeds) {
        return damaged("the header of " + name + " is damaged");
    }
    FileLayer layer;
    layer.grid = BlockGrid(n);
    const int planes = kind() == TableKind::force ? 2 : 1;
    const std::uint64_t size = get_number(header, kAtSectionBytes, 8);
    if (get_number(header, kAtSeeds, 2) != static_cast<std::uint64_t>(n) ||
        get_number(header, kAtLayerPlanes, 2) != static_cast<std::uint64_t>(planes) ||
        get_number(header, kAtBoards, 8) != boards_with(n)) {
        return damaged("the header of " + name + " holds values that cannot be");
    }
    if (size > rest) return damaged("the file breaks off within " + name);
    std::uint64_t front = 0;
    std::uint64_t data = 0;
    for (int plane = 0; plane < planes; ++plane) {
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * static_cast<std::size_t>(plane);
        if (get_number(header, sizes + 4, 4) != layer.grid.count())
            return damaged("wrong block count in " + name);
        front += get_number(header, sizes, 4) + std::uint64_t{layer.grid.count()} * kDirectoryEntryBytes;
        const std::uint64_t bytes = get_number(header, sizes + 8, 8);
        data += std::min(bytes, rest);  // never beyond 64 bits
        if (bytes > rest) return damaged("the sizes of " + name + " cannot be");
    }
    if (kLayerHeaderBytes + front + data != size) return damaged("the sizes of " + name + " do not add up");
    layer.section_at = at;
    layer.section_bytes = size;
    layer.front = Buffer::of(front);
    if (!layer.front)
        return Error{ErrorKind::no_memory, "memory", "memory: the system refused a table's index"};
    if (auto failed = file_.try_read(at + kLayerHeaderBytes, layer.front.bytes())) return *failed;
    if (crc32c(layer.front.bytes()) != get_number(header, kAtFrontSum, 4)) {
        return damaged("the models or the block directory of " + name + " are damaged");
    }
    if (auto failed = take_planes(layer, header)) return *failed;
    layers_.push_back(std::move(layer));
    return at + size;
}

// The models and directories in the front of a layer, whose sizes add up.
Status TableFile::take_planes(FileLayer& layer, std::span<const std::uint8_t> header) const {
    const int n = layer_count();
    const std::span<const std::uint8_t> front = std::as_const(layer.front).bytes();
    std::size_t front_at = 0;
    std::uint64_t data_at = layer.section_at + kLayerHeaderBytes + front.size();
    for (int plane = 0; plane < (kind() == TableKind::force ? 2 : 1); ++plane) {
        FilePlane& into = layer.planes[static_cast<std::size_t>(plane)];
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * static_cast<std::size_t>(plane);
        const std::size_t model_bytes = get_number(header, sizes, 4);
        const std::size_t directory_bytes = std::size_t{layer.grid.count()} * kDirectoryEntryBytes;
        auto model = Model::read(front.subspan(front_at, model_bytes));
        if (!model) return damaged("the model of " + layer_name(n) + " cannot be read");
        if (!values_can_be(model->alphabet, n, plane, kind())) {
            return damaged("the model of " + layer_name(n) + " holds values that cannot be");
        }
        into.model = std::move(*model);
        into.directory = front.subspan(front_at + model_bytes, directory_bytes);
        into.data_at = data_at;
        into.data_bytes = get_number(header, sizes + 8, 8);
        into.decoded = std::make_unique<std::atomic<std::uint8_t*>[]>(layer.grid.count());
        front_at += model_bytes + directory_bytes;
        data_at += into.data_bytes;
    }
    return std::nullopt;
}

std::optional<BlockRange> TableFile::range_of(const FilePlane& plane, std::uint32_t block) noexcept {
    const std::size_t entry = std::size_t{block} * kDirectoryEntryBytes;
    BlockRange range;
    range.begin = block == 0 ? 0 : get_number(plane.directory, entry - kDirectoryEntryBytes, 4);
    const std::uint64_t end = get_number(plane.directory, entry, 4);
    range.sum = static_cast<std::uint32_t>(get_number(plane.directory, entry + 4, 4));
    if (range.begin > end || end > plane.data_bytes || end - range.begin > kMostBlockBytes)
        return std::nullopt;
    range.size = static_cast<std::size_t>(end - range.begin);
    return range;
}

bool TableFile::read_block(int n, int plane_number, std::uint32_t block,
                           std::uint8_t* boards) const noexcept {
    const FileLayer& layer = layers_[static_cast<std::size_t>(n)];
    const FilePlane& plane = layer.planes[static_cast<std::size_t>(plane_number)];
    const auto range = range_of(plane, block);
    if (!range) return false;
    std::array<std::uint8_t, kMostBlockBytes> room;
    const auto bytes = std::span<std::uint8_t>(room).first(range->size);
    if (!file_.read(plane.data_at + range->begin, bytes) || crc32c(bytes) != range->sum) return false;
    BlockCoder coder(n, plane.model.packing);
    return coder.decode(plane.model, layer.grid.shape(block), bytes, boards);
}

std::optional<std::uint8_t> TableFile::byte(int n, int plane_number, int own_seeds, std::uint32_t opp,
                                            std::uint32_t own) const noexcept {
    const FileLayer& layer = layers_[static_cast<std::size_t>(n)];
    const FilePlane& plane = layer.planes[static_cast<std::size_t>(plane_number)];
    const BlockPlace place = layer.grid.place(own_seeds, opp, own);
    std::atomic<std::uint8_t*>& slot = plane.decoded[place.block];
    const std::uint8_t* boards = slot.load(std::memory_order_acquire);
    if (boards != nullptr) return boards[place.at];
    std::array<std::uint8_t, kBlockBoards> fresh;
    if (!read_block(n, plane_number, place.block, fresh.data())) return std::nullopt;
    keep(slot, fresh.data());
    return fresh[place.at];
}

// Two threads may decode the same block; the first to store it wins.
void TableFile::keep(std::atomic<std::uint8_t*>& slot, const std::uint8_t* boards) const noexcept {
    if (cached_.load(std::memory_order_relaxed) + kBlockBoards > cache_bytes_) return;
    auto* copy = new (std::nothrow) std::uint8_t[kBlockBoards];
    if (copy == nullptr) return;
    std::memcpy(copy, boards, kBlockBoards);
    std::uint8_t* none = nullptr;
    if (slot.compare_exchange_strong(none, copy, std::memory_order_acq_rel)) {
        cached_.fetch_add(kBlockBoards, std::memory_order_relaxed);
    } else {
        delete[] copy;
    }
}

std::optional<std::uint8_t> TableFile::kept_byte(int n, int plane_number, int own_seeds, std::uint32_t opp,
                                                 std::uint32_t own) const noexcept {
    const FileLayer& layer = layers_[static_cast<std::size_t>(n)];
    const FilePlane& plane = layer.planes[static_cast<std::size_t>(plane_number)];
    const BlockPlace place = layer.grid.place(own_seeds, opp, own);
    const std::uint8_t* boards = plane.decoded[place.block].load(std::memory_order_acquire);
    if (boards == nullptr) return std::nullopt;
    return boards[place.at];
}

void TableFile::unpack_ahead(const Task<>& task) const noexcept {
    const std::uint64_t planes = kind() == TableKind::force ? 2 : 1;
    std::uint64_t before = 0;  // blocks of the smaller layers
    for (int n = 0; n < layer_count(); ++n) {
        const FileLayer& here = layer(n);
        const std::uint64_t end = before + here.grid.count() * planes;
        while (ahead_.load(std::memory_order_relaxed) < end) {
            if (cached_.load(std::memory_order_relaxed) + kBlockBoards > cache_bytes_ || task.stopped())
                return;
            const std::uint64_t number = ahead_.fetch_add(1, std::memory_order_relaxed);
            if (number >= end) break;
            const auto plane = static_cast<int>((number - before) % planes);
            const auto block = static_cast<std::uint32_t>((number - before) / planes);
            auto& slot = here.planes[static_cast<std::size_t>(plane)].decoded[block];
            if (slot.load(std::memory_order_relaxed) != nullptr) continue;
            std::array<std::uint8_t, kBlockBoards> boards;
            if (read_block(n, plane, block, boards.data())) keep(slot, boards.data());
        }
        before = end;
    }
}

int TableFile::unpacked_seeds() const noexcept {
    const std::uint64_t planes = kind() == TableKind::force ? 2 : 1;
    const std::uint64_t done = ahead_.load(std::memory_order_relaxed);
    std::uint64_t blocks = 0;
    for (int n = 0; n < layer_count(); ++n) {
        blocks += layer(n).grid.count() * planes;
        if (blocks > done) return n - 1;
    }
    return layer_count() - 1;
}

Status TableFile::check_block(int n, int plane_number, int own_seeds, std::uint32_t opp,
                              std::uint32_t own) const {
    const std::uint32_t block = layer(n).grid.place(own_seeds, opp, own).block;
    std::array<std::uint8_t, kBlockBoards> boards;
    if (read_block(n, plane_number, block, boards.data())) return std::nullopt;
    return what_is_wrong(n, plane_number, block);
}

// Of a block that cannot be read: what the system says, or that it is damaged.
Error TableFile::what_is_wrong(int n, int plane_number, std::uint32_t block) const {
    const FilePlane& plane = layer(n).planes[static_cast<std::size_t>(plane_number)];
    std::array<std::uint8_t, kMostBlockBytes> room;
    if (const auto range = range_of(plane, block)) {
        const auto bytes = std::span<std::uint8_t>(room).first(range->size);
        if (const auto failed = file_.try_read(plane.data_at + range->begin, bytes))
            return unreadable(*failed);
    }
    return damaged(name_of(n, plane_number, block) + " is damaged");
}

// Reads the blocks of a plane, many at a time, and hands each to `use` with its bytes; where that returns
// false the block is damaged.
template <class Use>
Status TableFile::each_block(int n, int plane_number, WorkerPool& pool, Use&& use) const {
    constexpr std::uint32_t kBlocksAJob = 64;
    const FileLayer& from = layer(n);
    const FilePlane& plane = from.planes[static_cast<std::size_t>(plane_number)];
    std::atomic<std::uint64_t> bad{UINT64_MAX};
    pool.run((from.grid.count() + kBlocksAJob - 1) / kBlocksAJob, [&](std::uint64_t job, int) {
        const auto first = static_cast<std::uint32_t>(job) * kBlocksAJob;
        const std::uint32_t end = std::min(from.grid.count(), first + kBlocksAJob);
        const auto begins = range_of(plane, first);
        const auto ends = range_of(plane, end - 1);
        const std::uint64_t start = begins ? begins->begin : 0;
        std::vector<std::uint8_t> many;
        if (begins && ends && ends->begin >= start && ends->begin - start <= kBlocksAJob * kMostBlockBytes) {
            many.resize(static_cast<std::size_t>(ends->begin - start) + ends->size);
            if (!file_.read(plane.data_at + start, many)) many.clear();
        }
        std::array<std::uint8_t, kMostBlockBytes> room;
        for (std::uint32_t block = first; block < end; ++block) {
            const auto range = range_of(plane, block);
            bool good = range.has_value();
            std::span<const std::uint8_t> bytes;
            if (good && range->begin >= start && range->begin - start + range->size <= many.size()) {
                bytes = std::span<const std::uint8_t>(many).subspan(range->begin - start, range->size);
            } else if (good) {  // not all of them can be read: this one by itself
                const auto own = std::span<std::uint8_t>(room).first(range->size);
                good = file_.read(plane.data_at + range->begin, own);
                bytes = own;
            }
            if (good && crc32c(bytes) == range->sum && use(block, bytes)) continue;
            std::uint64_t before = bad.load(std::memory_order_relaxed);
            while (block < before && !bad.compare_exchange_weak(before, block)) {
            }
            return;
        }
    });
    const std::uint64_t found = bad.load();
    if (found == UINT64_MAX) return std::nullopt;
    return what_is_wrong(n, plane_number, static_cast<std::uint32_t>(found));
}

Status TableFile::check_blocks(WorkerPool& pool) const {
    for (int n = 0; n < layer_count(); ++n) {
        for (int plane = 0; plane < (kind() == TableKind::force ? 2 : 1); ++plane) {
            auto failed =
                each_block(n, plane, pool, [](std::uint32_t, std::span<const std::uint8_t>) { return true; });
            if (failed) return failed;
            if (pool.stopped()) return Error{ErrorKind::cancelled, "build", "build: stopped"};
        }
    }
    return std::nullopt;
}

Expected<Layer> TableFile::load(int n, WorkerPool& pool) const {
    const FileLayer& from = layer(n);
    Layer into;
    const int planes = kind() == TableKind::force ? 2 : 1;
    for (int plane = 0; plane < planes; ++plane) {
        Bytes& bytes = plane == 0 ? into.mover : into.other;
        bytes = Bytes(boards_with(n));
        if (!bytes)
            return Error{ErrorKind::no_memory, "memory", "memory: the system refused a layer's bytes"};
        const Model& model = from.planes[static_cast<std::size_t>(plane)].model;
        const auto failed =
            each_block(n, plane, pool, [&](std::uint32_t block, std::span<const std::uint8_t> packed) {
                std::array<std::uint8_t, kBlockBoards> boards;
                const BlockShape shape = from.grid.shape(block);
                BlockCoder coder(n, model.packing);
                if (!coder.decode(model, shape, packed, boards.data())) return false;
                const std::uint32_t width = rows_with(shape.own_seeds);
                std::uint8_t* to =
                    bytes.data() +
                    kBlocks.start[static_cast<std::size_t>(n)][static_cast<std::size_t>(shape.own_seeds)] +
                    std::uint64_t{shape.opp_first} * width + shape.own_first;
                for (std::uint32_t row = 0; row < shape.rows; ++row, to += width) {
                    std::memcpy(to, boards.data() + row * shape.columns, shape.columns);
                }
                return true;
            });
        if (failed) return *failed;
    }
    return into;
}

}  // namespace wari::detail
