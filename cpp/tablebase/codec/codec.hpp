// Packing of layers: a model of which byte follows which neighbours, and an entropy coder.
//
// A board's byte is predicted from its neighbours in the block: the left one (own rank - 1) and the upper one
// (opponent rank - 1), which are boards that differ in a seed or two. The dense setting adds what a glance
// at the two rows shows: about how much the mover can capture at once, how much the other side threatens,
// and whether the left and the upper board have the same of both. Each such context has its own
// frequencies, and rare contexts share those of a wider one. The coder is a range variant of asymmetric
// numeral systems (rANS): two 32-bit states, 16-bit words, 12-bit frequencies. A block is coded by itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "block_shape.hpp"
#include "board_classes.hpp"

namespace wari::detail {

enum class Packing : std::uint8_t { fast, dense };

inline constexpr int kMaxSymbols = 2 * kMaxTableSeeds + 1;
inline constexpr std::uint32_t kModelBits = 12;
inline constexpr std::uint32_t kModelTotal = 1U << kModelBits;

/// The bytes that occur in a layer, in ascending order: symbol k stands for bytes[k].
struct Alphabet {
    std::vector<std::uint8_t> bytes;
    std::array<std::uint8_t, 256> symbol{};

    int size() const noexcept { return static_cast<int>(bytes.size()); }
};

/// A symbol in a set of frequencies, as a decoder needs it: the slots from `start` on, `count` of them.
struct Share {
    std::uint16_t start = 0;  ///< kNoSymbol in the set of contexts that do not occur
    std::uint16_t count = 0;
    std::uint16_t upper = 0;  ///< what it adds to the context of the board below: (symbol + 1) * classes
    std::uint8_t byte = 0;
};
inline constexpr std::uint16_t kNoSymbol = 1U << 15;

/// Where a symbol lies in a set, as an encoder needs it.
struct Slots {
    std::uint16_t start = 0;
    std::uint16_t count = 0;  ///< 0 where the set does not have it
};

/// Which frequencies each context uses. A context is (left, upper, class): a pair of neighbours, each a
/// symbol + 1 or 0 at the block's edge, and in the dense setting a class of board_classes.hpp.
class Model {
 public:
    static std::uint32_t classes(Packing packing) noexcept {
        return packing == Packing::dense ? kGainClasses * kSubclasses : 1;
    }
    static constexpr std::uint32_t kBucketBits = 6;  ///< a bucket is 64 slots: most lie in one symbol
    static constexpr std::uint32_t kBuckets = kModelTotal >> kBucketBits;
    static constexpr std::uint32_t kMostSets = 0xFFFF;

    Packing packing = Packing::fast;
    Alphabet alphabet;
    std::vector<std::uint16_t> of_context;  ///< [(left * (size + 1) + upper) * classes + class]: set
    std::vector<Share> buckets;             ///< [set * kBuckets + slot / 64]: who owns its first slot
    std::vector<Share> shares;              ///< of all sets, each by falling count, then symbol
    std::vector<std::uint32_t> first;       ///< [set] in shares

    class Counter;

    /// Reads what Counter::write() wrote, checking everything: nothing when the bytes make no model.
    static std::optional<Model> read(std::span<const std::uint8_t> bytes);

    /// [set * size + symbol]
    std::vector<Slots> for_encoder() const;

    std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(first.size()); }
    /// Adds frequencies by symbol that sum to kModelTotal; returns their number. Set 0 is there already.
    std::uint16_t add_set(std::span<const std::uint16_t> counts);

 private:
    void begin();
};

/// How often each symbol follows each context in a layer.
class Model::Counter {
 public:
    Counter(Packing packing, const Alphabet& alphabet);

    void add(std::uint32_t context, std::uint8_t symbol) noexcept {
        ++counts_[context * static_cast<std::size_t>(alphabet_.size()) + symbol];
    }
    void merge(const Counter& other);
    /// The model as bytes: frequencies of its own for each context that saves more by them than they cost,
    /// shared ones for the others.
    std::vector<std::uint8_t> write() const;

    Packing packing() const noexcept { return packing_; }
    const Alphabet& alphabet() const noexcept { return alphabet_; }

 private:
    Packing packing_;
    Alphabet alphabet_;
    std::vector<std::uint32_t> counts_;  ///< [context * size + symbol]
};

/// No packed block has more bytes: two states, and a word for each board.
inline constexpr std::size_t kMostBlockBytes = 2 * 4 + 2 * std::size_t{kBlockBoards};

/// Codes blocks of one layer: room for the classes, contexts and symbols of a block.
class BlockCoder {
 public:
    BlockCoder(int seeds, Packing packing) : seeds_(seeds), packing_(packing) {}

    /// Adds a block of bytes (row by row) to the counts.
    void count(const BlockShape& shape, const std::uint8_t* boards, Model::Counter& counter);
    /// Appends the coded block to `out`. `slots` is what the model's for_encoder() gave.
    void encode(const Model& model, const std::vector<Slots>& slots, const BlockShape& shape,
                const std::uint8_t* boards, std::vector<std::uint8_t>& out);
    /// Fills `boards`; false when the bytes are not what encode() makes.
    bool decode(const Model& model, const BlockShape& shape, std::span<const std::uint8_t> bytes,
                std::uint8_t* boards);

 private:
    void find_contexts(const Alphabet& alphabet, const BlockShape& shape, const std::uint8_t* boards);

    int seeds_;
    Packing packing_;
    std::array<std::uint16_t, kBlockBoards> class_{};  // stays 0 where the packing knows no classes
    std::array<std::uint32_t, kBlockBoards> context_;
    std::array<std::uint8_t, kBlockBoards> symbol_;
};

}  // namespace wari::detail
