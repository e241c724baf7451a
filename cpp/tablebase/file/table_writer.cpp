// Writing of table files: the header, packed layers, the end mark.
#include <algorithm>
#include <cstring>

#include "crc32c.hpp"
#include "file_format.hpp"
#include "little_endian.hpp"
#include "table_file.hpp"

namespace wari::detail {
namespace {

constexpr std::uint32_t kBlocksAJob = 256;

void seal(std::vector<std::uint8_t>& bytes, std::size_t at) {
    put_number(bytes, at, 4, crc32c(std::span<const std::uint8_t>(bytes).first(at)));
}

void append(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

struct PackedPlane {
    std::vector<std::uint8_t> model;
    std::vector<std::uint8_t> directory;
    std::vector<std::uint8_t> data;
};

struct PackedJob {
    std::vector<std::uint8_t> data;
    std::vector<std::uint32_t> sizes;
    std::vector<std::uint32_t> sums;
};

// Copies a block out of a layer, row by row.
void copy_block(int n, const BlockShape& shape, const Bytes& bytes, std::uint8_t* boards) {
    const std::uint32_t width = rows_with(shape.own_seeds);
    const std::uint8_t* from =
        bytes.data() + kBlocks.start[static_cast<std::size_t>(n)][static_cast<std::size_t>(shape.own_seeds)] +
        std::uint64_t{shape.opp_first} * width + shape.own_first;
    for (std::uint32_t row = 0; row < shape.rows; ++row, from += width) {
        std::memcpy(boards + row * shape.columns, from, shape.columns);
    }
}

Alphabet alphabet_of(const Bytes& bytes, WorkerPool& pool) {
    constexpr std::uint64_t kJob = 1U << 20;
    std::vector<std::array<bool, 256>> seen(static_cast<std::size_t>(pool.threads()));
    pool.run((bytes.size() + kJob - 1) / kJob, [&](std::uint64_t job, int worker) {
        auto& mine = seen[static_cast<std::size_t>(worker)];
        const std::uint8_t* const end =
            bytes.data() + std::min<std::uint64_t>(bytes.size(), (job + 1) * kJob);
        for (const std::uint8_t* at = bytes.data() + job * kJob; at != end; ++at) mine[*at] = true;
    });
    Alphabet alphabet;
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const bool occurs =
            std::any_of(seen.begin(), seen.end(), [byte](const auto& mine) { return mine[byte]; });
        if (!occurs) continue;
        alphabet.symbol[byte] = static_cast<std::uint8_t>(alphabet.bytes.size());
        alphabet.bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    return alphabet;
}

PackedPlane pack_plane(int n, const Bytes& bytes, Packing packing, WorkerPool& pool) {
    const BlockGrid grid(n);
    const std::uint32_t jobs = (grid.count() + kBlocksAJob - 1) / kBlocksAJob;
    const auto each_block = [&](std::uint64_t job, auto&& use) {
        std::array<std::uint8_t, kBlockBoards> boards;
        const auto first = static_cast<std::uint32_t>(job) * kBlocksAJob;
        for (std::uint32_t block = first; block < std::min(grid.count(), first + kBlocksAJob); ++block) {
            const BlockShape shape = grid.shape(block);
            copy_block(n, shape, bytes, boards.data());
            use(shape, boards.data());
        }
    };
    const Alphabet alphabet = alphabet_of(bytes, pool);
    std::vector<Model::Counter> counters;  // tens of megabytes each in dense layers
    counters.reserve(static_cast<std::size_t>(pool.threads()));
    for (int i = 0; i < pool.threads(); ++i) counters.emplace_back(packing, alphabet);
    pool.run(jobs, [&](std::uint64_t job, int worker) {
        BlockCoder coder(n, packing);
        each_block(job, [&](const BlockShape& shape, const std::uint8_t* boards) {
            coder.count(shape, boards, counters[static_cast<std::size_t>(worker)]);
        });
    });
    if (pool.stopped()) return {};
    for (std::size_t i = 1; i < counters.size(); ++i) counters[0].merge(counters[i]);
    PackedPlane packed;
    packed.model = counters[0].write();
    std::vector<Model::Counter>().swap(counters);
    const auto model = Model::read(packed.model);
    const std::vector<Slots> slots = model->for_encoder();
    std::vector<PackedJob> parts(jobs);
    pool.run(jobs, [&](std::uint64_t job, int) {
        BlockCoder coder(n, packing);
        PackedJob& part = parts[job];
        each_block(job, [&](const BlockShape& shape, const std::uint8_t* boards) {
            const std::size_t begin = part.data.size();
            coder.encode(*model, slots, shape, boards, part.data);
            const auto block = std::span<const std::uint8_t>(part.data).subspan(begin);
            part.sizes.push_back(static_cast<std::uint32_t>(block.size()));
            part.sums.push_back(crc32c(block));
        });
        part.data.shrink_to_fit();
    });
    if (pool.stopped()) return {};
    std::size_t data_bytes = 0;
    for (const PackedJob& part : parts) data_bytes += part.data.size();
    packed.data.reserve(data_bytes);
    packed.directory.resize(std::size_t{grid.count()} * kDirectoryEntryBytes);
    std::size_t entry = 0;
    std::uint64_t end = 0;
    for (PackedJob& part : parts) {
        for (std::size_t i = 0; i < part.sizes.size(); ++i, entry += kDirectoryEntryBytes) {
            end += part.sizes[i];
            put_number(packed.directory, entry, 4, end);
            put_number(packed.directory, entry + 4, 4, part.sums[i]);
        }
        append(packed.data, part.data);
        std::vector<std::uint8_t>().swap(part.data);
    }
    return packed;
}

}  // namespace

std::vector<std::uint8_t> file_header(const Rules& rules) {
    std::vector<std::uint8_t> header(kHeaderBytes, 0);
    std::copy(kFileMagic.begin(), kFileMagic.end(), header.begin());
    put_number(header, kAtVersion, 2, kFormatVersion);
    header[kAtKind] = static_cast<std::uint8_t>(kind_of(rules));
    header[kAtPlanes] = kind_of(rules) == TableKind::force ? 2 : 1;
    std::uint8_t* axis = header.data() + kAtRules;
    axis[0] = static_cast<std::uint8_t>(rules.grand_slam);
    axis[1] = static_cast<std::uint8_t>(rules.feeding);
    axis[2] = static_cast<std::uint8_t>(rules.single_seeds);
    axis[3] = static_cast<std::uint8_t>(rules.stuck);
    axis[4] = rules.ends_when_emptied ? 1 : 0;
    axis[5] = static_cast<std::uint8_t>(rules.remainder);
    axis[6] = static_cast<std::uint8_t>(rules.repetition);
    put_number(header, kAtBlockBoards, 2, kBlockBoards);
    put_number(header, kAtBlockColumns, 2, kBlockColumns);
    seal(header, kAtHeaderSum);
    return header;
}

std::vector<std::uint8_t> file_end(int layers, const Verified& verified, std::uint64_t file_bytes) {
    std::vector<std::uint8_t> end(kEndBytes, 0);
    std::copy(kEndMagic.begin(), kEndMagic.end(), end.begin());
    put_number(end, kAtLayers, 4, static_cast<std::uint64_t>(layers));
    put_number(end, kAtFileBytes, 8, file_bytes);
    put_number(end, kAtVerified, 4, static_cast<std::uint64_t>(verified.layers));
    // Counted from "rebuilt", which is what files say that know no levels.
    if (verified.layers != 0)
        end[kAtVerifyLevel] = static_cast<std::uint8_t>(static_cast<int>(verified.level) - 1);
    seal(end, kAtEndSum);
    return end;
}

std::vector<std::uint8_t> pack_layer(int n, const Layer& layer, Packing packing, WorkerPool& pool) {
    std::vector<PackedPlane> planes;
    planes.push_back(pack_plane(n, layer.mover, packing, pool));
    if (layer.other) planes.push_back(pack_plane(n, layer.other, packing, pool));
    std::vector<std::uint8_t> section(kLayerHeaderBytes, 0);
    std::copy(kLayerMagic.begin(), kLayerMagic.end(), section.begin());
    put_number(section, kAtSeeds, 2, static_cast<std::uint64_t>(n));
    put_number(section, kAtLayerPlanes, 2, planes.size());
    put_number(section, kAtBoards, 8, boards_with(n));
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * i;
        put_number(section, sizes, 4, planes[i].model.size());
        put_number(section, sizes + 4, 4, planes[i].directory.size() / kDirectoryEntryBytes);
        put_number(section, sizes + 8, 8, planes[i].data.size());
    }
    for (const PackedPlane& plane : planes) {
        append(section, plane.model);
        append(section, plane.directory);
    }
    const std::uint32_t front = crc32c(std::span<const std::uint8_t>(section).subspan(kLayerHeaderBytes));
    std::size_t data_bytes = 0;
    for (const PackedPlane& plane : planes) data_bytes += plane.data.size();
    section.reserve(section.size() + data_bytes);
    for (PackedPlane& plane : planes) {
        append(section, plane.data);
        std::vector<std::uint8_t>().swap(plane.data);
    }
    put_number(section, kAtSectionBytes, 8, section.size());
    put_number(section, kAtFrontSum, 4, front);
    put_number(section, kAtLayerSum, 4, crc32c(std::span<const std::uint8_t>(section).first(kAtLayerSum)));
    return section;
}

}  // namespace wari::detail
