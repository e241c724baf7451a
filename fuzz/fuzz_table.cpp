// Table files: any bytes are opened as a table, with checksums as they are or made right, and asked about
// boards. The input: a byte of choices, then the file. Sound checksums let the bytes reach the decoder, as
// those of somebody who forges a file would.
#include <algorithm>
#include <vector>

#include "bytes.hpp"
#include "crc32c.hpp"
#include "file_format.hpp"
#include "folder.hpp"
#include "little_endian.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace {

using namespace wari;
using File = std::vector<std::uint8_t>;

constexpr int kBoardsALayer = 300;
constexpr std::size_t kMostBytes = 1 << 16;
constexpr int kMostProved = 6;  ///< seeds: larger layers take too long for so many inputs

void put_sum(std::span<std::uint8_t> bytes, std::size_t at) {
    detail::put_number(bytes, at, 4, detail::crc32c(bytes.first(at)));
}

/// Makes the checksums of a layer right as far as its own numbers lead, from the inside out.
/// Returns the layer's bytes; 0 where they lead nowhere.
std::size_t repair_layer(std::span<std::uint8_t> rest) {
    using namespace detail;
    if (rest.size() < kLayerHeaderBytes) return 0;
    const std::uint64_t section = get_number(rest, kAtSectionBytes, 8);
    const auto planes = std::min<std::uint64_t>(get_number(rest, kAtLayerPlanes, 2), 2);
    std::uint64_t front = 0;
    for (std::size_t plane = 0; plane < planes; ++plane) {
        const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * plane;
        front += get_number(rest, sizes, 4) + get_number(rest, sizes + 4, 4) * kDirectoryEntryBytes;
    }
    if (front <= rest.size() - kLayerHeaderBytes) {
        std::uint64_t directory = kLayerHeaderBytes;
        std::uint64_t data = kLayerHeaderBytes + front;
        for (std::size_t plane = 0; plane < planes; ++plane) {
            const std::size_t sizes = kAtPlaneSizes + kPlaneSizeBytes * plane;
            directory += get_number(rest, sizes, 4);
            const std::uint64_t blocks = get_number(rest, sizes + 4, 4);
            std::uint64_t begin = 0;
            for (std::uint64_t block = 0; block < blocks; ++block, directory += kDirectoryEntryBytes) {
                const std::uint64_t end = get_number(rest, directory, 4);
                if (begin <= end && data <= rest.size() && end <= rest.size() - data)
                    put_number(rest, directory + 4, 4, crc32c(rest.subspan(data + begin, end - begin)));
                begin = end;
            }
            data += get_number(rest, sizes + 8, 8);
        }
        put_number(rest, kAtFrontSum, 4, crc32c(rest.subspan(kLayerHeaderBytes, front)));
    }
    put_sum(rest, kAtLayerSum);
    return section <= rest.size() ? section : 0;
}

void repair(File& file) {
    using namespace detail;
    std::span<std::uint8_t> rest(file);
    if (rest.size() < kHeaderBytes) return;
    put_sum(rest, kAtHeaderSum);
    rest = rest.subspan(kHeaderBytes);
    while (rest.size() >= kEndBytes) {
        if (std::equal(kEndMagic.begin(), kEndMagic.end(), rest.begin())) {
            put_number(rest, kAtFileBytes, 8, file.size());
            put_sum(rest, kAtEndSum);
            return;
        }
        const std::size_t bytes = repair_layer(rest);
        if (bytes == 0) return;
        rest = rest.subspan(bytes);
    }
}

void check_probe(const Tablebase& table, const Board& board, int seeds) {
    const auto bounds = table.bounds(board);
    const auto probe = table.probe(board);
    if (bounds.has_value()) {
        LAW(bounds->lower >= -seeds && bounds->upper <= seeds);
    } else {
        LAW(!probe.has_value());
    }
    if (!probe.has_value()) {
        LAW(probe.error().kind == ErrorKind::bad_file);
        return;
    }
    LAW(probe->over || probe->bounds == *bounds);
    LAW(probe->bounds.lower <= probe->bounds.upper);
    LAW(probe->best_count >= 0 && probe->best_count <= kPitsPerRow && probe->distance >= 0);
    for (int i = 0; i < probe->best_count; ++i) {
        const ProbeMove& move = probe->best[static_cast<std::size_t>(i)];
        LAW(move.pit == kPassPit || (move.pit >= 0 && move.pit < kPitsPerRow));
        LAW(move.bounds.lower >= -seeds && move.bounds.upper <= seeds && move.distance >= 0);
    }
}

void check_many(const Tablebase& table, const Board& board) {
    std::array<std::uint8_t, kPitsInAll> pits;
    for (int pit = 0; pit < kPitsInAll; ++pit)
        pits[static_cast<std::size_t>(pit)] =
            static_cast<std::uint8_t>(seeds_in(pit < kPitsPerRow ? board.own : board.opp, pit % kPitsPerRow));
    std::array<std::int8_t, 1> lower{};
    std::array<std::int8_t, 1> upper{};
    LAW(!table.probe_many(pits, lower, upper, 1).has_value());
    const auto bounds = table.bounds(board);
    LAW(bounds.has_value() ? bounds->lower == lower[0] && bounds->upper == upper[0] : lower[0] > upper[0]);
}

void ask(const Tablebase& table, std::uint64_t stride) {
    for (int seeds = 0; seeds <= table.seeds(); ++seeds) {
        const std::uint64_t boards = boards_with(seeds);
        const std::uint64_t step = std::max<std::uint64_t>(1, boards / kBoardsALayer) + stride;
        for (std::uint64_t i = 0; i < boards; i += step)
            check_probe(table, board_from_index(seeds, i), seeds);
        check_many(table, board_from_index(seeds, boards - 1));
        if (seeds > kMostProved) continue;
        const auto counts = table.distribution(seeds);
        LAW(counts.has_value() || counts.error().kind == ErrorKind::bad_file);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    fuzz::Bytes input(data, std::min(size, kMostBytes));
    const int choices = input.byte();
    File file(input.rest().begin(), input.rest().end());
    if ((choices & 1) != 0) repair(file);
    const std::string path = folder.put("table.wtb", file);
    OpenOptions options;
    if ((choices & 2) != 0) options.cache_bytes = 0;
    const auto table = Tablebase::open(path, options);
    if (!table) {
        LAW(table.error().kind == ErrorKind::bad_file);
        LAW(table.error().message.find(path) != std::string::npos);
        return 0;
    }
    LAW((*table)->seeds() >= 0 && (*table)->seeds() <= kMaxTableSeeds);
    ask(**table, static_cast<std::uint64_t>(choices >> 2));
    if ((*table)->seeds() > kMostProved) return 0;
    const auto verified = (*table)->verify();
    LAW(!verified.has_value() || verified->kind == ErrorKind::bad_file);
    return 0;
}
