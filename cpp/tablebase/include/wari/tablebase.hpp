// Endgame tablebases: what a board is worth with best play, for every board up to a number of seeds.
// Values count the seeds still on the board only, as if majority did
// not exist.
//
// Two kinds, because cycles differ. A `value` table (repetition "split") holds the net future seeds of
// the side to move, a cycle being worth 0. A `force` table (repetition "owner") holds g, the most seeds
// the side to move can be sure to collect, and h, the same for the other side, whatever a cycle is worth.
//
// Everything holds for a board with no quiet history: set up, or reached directly by a capture.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wari/board.hpp"
#include "wari/error.hpp"
#include "wari/export.hpp"
#include "wari/rules.hpp"
#include "wari/task.hpp"

namespace wari {

enum class TableKind : std::uint8_t { value, force };
WARI_API std::string_view to_text(TableKind kind);

/// The kind of table that answers under `rules`: it follows from the repetition axis.
constexpr TableKind kind_of(const Rules& rules) noexcept {
    return rules.repetition == Repetition::split ? TableKind::value : TableKind::force;
}

/// `rules` with the axes that no table depends on (majority, sowing, seeds_per_pit) set to one value.
constexpr Rules table_rules(Rules rules) noexcept {
    rules.majority = false;
    rules.sowing = Sowing::counterclockwise;
    rules.seeds_per_pit = 4;
    return rules;
}

/// Do the two rule sets share their tables?
constexpr bool same_tables(const Rules& a, const Rules& b) noexcept {
    return table_rules(a) == table_rules(b);
}

inline constexpr int kMaxTableSeeds = 32;  ///< boards of more seeds are beyond any machine of today

/// What is certain about the net future seeds of the side to move.
struct Bounds {
    int lower = 0;
    int upper = 0;

    constexpr bool exact() const noexcept { return lower == upper; }
    friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
};

/// One best move: its pit (kPassPit for a pass), what it keeps, and the plies, this one included, to the
/// next capture or end along a line that keeps it; 0 where it is not a step of such a line.
struct ProbeMove {
    int pit = 0;
    Bounds bounds;  ///< seen from the side that moves
    int distance = 0;
    /// What it keeps is sure whatever the reply, with the past that was given: a line to the next capture or
    /// end meets none of it. Not set: that is not known.
    bool sure = false;
};

enum class ProbeReason : std::uint8_t { exact, bounds, history_ignored };
WARI_API std::string_view to_text(ProbeReason reason);

struct Probe {
    Bounds bounds;
    int mover = 0;      ///< force tables: g, else the net value
    int other = 0;      ///< force tables: h, else minus the net value
    int distance = 0;   ///< plies to the next capture or end that the side with something to force can force
    bool over = false;  ///< the game is over on this board: no moves
    /// Was the distance looked for to the end? Not where ProbeOptions did not allow it.
    bool distance_known = true;
    /// No position of the past that was given had more to be sure of for the side that forces.
    bool past_no_better = true;
    ProbeReason reason = ProbeReason::exact;
    /// The moves that keep what the mover is sure of, in an order that makes progress: a player that
    /// always plays the first one collects it. A side that stands to lose has the longest delay first.
    std::array<ProbeMove, kPitsPerRow> best{};
    int best_count = 0;
};

/// What a probe regards besides the board, and how much it may do to find distances. Bounds cost next to
/// nothing; a distance may take a walk through many boards, or the layer solved once more.
struct ProbeOptions {
    int quiet_plies = 0;  ///< since the last capture: with any, the reason is history_ignored
    /// The positions since the last capture, oldest first, each from its own side to move, without the board.
    std::span<const Board> past;
    const Task<>* task = nullptr;  ///< asked every few boards; once it says stop the distance is left open
    /// A layer of more bytes than this is not solved for a distance; see `kept`.
    std::uint64_t most_solved = UINT64_MAX;
    bool kept = true;  ///< what an earlier probe has solved may be used, however large
};

struct BuildProgress {
    int layer = 0;                 ///< the layer in work
    int seeds = 0;                 ///< the last layer wanted
    std::uint64_t done = 0;        ///< boards finished, all layers
    std::uint64_t total = 0;       ///< boards in all layers
    double seconds = 0;            ///< since the start
    double boards_per_second = 0;  ///< so far
    double seconds_left = 0;       ///< estimate
    bool verifying = false;        ///< the layers are verified; the counts begin again
};

enum class TablePacking : std::uint8_t {
    automatic,  ///< dense up to kDenseSeeds, fast above
    fast,
    dense,
};
inline constexpr int kDenseSeeds = 14;
inline constexpr std::uint64_t kDefaultCacheBytes = std::uint64_t{256} << 20;

/// How a table was verified; each level does all that those before do. docs/tablebases.md says what follows.
enum class VerifyLevel : std::uint8_t {
    none,
    /// Every layer is solved again from nothing by the builder's method, and all entries are compared.
    /// Besides, entries are compared with those of their successors by the general rules: all of up to
    /// kFullCheckSeeds seeds, above every kPartOfLarge-th of a layer.
    rebuilt,
    full,  ///< all entries are compared with those of their successors
};
WARI_API std::string_view to_text(VerifyLevel level) noexcept;
inline constexpr int kFullCheckSeeds = 10;
inline constexpr int kPartOfLarge = 509;

struct BuildOptions {
    int seeds = 10;
    int threads = 1;
    std::optional<TableKind> kind;              ///< asking for one that does not fit the rules is an error
    std::uint64_t memory_limit = 0;             ///< bytes; 0 means what the machine has free
    VerifyLevel verify = VerifyLevel::rebuilt;  ///< afterwards, by Tablebase::verify
    /// Where the table is kept. Layers that the file has are taken from it; every finished layer survives
    /// an interruption; a stopped build leaves the finished layers as a smaller table. The file says which
    /// layers were verified, and how: a file that lacks nothing but what `verify` asks for is verified.
    std::string path;
    TablePacking packing = TablePacking::automatic;
    bool wait = true;  ///< for another process that builds the same file; else the error busy
    /// All blocks of a file that is there are read and their checksums compared. A damaged file is the error
    /// bad_file, and stays as it is; with `repair` it is built again from the damage on.
    bool repair = false;
    Task<BuildProgress> task;
};

struct OpenOptions {
    std::uint64_t cache_bytes = kDefaultCacheBytes;  ///< for blocks once decoded
};

struct VerifyOptions {
    VerifyLevel level = VerifyLevel::rebuilt;  ///< none is an error
    int threads = 1;
    std::uint64_t memory_limit = 0;
    Task<BuildProgress> task;
};

/// How many boards of a layer have an entry: (value, 0) in a value table, (g, h) in a force table.
struct EntryCount {
    int mover = 0;
    int other = 0;
    std::uint64_t boards = 0;
};

/// Bytes that a build needs at its peak, in memory and on disk: bounds from above. Memory is what the build
/// adds to the process, its verification and packing included where the options ask for them.
struct BuildNeeds {
    std::uint64_t memory = 0;
    std::uint64_t disk = 0;
    std::uint64_t boards = 0;
};

class Tablebase;
using TablebasePtr = std::shared_ptr<const Tablebase>;

namespace detail {
struct TableData;
struct Distances;
struct DistanceQuery;
struct TableMoves;
}  // namespace detail

/// Immutable after building or opening; every member may be called from many threads at once.
class WARI_API Tablebase {
 public:
    /// Builds all layers up to `options.seeds`, in memory or in a file.
    /// Errors: bad_value naming `seeds`, `threads` or `kind`; no_memory naming `memory` or `disk`;
    /// cancelled; busy; wrong_rules, bad_file and io naming the file.
    static Expected<TablebasePtr> build(const Rules& rules, const BuildOptions& options = {});

    /// Opens a table file; blocks are read when they are first asked for.
    /// Errors: io; bad_file naming file and place.
    static Expected<TablebasePtr> open(const std::string& path, const OpenOptions& options = {});

    ~Tablebase();
    Tablebase(const Tablebase&) = delete;
    Tablebase& operator=(const Tablebase&) = delete;

    int seeds() const noexcept { return seeds_; }
    TableKind kind() const noexcept { return kind_; }
    /// Rules that the table is for, a preset's if it is for one; compare with same_tables().
    const Rules& rules() const noexcept { return rules_; }

    /// Net future seeds of the side to move: exact in a value table, 2g - n to n - 2h in a force table.
    /// Nothing when the board holds more seeds than the table, or its block of the file is damaged
    /// (probe tells which). Stores are ignored. The hot path of the search.
    std::optional<Bounds> bounds(const Board& board) const noexcept;
    /// The same where it costs no reading: `cold` is set, and nothing returned, where a block of the file
    /// would have to be unpacked first. That takes as long as hundreds of answers.
    std::optional<Bounds> kept_bounds(const Board& board, bool& cold) const noexcept;
    /// Unpacks blocks of the file into the memory for them, smallest layers first, going on from where the
    /// last call ended, until `task` says so, all is unpacked or the memory is full. Any thread, at any time.
    void unpack_ahead(const Task<>& task) const;
    /// The seeds up to which every board's answer is unpacked: seeds() in memory, -1 where none is.
    int unpacked_seeds() const noexcept;

    /// Everything the table knows of a board. `quiet_plies` tells of plies since the last capture: with
    /// any, the reason is history_ignored. Errors: missing_table naming `board`; bad_file.
    Expected<Probe> probe(const Board& board, int quiet_plies = 0) const;
    Expected<Probe> probe(const Board& board, const ProbeOptions& options) const;

    /// bounds() of many boards: `pits` holds twelve counts a board, the mover's row first, in sowing order.
    /// Where the table knows nothing lower is above upper. Errors: bad_value naming `threads` or `boards`;
    /// cancelled.
    Status probe_many(std::span<const std::uint8_t> pits, std::span<std::int8_t> lower,
                      std::span<std::int8_t> upper, int threads = 1, const Task<>& task = {}) const;

    /// Verifies every layer, as VerifyLevel says. What the k-th round of solving finds is what can be forced
    /// within so many plies, so each decided entry has a finite forcing line. Errors: bad_value naming
    /// `level` or `threads`; bad_file naming layer and board of the first wrong entry; no_memory; cancelled.
    Status verify(const VerifyOptions& options = {}) const;

    /// The entries of a layer, sorted. Errors: missing_table; bad_file; no_memory; cancelled.
    Expected<std::vector<EntryCount>> distribution(int layer, int threads = 1, const Task<>& task = {}) const;

    /// Writes the table as a file, at once or not at all. Errors: io naming the file; busy while another
    /// process writes it; bad_file; no_memory; cancelled.
    Status save(const std::string& path, TablePacking packing = TablePacking::automatic, int threads = 1,
                const Task<>& task = {}) const;

    const std::string& path() const noexcept;   ///< the file it reads from, "" when in memory
    std::uint64_t file_bytes() const noexcept;  ///< of that file

    /// How every layer was verified by the build, or by the one that wrote the file; verify() changes
    /// nothing.
    VerifyLevel verified() const noexcept;

 private:
    friend struct detail::TableData;
    Tablebase(const Rules& rules, int seeds, std::unique_ptr<detail::TableData> data);

    Status find_distances(const detail::DistanceQuery& root, std::span<const detail::DistanceQuery> past,
                          const ProbeOptions& options, detail::Distances& found) const;
    Status find_best(const Board& board, const detail::TableMoves& moves, const detail::Distances& distances,
                     Probe& probe) const;

    Rules rules_;
    int seeds_ = 0;
    TableKind kind_ = TableKind::value;
    std::unique_ptr<detail::TableData> data_;
};

/// What a build with these options needs: of them seeds, threads, verify, packing and whether there is a path
/// count. Precondition: 0 <= options.seeds <= kMaxTableSeeds, options.threads >= 1.
WARI_API BuildNeeds build_needs(const Rules& rules, const BuildOptions& options);

}  // namespace wari
