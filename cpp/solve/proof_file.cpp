// Files of proofs: what the solver has found out, so that another process can go on from it.
//
// Numbers are little-endian:
//
//      0   8  magic: 0x89 "WARIPF" 0x0A            28   4  depth
//      8   4  version                              32   4  the move's letter, 0 for none
//     12   4  bytes of text                        36   4  bits of a rank
//     16   4  boards of history                    40   8  entries of the first table
//     20   4  lower bound, in seeds                48   8  entries of the second table
//     24   4  upper bound
//     56      text: the rules, a line feed, the position
//             history: each board its two rows, 16 bytes
//             entries: 52 bits of key, 36 bits of what transposition.hpp keeps; 11 bytes each
//             CRC-32C of all that stands before, 4 bytes
//
// A file says what its author says: bytes that a checksum fits are believed, as those of a table file are.
#include "proof_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "crc32c.hpp"
#include "file_io.hpp"
#include "little_endian.hpp"
#include "transposition.hpp"
#include "wari/limits.hpp"

namespace wari {
namespace {

using detail::get_number;
using detail::put_number;
using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'W', 'A', 'R', 'I', 'P', 'F', 0x0A};
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 56;
constexpr std::size_t kBoardBytes = 16;
constexpr std::size_t kEntryBytes = 11;
constexpr std::size_t kSumBytes = 4;
constexpr std::size_t kMaxText = 1024;
constexpr std::size_t kMaxHistory = 1U << 20;
constexpr int kKeyBits = 52;
static_assert(kKeyBits >= kRankBits && 8 * kEntryBytes >= kKeyBits + kNarrowDataBits);

Error bad_file(const std::string& path, const std::string& what) {
    return {ErrorKind::bad_file, path, path + ": " + what};
}

bool begins_right(Bytes bytes) {
    return bytes.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), bytes.begin());
}

/// Grows as it is written; the checksum at the end is that of the whole.
class Writer {
 public:
    explicit Writer(std::size_t bytes) : bytes_(kMagic.begin(), kMagic.end()) { bytes_.reserve(bytes); }
    void number(int size, std::uint64_t value) {
        bytes_.resize(bytes_.size() + static_cast<std::size_t>(size));
        put_number(bytes_, bytes_.size() - static_cast<std::size_t>(size), size, value);
    }
    void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
    Bytes finished() {
        number(kSumBytes, detail::crc32c(bytes_));
        return bytes_;
    }

 private:
    std::vector<std::uint8_t> bytes_;
};

/// What stands in the header, its counts not yet compared with the file.
struct Header {
    std::size_t text = 0;
    std::size_t history = 0;
    int rank_bits = 0;
    std::array<std::uint64_t, 2> entries{};
    Solution solution;
    std::uint64_t letter = 0;

    explicit Header(Bytes bytes) {
        const auto whole = [&](std::size_t at) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(get_number(bytes, at, 4)));
        };
        text = get_number(bytes, 12, 4);
        history = get_number(bytes, 16, 4);
        solution.lower = whole(20);
        solution.upper = whole(24);
        solution.depth = whole(28);
        letter = get_number(bytes, 32, 4);
        rank_bits = whole(36);
        entries = {get_number(bytes, 40, 8), get_number(bytes, 48, 8)};
    }

    /// The file's size by the counts, or nothing when they cannot be.
    std::optional<std::size_t> file_bytes() const {
        constexpr std::uint64_t kMost = std::numeric_limits<std::size_t>::max() / 4 / kEntryBytes;
        if (text > kMaxText || history > kMaxHistory || entries[0] > kMost || entries[1] > kMost) return {};
        return kHeaderBytes + text + history * kBoardBytes + (entries[0] + entries[1]) * kEntryBytes +
               kSumBytes;
    }
};

Expected<Position> position_in(std::string_view text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return Error{ErrorKind::bad_file, "text", "text: no position"};
    const auto rules = parse_rules(text.substr(0, end));
    if (!rules) return rules.error();
    return Position::parse(text.substr(end + 1), *rules);
}

/// A header whose numbers can be true of the position.
bool possible(const Header& header, const Position& position) {
    const Solution& s = header.solution;
    const bool wide = board_seeds(position.board()) > kNarrowSeeds;
    Rules rules = position.rules();
    rules.majority = false;  // it stops play, but its margin is proved all the same
    const Position playing = Position::from_board(position.board(), position.side_to_move(), rules);
    const bool move = header.letter == 0 ||
                      (header.letter < 128 && playing.is_legal(Move{static_cast<char>(header.letter)}));
    return move && s.lower <= s.upper && s.lower >= -kMaxSeeds && s.upper <= kMaxSeeds && s.depth >= 0 &&
           s.depth <= kMaxSearchDepth && header.rank_bits == (wide ? kRankBits : kNarrowRankBits);
}

/// An entry of a file: its key in `key`, what is kept of it in `data`.
struct KeptEntry {
    std::uint64_t key;
    std::uint64_t data;

    KeptEntry(Bytes bytes, std::size_t at, int rank_bits) {
        const std::uint64_t low = get_number(bytes, at, 8);
        const std::uint64_t high = get_number(bytes, at + 8, kEntryBytes - 8);
        key = low & ((std::uint64_t{1} << rank_bits) - 1);
        data = low >> kKeyBits | high << (64 - kKeyBits);
    }
};

/// Binary digits of the number of buckets that a table needs to hold all of those entries; more than
/// rank_bits where none could. They stand in the order of the buckets that they come from, so that any
/// kBucketEntries + 1 that must not share a bucket have their first and last one as far apart as that.
int bucket_bits_needed(Bytes bytes, std::size_t at, std::uint64_t entries, int rank_bits) {
    std::array<std::uint64_t, kBucketEntries> before{};
    int bits = 0;
    for (std::uint64_t i = 0; i < entries; ++i, at += kEntryBytes) {
        const std::uint64_t key = KeptEntry(bytes, at, rank_bits).key;
        std::uint64_t& oldest = before[i % kBucketEntries];
        if (i >= kBucketEntries)
            bits = std::max(bits, rank_bits + 1 - static_cast<int>(std::bit_width(oldest ^ key)));
        oldest = key;
    }
    return bits;
}

/// Nothing of a proof is to be lost: an error where the tables are too small for what the file holds.
Status check_room(const std::string& path, Bytes bytes, const Header& header, const TableView& table) {
    std::size_t at = kHeaderBytes + header.text + header.history * kBoardBytes;
    int bits = 0;
    for (const std::uint64_t entries : header.entries) {
        bits = std::max(bits, bucket_bits_needed(bytes, at, entries, header.rank_bits));
        at += entries * kEntryBytes;
    }
    if (bits <= table.rank_bits - table.rest_bits) return std::nullopt;
    constexpr std::size_t kBucketBytes = kBucketEntries * sizeof(std::uint64_t);
    const std::uint64_t each = std::max<std::uint64_t>(1, kBucketBytes << bits >> 20);
    if (bits > header.rank_bits || 2 * each > kMaxHashMebibytes) {
        return bad_file(path, "its entries cannot be of one proof");
    }
    return Error{ErrorKind::no_memory, "hash_mb",
                 "hash_mb: " + path + " holds what takes " + std::to_string(2 * each) + " MiB"};
}

/// `path` is the file itself, not a link to it.
Status write_whole(const std::string& path, Bytes bytes) {
    const auto lock = detail::FileLock::take(path + ".lock", "writing this proof", false, {});
    if (!lock) return lock.error();
    auto file = detail::NewFile::create(path + ".new", path);
    if (!file) return file.error();
    if (auto failed = file->append(bytes)) return failed;
    if (auto failed = file->sync()) return failed;
    return file->take_place(path);
}

/// An error where there is a file that is no proof.
Status check_holds_a_proof(const std::string& path) {
    if (auto failed = detail::check_is_file(path)) return failed;
    if (!detail::file_exists(path)) return std::nullopt;
    const auto there = detail::InputFile::open(path);
    if (!there) return there.error();
    std::array<std::uint8_t, kMagic.size()> magic{};
    if (there->size() < magic.size()) return bad_file(path, "not a proof of wari, so not written over");
    if (auto failed = there->try_read(0, magic)) return failed;
    if (!begins_right(magic)) return bad_file(path, "not a proof of wari, so not written over");
    return std::nullopt;
}

/// The whole of a file that begins as a proof and is as long as its header says, so that no more is read.
Expected<detail::Buffer> read_whole(const std::string& path) {
    const auto file = detail::InputFile::open(path);
    if (!file) return file.error();
    std::array<std::uint8_t, kHeaderBytes> room{};
    const auto begin =
        std::span<std::uint8_t>(room).first(std::min<std::uint64_t>(file->size(), kHeaderBytes));
    if (auto failed = file->try_read(0, begin)) return *failed;
    if (!begins_right(begin)) return bad_file(path, "not a proof of wari");
    if (file->size() < kHeaderBytes + kSumBytes) return bad_file(path, "cut off");
    const std::uint64_t version = get_number(begin, kMagic.size(), 4);
    if (version != kVersion) {
        return bad_file(path, "version " + std::to_string(version) + ", this program reads version " +
                                  std::to_string(kVersion));
    }
    if (Header(begin).file_bytes() != file->size()) return bad_file(path, "cut off, or longer than it says");
    auto bytes = detail::Buffer::of(file->size());
    if (!bytes) return Error{ErrorKind::no_memory, "memory", "memory: " + path + " does not fit"};
    if (auto failed = file->try_read(0, bytes.bytes())) return *failed;
    return bytes;
}

}  // namespace

Status save_proof(const ProofStore& proof, const std::string& path) {
    if (!proof.position.has_value() || !proof.tables[0]) {
        return Error{ErrorKind::bad_value, "proof", "proof: no position was solved by search yet"};
    }
    const auto target = detail::behind_links(path);
    if (!target) return target.error();
    if (auto failed = check_holds_a_proof(*target)) return failed;
    std::array<std::uint64_t, 2> entries{};
    for (std::size_t i = 0; i < 2; ++i) {
        proof.tables[i]->each([&](std::uint64_t, std::uint64_t) { ++entries[i]; });
    }
    const std::string text = to_text(proof.position->rules()) + '\n' + proof.position->text();
    const auto seeds = [](int value) { return static_cast<std::uint32_t>(value); };
    const Solution& solution = proof.solution;
    Writer writer(kHeaderBytes + text.size() + proof.history.size() * kBoardBytes +
                  (entries[0] + entries[1]) * kEntryBytes + kSumBytes);
    writer.number(4, kVersion);
    writer.number(4, text.size());
    writer.number(4, proof.history.size());
    writer.number(4, seeds(solution.lower));
    writer.number(4, seeds(solution.upper));
    writer.number(4, seeds(solution.depth));
    writer.number(4, solution.move.has_value() ? static_cast<std::uint8_t>(solution.move->letter) : 0);
    writer.number(4, seeds(proof.tables[0]->view().rank_bits));
    writer.number(8, entries[0]);
    writer.number(8, entries[1]);
    writer.text(text);
    for (const Board& board : proof.history) {
        writer.number(8, board.own);
        writer.number(8, board.opp);
    }
    for (const auto& table : proof.tables) {
        table->each([&](std::uint64_t key, std::uint64_t data) {
            writer.number(8, key | data << kKeyBits);
            writer.number(kEntryBytes - 8, data >> (64 - kKeyBits));
        });
    }
    return write_whole(*target, writer.finished());
}

Expected<Position> load_proof(ProofStore& proof, const std::string& path, int mebibytes) {
    const auto file = read_whole(path);
    if (!file) return file.error();
    const Bytes bytes = file->bytes();
    Header header(bytes);
    if (header.file_bytes() != bytes.size()) return bad_file(path, "changed while it was read");
    const Bytes summed = bytes.first(bytes.size() - kSumBytes);
    if (detail::crc32c(summed) != get_number(bytes, summed.size(), kSumBytes)) {
        return bad_file(path, "damaged: its checksum is wrong");
    }
    const auto text = bytes.subspan(kHeaderBytes, header.text);
    const auto position = position_in({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!position || !possible(header, *position)) return bad_file(path, "its header cannot be true");
    if (header.letter != 0) header.solution.move = Move{static_cast<char>(header.letter)};
    if (auto failed = proof.ready(*position, mebibytes)) return *failed;
    if (auto failed = check_room(path, bytes, header, proof.tables[0]->view())) return *failed;
    std::size_t at = kHeaderBytes + header.text;
    std::vector<Board> history;
    for (std::size_t i = 0; i < header.history; ++i, at += kBoardBytes) {
        history.push_back(Board{get_number(bytes, at, 8), get_number(bytes, at + 8, 8)});
    }
    for (std::size_t table = 0; table < 2; ++table) {
        for (std::uint64_t i = 0; i < header.entries[table]; ++i, at += kEntryBytes) {
            const KeptEntry entry(bytes, at, header.rank_bits);
            proof.tables[table]->put_back(entry.key, entry.data);
        }
    }
    proof.position = *position;
    proof.history = std::move(history);
    proof.solution = header.solution;
    return *position;
}

}  // namespace wari
