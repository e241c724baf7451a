// Reading of table files. Nothing in a file is believed before its checksum is found right, and every
// offset is compared with the size of what it points into.
#include "table_file.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "crc32c.hpp"
#include "table_format.hpp"

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

}  // namespace

Error TableFile::damaged(const std::string& what) const {
    return {ErrorKind::bad_file, path_, path_ + ": " + what};
}

std::string TableFile::name_of(int n, int plane, std::uint32_t block) const {
    return "block " + std::to_string(block) + " of plane " + std::to_string(plane) + ", layer " +
           std::to_string(n) + " seeds";
}

Expected<std::unique_ptr<TableFile>> TableFile::open(const std::string& path, std::uint64_t cache_bytes,
                                                     bool tolerant) {
    auto mapped = MappedFile::open(path);
    if (!mapped) return mapped.error();
    std::unique_ptr<TableFile> file(new TableFile);
    file->path_ = path;
    file->file_ = std::move(*mapped);
    file->cache_bytes_ = cache_bytes;
    if (auto failed = file->read_all(tolerant)) return *failed;
    return file;
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
    const auto bytes = file_.bytes();
    if (!starts_with(bytes, kFileMagic)) return damaged("not a wari tablebase");
    if (bytes.size() < kHeaderBytes) return damaged("the header breaks off");
    const auto header = bytes.first(kHeaderBytes);
    if (!sum_is_right(header, kAtHeaderSum)) return damaged("the header is damaged");
    if (get_number(header, kAtVersion, 2) != kFormatVersion) {
        return damaged("format version " + std::to_string(get_number(header, kAtVersion, 2)) +
                       " is not known; this program reads version " + std::to_string(kFormatVersion));
    }
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
    std::size_t at = kHeaderBytes;
    while (true) {
        const auto rest = bytes.subspan(at);
        if (starts_with(rest, kEndMagic) && rest.size() >= kEndBytes) {
            const auto end = rest.first(kEndBytes);
            const auto proved = static_cast<int>(std::min<std::uint64_t>(
                get_number(end, kAtProved, 4), static_cast<std::uint64_t>(layer_count())));
            const auto expected_end = file_end(layer_count(), proved, bytes.size());
            const bool right = std::equal(expected_end.begin(), expected_end.end(), rest.begin(), rest.end());
            if (right) proved_ = proved;
            if (right) break;
            if (!tolerant) return damaged("the end mark is damaged, or bytes follow it");
            return std::nullopt;
        }
        const auto read = read_layer(at);
        if (!read) {
            if (tolerant) return std::nullopt;
            return read.error();
        }
        at = *read;
    }
    if (layers_.empty()) return damaged("no layers");
    return std::nullopt;
}

// Reads the layer at `at` and returns where the next one starts.
Expected<std::size_t> TableFile::read_layer(std::size_t at) {
    const int n = layer_count();
    const std::string name = "layer " + std::to_string(n) + " seeds";
    const auto rest = file_.bytes().subspan(at);
    if (rest.size() < kLayerHeaderBytes) return damaged("the file breaks off before " + name);
    const auto header = rest.first(kLayerHeaderBytes);
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
    if (size > rest.size()) return damaged("the file breaks off within " + name);
    std::uint64_t front = 0;
    std::uint64_t data = 0;
    for (int plane = 0; plane < planes; ++plane) {
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * static_cast<std::size_t>(plane);
        if (get_number(header, sizes + 4, 4) != layer.grid.count())
            return damaged("wrong block count in " + name);
        front += get_number(header, sizes, 4) + std::uint64_t{layer.grid.count()} * kDirectoryEntryBytes;
        const std::uint64_t bytes = get_number(header, sizes + 8, 8);
        data += std::min<std::uint64_t>(bytes, rest.size());  // never beyond 64 bits
        if (bytes > rest.size()) return damaged("the sizes of " + name + " cannot be");
    }
    if (kLayerHeaderBytes + front + data != size) return damaged("the sizes of " + name + " do not add up");
    layer.section = rest.first(size);
    const auto front_bytes = layer.section.subspan(kLayerHeaderBytes, front);
    if (crc32c(front_bytes) != get_number(header, kAtFrontSum, 4)) {
        return damaged("the models or the block directory of " + name + " are damaged");
    }
    std::size_t front_at = 0;
    std::size_t data_at = kLayerHeaderBytes + front;
    for (int plane = 0; plane < planes; ++plane) {
        FilePlane& into = layer.planes[static_cast<std::size_t>(plane)];
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * static_cast<std::size_t>(plane);
        const std::size_t model_bytes = get_number(header, sizes, 4);
        const std::size_t directory_bytes = std::size_t{layer.grid.count()} * kDirectoryEntryBytes;
        auto model = Model::read(front_bytes.subspan(front_at, model_bytes));
        if (!model) return damaged("the model of " + name + " cannot be read");
        if (!values_can_be(model->alphabet, n, plane, kind())) {
            return damaged("the model of " + name + " holds values that cannot be");
        }
        into.model = std::move(*model);
        into.directory = front_bytes.subspan(front_at + model_bytes, directory_bytes);
        into.data = layer.section.subspan(data_at, get_number(header, sizes + 8, 8));
        into.decoded = std::make_unique<std::atomic<std::uint8_t*>[]>(layer.grid.count());
        front_at += model_bytes + directory_bytes;
        data_at += into.data.size();
    }
    layers_.push_back(std::move(layer));
    return at + size;
}

bool TableFile::decode(int n, int plane_number, std::uint32_t block, std::uint8_t* boards) const {
    const FileLayer& layer = layers_[static_cast<std::size_t>(n)];
    const FilePlane& plane = layer.planes[static_cast<std::size_t>(plane_number)];
    const std::size_t entry = std::size_t{block} * kDirectoryEntryBytes;
    const std::uint64_t begin = block == 0 ? 0 : get_number(plane.directory, entry - kDirectoryEntryBytes, 4);
    const std::uint64_t end = get_number(plane.directory, entry, 4);
    if (begin > end || end > plane.data.size()) return false;
    const auto bytes = plane.data.subspan(begin, end - begin);
    if (crc32c(bytes) != get_number(plane.directory, entry + 4, 4)) return false;
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
    if (!decode(n, plane_number, place.block, fresh.data())) return std::nullopt;
    // Keep it if there is room. Two threads may decode the same block; the first to store it wins.
    if (cached_.load(std::memory_order_relaxed) + kBlockBoards <= cache_bytes_) {
        auto* copy = new (std::nothrow) std::uint8_t[kBlockBoards];
        if (copy != nullptr) {
            std::memcpy(copy, fresh.data(), kBlockBoards);
            std::uint8_t* none = nullptr;
            if (slot.compare_exchange_strong(none, copy, std::memory_order_acq_rel)) {
                cached_.fetch_add(kBlockBoards, std::memory_order_relaxed);
            } else {
                delete[] copy;
            }
        }
    }
    return fresh[place.at];
}

Status TableFile::check_block(int n, int plane, int own_seeds, std::uint32_t opp, std::uint32_t own) const {
    const std::uint32_t block = layer(n).grid.place(own_seeds, opp, own).block;
    std::array<std::uint8_t, kBlockBoards> boards;
    if (decode(n, plane, block, boards.data())) return std::nullopt;
    return damaged(name_of(n, plane, block) + " is damaged");
}

Expected<Layer> TableFile::load(int n, Crew& crew) const {
    constexpr std::uint32_t kBlocksAJob = 64;
    const FileLayer& from = layer(n);
    Layer into;
    const int planes = kind() == TableKind::force ? 2 : 1;
    std::atomic<std::uint64_t> bad{UINT64_MAX};
    for (int plane = 0; plane < planes; ++plane) {
        Bytes& bytes = plane == 0 ? into.mover : into.other;
        bytes = Bytes(boards_with(n));
        if (!bytes)
            return Error{ErrorKind::no_memory, "memory", "memory: the system refused a layer's bytes"};
        crew.run((from.grid.count() + kBlocksAJob - 1) / kBlocksAJob, [&](std::uint64_t job, int) {
            std::array<std::uint8_t, kBlockBoards> boards;
            const auto first = static_cast<std::uint32_t>(job) * kBlocksAJob;
            for (std::uint32_t block = first; block < std::min(from.grid.count(), first + kBlocksAJob);
                 ++block) {
                if (!decode(n, plane, block, boards.data())) {
                    bad.store(static_cast<std::uint64_t>(plane) << 32 | block, std::memory_order_relaxed);
                    return;
                }
                const BlockShape shape = from.grid.shape(block);
                const std::uint32_t width = rows_with(shape.own_seeds);
                std::uint8_t* to =
                    bytes.data() +
                    kBlocks.start[static_cast<std::size_t>(n)][static_cast<std::size_t>(shape.own_seeds)] +
                    std::uint64_t{shape.opp_first} * width + shape.own_first;
                for (std::uint32_t row = 0; row < shape.rows; ++row, to += width) {
                    std::memcpy(to, boards.data() + row * shape.columns, shape.columns);
                }
            }
        });
        const std::uint64_t found = bad.load();
        if (found != UINT64_MAX)
            return damaged(name_of(n, plane, static_cast<std::uint32_t>(found)) + " is damaged");
    }
    return into;
}

}  // namespace wari::detail
