// Coding of blocks: contexts of a block's boards, and the rANS coder.
//
// Two lines of a block are coded at once, each with a state of its own, the lower one a column behind the
// upper: what one board waits for (its context, its slot, the symbol that owns it) is found while the other
// one waits. Nothing here may depend on the bytes being right: a block that is not what encode() makes
// gives false, whatever was read on the way.
#include "codec.hpp"

#include <algorithm>
#include <cstring>

namespace wari::detail {
namespace {

constexpr std::uint32_t kStates = 2;
constexpr std::uint32_t kLowest = 1U << 16;  // a state stays at or above this between symbols
constexpr std::size_t kStateBytes = 4;
constexpr std::size_t kWordBytes = 2;

/// Division by a count of 1 to 4096: multiplication by 2^44 / count, rounded up, is exact for all states
/// below count * 2^20, and does not overflow.
constexpr int kReciprocalBits = 44;
constexpr std::array<std::uint64_t, kModelTotal + 1> make_reciprocals() {
    std::array<std::uint64_t, kModelTotal + 1> reciprocals{};
    for (std::uint64_t count = 1; count <= kModelTotal; ++count)
        reciprocals[count] = ((std::uint64_t{1} << kReciprocalBits) + count - 1) / count;
    return reciprocals;
}
constexpr std::array<std::uint64_t, kModelTotal + 1> kReciprocals = make_reciprocals();

}  // namespace

void BlockCoder::find_contexts(const Alphabet& alphabet, const BlockShape& shape,
                               const std::uint8_t* boards) {
    if (packing_ == Packing::dense) find_classes(seeds_, shape, class_.data());
    const auto size = static_cast<std::uint32_t>(alphabet.size());
    const std::uint32_t classes = Model::classes(packing_);
    const std::size_t count = std::size_t{shape.rows} * shape.columns;
    for (std::size_t i = 0; i < count; ++i) symbol_[i] = alphabet.symbol[boards[i]];
    for (std::size_t begin = 0; begin < count; begin += shape.columns) {
        for (std::size_t i = begin; i < begin + shape.columns; ++i) {
            const std::uint32_t left = i == begin ? 0U : symbol_[i - 1] + 1U;
            const std::uint32_t upper = begin == 0 ? 0U : symbol_[i - shape.columns] + 1U;
            context_[i] = (left * (size + 1) + upper) * classes + class_[i];
        }
    }
}

void BlockCoder::count(const BlockShape& shape, const std::uint8_t* boards, Model::Counter& counter) {
    find_contexts(counter.alphabet(), shape, boards);
    for (std::size_t i = 0; i < std::size_t{shape.rows} * shape.columns; ++i)
        counter.add(context_[i], symbol_[i]);
}

void BlockCoder::encode(const Model& model, const std::vector<Slots>& slots, const BlockShape& shape,
                        const std::uint8_t* boards, std::vector<std::uint8_t>& out) {
    find_contexts(model.alphabet, shape, boards);
    const auto size = static_cast<std::size_t>(model.alphabet.size());
    std::array<std::uint16_t, kBlockBoards + 1> words;
    std::size_t used = 0;
    std::array<std::uint32_t, kStates> states;
    states.fill(kLowest);
    const auto put = [&](std::uint32_t& state, std::size_t i) {
        const Slots own = slots[model.of_context[context_[i]] * size + symbol_[i]];
        const bool full = state >> (32 - kModelBits) >= own.count;
        words[used] = static_cast<std::uint16_t>(state);
        used += full ? 1 : 0;
        state >>= full ? 16 : 0;
        const auto quotient = static_cast<std::uint32_t>(state * kReciprocals[own.count] >> kReciprocalBits);
        state += own.start + quotient * (kModelTotal - own.count);
    };
    // The coder is a stack: what is read first is written last.
    const std::size_t columns = shape.columns;
    std::size_t line = shape.rows * columns;
    if (shape.rows % 2 != 0) {
        line -= columns;
        for (std::size_t column = columns; column-- > 0;) put(states[0], line + column);
    }
    while (line != 0) {
        line -= 2 * columns;
        for (std::size_t column = columns + 1; column-- > 0;) {
            if (column != 0) put(states[1], line + columns + column - 1);
            if (column < columns) put(states[0], line + column);
        }
    }
    const std::size_t stored = std::min(kStates, shape.rows);
    std::size_t at = out.size();
    out.resize(at + stored * kStateBytes + used * kWordBytes);
    for (std::size_t i = 0; i < stored; ++i) {
        for (int byte = 0; byte < 4; ++byte) out[at++] = static_cast<std::uint8_t>(states[i] >> (8 * byte));
    }
    while (used != 0) {
        const std::uint16_t word = words[--used];
        out[at++] = static_cast<std::uint8_t>(word);
        out[at++] = static_cast<std::uint8_t>(word >> 8);
    }
}

namespace {

/// The owner of a slot that is not the first one in its bucket.
[[gnu::noinline]] Share search(const Model& model, std::uint32_t set, std::uint32_t slot) {
    const Share* share = model.shares.data() + model.first[set];
    if (set == 0) return *share;
    while (slot - share->start >= share->count) ++share;
    return *share;
}

/// Where a decoder stands in a block, between lines.
struct Decoder {
    const Model& model;
    const std::uint16_t* classes;
    std::uint8_t* boards;
    std::uint32_t columns;
    const std::uint8_t* next;  ///< word; a board takes one at most, so there are always enough
    std::array<std::uint32_t, kStates> states{};
    std::uint32_t flags = 0;
    std::array<std::uint16_t, kBlockColumns> upper{};  ///< the line above, by column: Share::upper

    // The next line, or the next two. What changes is in local variables, so that it stays in registers.
    template <bool kTwo>
    void lines() {
        const std::uint16_t* const of_context = model.of_context.data();
        const Share* const buckets = model.buckets.data();
        const auto pairs = static_cast<std::uint32_t>(model.alphabet.size()) + 1;
        const std::uint8_t* word = next;
        std::uint32_t seen = flags;
        const auto board = [&](std::uint32_t& state, std::uint32_t& left, std::uint32_t column,
                               std::size_t i) __attribute__((always_inline)) {
            const std::uint32_t set = of_context[left + upper[column] + classes[i]];
            const std::uint32_t slot = state & (kModelTotal - 1);
            Share share = buckets[set * Model::kBuckets + (slot >> Model::kBucketBits)];
            if (slot - share.start >= share.count) [[unlikely]]
                share = search(model, set, slot);
            state = share.count * (state >> kModelBits) + slot - share.start;
            // Without a branch, which nobody could foretell: 1 if the state is low and takes a word.
            const auto low = static_cast<std::uint32_t>((std::uint64_t{state} - kLowest) >> 63);
            const std::uint32_t read = std::uint32_t{word[0]} | std::uint32_t{word[1]} << 8;
            state = state << (16 * low) | (read & (0U - low));
            word += kWordBytes * low;
            seen |= share.start;
            left = share.upper * pairs;
            upper[column] = share.upper;
            boards[i] = share.byte;
        };
        std::uint32_t state = states[0];
        std::uint32_t state_below = states[1];
        std::uint32_t left = 0;
        std::uint32_t left_below = 0;
        for (std::uint32_t column = 0; column < columns + (kTwo ? 1 : 0); ++column) {
            if (!kTwo || column < columns) board(state, left, column, column);
            if (kTwo && column != 0) board(state_below, left_below, column - 1, columns + column - 1);
        }
        states = {state, state_below};
        next = word;
        flags = seen;
        classes += columns * (kTwo ? 2 : 1);
        boards += columns * (kTwo ? 2 : 1);
    }
};

}  // namespace

bool BlockCoder::decode(const Model& model, const BlockShape& shape, std::span<const std::uint8_t> bytes,
                        std::uint8_t* boards) {
    const std::size_t stored = std::min(kStates, shape.rows);
    // A board takes one word at most: with as many zeros behind them the words need no end.
    std::array<std::uint8_t, kStates * kStateBytes + (2 * kBlockBoards + 1) * kWordBytes> padded;
    static_assert(kMostBlockBytes == kStates * kStateBytes + kBlockBoards * kWordBytes);
    if (bytes.size() < stored * kStateBytes || bytes.size() > kMostBlockBytes) return false;
    std::copy(bytes.begin(), bytes.end(), padded.begin());
    std::fill_n(padded.begin() + static_cast<std::ptrdiff_t>(bytes.size()), (kBlockBoards + 1) * kWordBytes,
                std::uint8_t{0});
    if (packing_ == Packing::dense) find_classes(seeds_, shape, class_.data());
    Decoder decoder{model, class_.data(), boards, shape.columns, padded.data() + stored * kStateBytes};
    decoder.states.fill(kLowest);
    for (std::size_t i = 0; i < stored; ++i) {
        decoder.states[i] = 0;
        for (std::size_t byte = 0; byte < kStateBytes; ++byte)
            decoder.states[i] |= std::uint32_t{padded[i * kStateBytes + byte]} << (8 * byte);
    }
    for (std::uint32_t line = 0; line < shape.rows / kStates; ++line) decoder.lines<true>();
    if (shape.rows % kStates != 0) decoder.lines<false>();
    const bool at_end = decoder.next == padded.data() + bytes.size();
    const bool empty = std::all_of(decoder.states.begin(), decoder.states.end(),
                                   [](std::uint32_t state) { return state == kLowest; });
    return at_end && empty && (decoder.flags & kNoSymbol) == 0;
}

}  // namespace wari::detail
