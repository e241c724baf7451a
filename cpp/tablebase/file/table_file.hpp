// Table files: reading a file block by block, and writing layers. docs/tablebase-format.md
// describes every byte.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec.hpp"
#include "file_io.hpp"
#include "table_data.hpp"
#include "worker_pool.hpp"

namespace wari::detail {

/// One byte of every board of a layer: the mover's, or in force tables also the other side's.
struct FilePlane {
    Model model;
    std::span<const std::uint8_t> directory;
    std::uint64_t data_at = 0;  ///< where its blocks begin in the file
    std::uint64_t data_bytes = 0;
    std::unique_ptr<std::atomic<std::uint8_t*>[]> decoded;  ///< blocks kept in memory, null where not
};

struct FileLayer {
    BlockGrid grid{0};
    std::array<FilePlane, 2> planes;
    Buffer front;                  ///< the models and directories
    std::uint64_t section_at = 0;  ///< where the layer begins in the file
    std::uint64_t section_bytes = 0;
};

/// Where the bytes of a block lie among the data of its plane, and their checksum.
struct BlockRange {
    std::uint64_t begin = 0;
    std::size_t size = 0;
    std::uint32_t sum = 0;
};

/// A file open for reading. Any number of threads may read at once, without locks.
class TableFile {
 public:
    /// With `tolerant`, takes the whole layers of a file that breaks off (an interrupted build).
    static Expected<std::unique_ptr<TableFile>> open(const std::string& path, std::uint64_t cache_bytes,
                                                     bool tolerant = false);
    ~TableFile();
    /// Is a file that does not open a table all the same, of this version of the format, and damaged? Else
    /// what is wrong with that, naming `shown`.
    static Status check_repairable(const std::string& path, const std::string& shown);

    const std::string& path() const noexcept { return path_; }
    const Rules& rules() const noexcept { return rules_; }
    TableKind kind() const noexcept { return kind_of(rules_); }
    int layer_count() const noexcept { return static_cast<int>(layers_.size()); }
    /// What was verified, as the file says.
    const Verified& verified() const noexcept { return verified_; }
    std::uint64_t file_bytes() const noexcept { return file_.size(); }
    const FileLayer& layer(int n) const { return layers_[static_cast<std::size_t>(n)]; }

    /// The byte of a board, or nothing when its block is damaged.
    std::optional<std::uint8_t> byte(int n, int plane, int own_seeds, std::uint32_t opp,
                                     std::uint32_t own) const noexcept;

    /// The same where the block is in memory already, else nothing.
    std::optional<std::uint8_t> kept_byte(int n, int plane, int own_seeds, std::uint32_t opp,
                                          std::uint32_t own) const noexcept;
    /// See Tablebase::unpack_ahead.
    void unpack_ahead(const Task<>& task) const noexcept;
    int unpacked_seeds() const noexcept;

    /// Checks and decodes a whole layer into memory. Error: bad_file naming the block; no_memory.
    Expected<Layer> load(int n, WorkerPool& pool) const;

    /// Reads all blocks and compares their checksums. Errors: bad_file naming one; cancelled.
    Status check_blocks(WorkerPool& pool) const;

    /// Hands all bytes of a layer on, piece by piece. `take` returns a Status. Errors: its own; bad_file.
    template <class Take>
    Status copy_layer(int n, Take&& take) const {
        const FileLayer& from = layer(n);
        std::vector<std::uint8_t> piece(std::min<std::uint64_t>(from.section_bytes, kPieceBytes));
        for (std::uint64_t done = 0; done < from.section_bytes; done += piece.size()) {
            piece.resize(std::min<std::uint64_t>(piece.size(), from.section_bytes - done));
            if (const auto failed = file_.try_read(from.section_at + done, piece)) return unreadable(*failed);
            if (auto failed = take(std::span<const std::uint8_t>(piece))) return failed;
        }
        return std::nullopt;
    }

    /// What is wrong with the block that holds a board: nothing, or bad_file naming file and block.
    Status check_block(int n, int plane, int own_seeds, std::uint32_t opp, std::uint32_t own) const;

 private:
    TableFile() = default;
    static constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;

    Status read_all(bool tolerant);
    Expected<std::uint64_t> read_layer(std::span<const std::uint8_t> header, std::uint64_t at);
    Status take_planes(FileLayer& layer, std::span<const std::uint8_t> header) const;
    Error damaged(const std::string& what) const;
    Error wrong_version(std::span<const std::uint8_t> header) const;
    Error unreadable(const Error& why) const;
    Error what_is_wrong(int n, int plane, std::uint32_t block) const;
    static std::optional<BlockRange> range_of(const FilePlane& plane, std::uint32_t block) noexcept;
    bool read_block(int n, int plane, std::uint32_t block, std::uint8_t* boards) const noexcept;
    template <class Use>
    Status each_block(int n, int plane, WorkerPool& pool, Use&& use) const;
    /// Keeps a copy of the block if there is room.
    void keep(std::atomic<std::uint8_t*>& slot, const std::uint8_t* boards) const noexcept;
    std::string name_of(int n, int plane, std::uint32_t block) const;

    std::string path_;
    InputFile file_;
    Rules rules_;
    std::vector<FileLayer> layers_;
    Verified verified_;
    std::uint64_t cache_bytes_ = 0;
    mutable std::atomic<std::uint64_t> cached_{0};
    mutable std::atomic<std::uint64_t> ahead_{0};  ///< the next block to unpack ahead, counted from the first
};

std::vector<std::uint8_t> file_header(const Rules& rules);
/// The end mark.
std::vector<std::uint8_t> file_end(int layers, const Verified& verified, std::uint64_t file_bytes);
/// A layer as it stands in a file.
std::vector<std::uint8_t> pack_layer(int n, const Layer& layer, Packing packing, WorkerPool& pool);

}  // namespace wari::detail
