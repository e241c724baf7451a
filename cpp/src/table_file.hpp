// Table files: reading a mapped file block by block, and writing layers. docs/tablebase-format.md
// describes every byte. Owns the format; must not know how values arise or what probing makes of them.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file_io.hpp"
#include "table_codec.hpp"
#include "table_data.hpp"
#include "table_threads.hpp"

namespace wari::detail {

/// One byte of every board of a layer: the mover's, or in force tables also the other side's.
struct FilePlane {
    Model model;
    std::span<const std::uint8_t> directory;
    std::span<const std::uint8_t> data;
    std::unique_ptr<std::atomic<std::uint8_t*>[]> decoded;  ///< blocks kept in memory, null where not
};

struct FileLayer {
    BlockGrid grid{0};
    std::array<FilePlane, 2> planes;
    std::span<const std::uint8_t> section;  ///< all bytes of the layer
};

/// A file open for reading. Any number of threads may read at once, without locks.
class TableFile {
 public:
    /// With `tolerant`, takes the whole layers of a file that breaks off (an interrupted build).
    static Expected<std::unique_ptr<TableFile>> open(const std::string& path, std::uint64_t cache_bytes,
                                                     bool tolerant = false);
    ~TableFile();

    const std::string& path() const noexcept { return path_; }
    const Rules& rules() const noexcept { return rules_; }
    TableKind kind() const noexcept { return kind_of(rules_); }
    int layer_count() const noexcept { return static_cast<int>(layers_.size()); }
    /// How many layers, from the first on, have been proved, as the file says.
    int proved_count() const noexcept { return proved_; }
    std::uint64_t file_bytes() const noexcept { return file_.bytes().size(); }
    const FileLayer& layer(int n) const { return layers_[static_cast<std::size_t>(n)]; }

    /// The byte of a board, or nothing when its block is damaged.
    std::optional<std::uint8_t> byte(int n, int plane, int own_seeds, std::uint32_t opp,
                                     std::uint32_t own) const noexcept;

    /// Checks and decodes a whole layer into memory. Error: bad_file naming the block; no_memory.
    Expected<Layer> load(int n, Crew& crew) const;

    /// What is wrong with the block that holds a board: nothing, or bad_file naming file and block.
    Status check_block(int n, int plane, int own_seeds, std::uint32_t opp, std::uint32_t own) const;

 private:
    TableFile() = default;
    Status read_all(bool tolerant);
    Expected<std::size_t> read_layer(std::size_t at);
    Error damaged(const std::string& what) const;
    bool decode(int n, int plane, std::uint32_t block, std::uint8_t* boards) const;
    std::string name_of(int n, int plane, std::uint32_t block) const;

    std::string path_;
    MappedFile file_;
    Rules rules_;
    std::vector<FileLayer> layers_;
    int proved_ = 0;
    std::uint64_t cache_bytes_ = 0;
    mutable std::atomic<std::uint64_t> cached_{0};
};

std::vector<std::uint8_t> file_header(const Rules& rules);
/// The end mark; the first `proved` of the layers have been proved.
std::vector<std::uint8_t> file_end(int layers, int proved, std::uint64_t file_bytes);
/// A layer as it stands in a file.
std::vector<std::uint8_t> pack_layer(int n, const Layer& layer, Packing packing, Crew& crew);

}  // namespace wari::detail
