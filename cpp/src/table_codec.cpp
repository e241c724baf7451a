// Coding of blocks: contexts of a block's boards, and the rANS coder.
#include "table_codec.hpp"

#include <bit>

#include "wari/board.hpp"

namespace wari::detail {
namespace {

constexpr std::uint32_t kLowest = 1U << 16;  // the state stays at or above this between symbols

// The opponent's pits that a row's moves end in, laps aside: what it could capture from.
unsigned landings(std::uint64_t row) {
    unsigned pits = 0;
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        const int last = pit + seeds_in(row, pit) - kPitsPerRow;
        if (seeds_in(row, pit) != 0 && last >= 0 && last < kPitsPerRow) pits |= 1U << last;
    }
    return pits;
}

using Gains = std::array<std::uint8_t, 1U << kPitsPerRow>;

// By set of pits that moves end in: the most that one of them captures from this row.
void fill_gains(std::uint64_t row, Gains& gains) {
    std::array<std::uint8_t, kPitsPerRow> of_pit{};
    int chain = 0;
    for (int pit = 0; pit < kPitsPerRow; ++pit) {
        const int seeds = seeds_in(row, pit) + 1;
        chain = seeds == 2 || seeds == 3 ? chain + seeds : 0;
        of_pit[static_cast<std::size_t>(pit)] = static_cast<std::uint8_t>(chain);
    }
    gains[0] = 0;
    for (unsigned pits = 1; pits < gains.size(); ++pits) {
        gains[pits] =
            std::max(gains[pits & (pits - 1)], of_pit[static_cast<std::size_t>(std::countr_zero(pits))]);
    }
}

// Captures of 0, 2, 3, 4, 5 to 6 and more.
constexpr unsigned gain_class(unsigned seeds) {
    return seeds < 2 ? 0 : seeds <= 4 ? seeds - 1 : seeds <= 6 ? 4 : 5;
}
constexpr unsigned threat_class(unsigned seeds) { return seeds == 0 ? 0 : seeds <= 3 ? 1 : 2; }

}  // namespace

// The class of each board from its rows alone, so that the reader finds the same.
void BlockCoder::classify(const BlockShape& shape) {
    if (packing_ == Packing::fast || shape.own_seeds == 0) {
        std::fill_n(class_.begin(), shape.rows * shape.columns, std::uint16_t{0});
        return;
    }
    std::array<Gains, kBlockColumns> own_gains;
    std::array<unsigned, kBlockColumns> own_landings{};
    for (std::uint32_t column = 0; column < shape.columns; ++column) {
        const std::uint64_t own = row_from_rank(shape.own_seeds, shape.own_first + column);
        fill_gains(own, own_gains[column]);
        own_landings[column] = landings(own);
    }
    std::array<std::uint8_t, kBlockColumns> upper_gain{};
    std::array<std::uint8_t, kBlockColumns> upper_threat{};
    std::size_t i = 0;
    for (std::uint32_t line = 0; line < shape.rows; ++line) {
        const std::uint64_t opp = row_from_rank(seeds_ - shape.own_seeds, shape.opp_first + line);
        Gains gains;
        fill_gains(opp, gains);
        const unsigned opp_landings = landings(opp);
        unsigned left_gain = 0;
        unsigned left_threat = 0;
        for (std::uint32_t column = 0; column < shape.columns; ++column, ++i) {
            const unsigned gain = gains[own_landings[column]];
            const unsigned threat = own_gains[column][opp_landings];
            const unsigned same = (gain == left_gain ? 1U : 0U) + (gain == upper_gain[column] ? 2U : 0U) +
                                  (threat == left_threat ? 4U : 0U) +
                                  (threat == upper_threat[column] ? 8U : 0U);
            class_[i] = static_cast<std::uint16_t>((gain_class(gain) * 3 + threat_class(threat)) * 16 + same);
            left_gain = gain;
            left_threat = threat;
            upper_gain[column] = static_cast<std::uint8_t>(gain);
            upper_threat[column] = static_cast<std::uint8_t>(threat);
        }
    }
}

void BlockCoder::find_contexts(const Alphabet& alphabet, const BlockShape& shape,
                               const std::uint8_t* boards) {
    classify(shape);
    const auto size = static_cast<std::uint32_t>(alphabet.size());
    const std::uint32_t classes = Model::classes(packing_);
    std::size_t i = 0;
    for (std::uint32_t line = 0; line < shape.rows; ++line) {
        std::uint32_t left = 0;
        for (std::uint32_t column = 0; column < shape.columns; ++column, ++i) {
            symbol_[i] = alphabet.symbol[boards[i]];
            const std::uint32_t upper = line == 0 ? 0U : symbol_[i - shape.columns] + 1U;
            context_[i] = (left * (size + 1) + upper) * classes + class_[i];
            left = symbol_[i] + 1U;
        }
    }
}

void BlockCoder::count(const BlockShape& shape, const std::uint8_t* boards, Model::Counter& counter) {
    find_contexts(counter.alphabet(), shape, boards);
    for (std::size_t i = 0; i < std::size_t{shape.rows} * shape.columns; ++i)
        counter.add(context_[i], symbol_[i]);
}

void BlockCoder::encode(const Model& model, const BlockShape& shape, const std::uint8_t* boards,
                        std::vector<std::uint8_t>& out) {
    find_contexts(model.alphabet, shape, boards);
    std::array<std::uint16_t, kBlockBoards> words;
    std::size_t used = 0;
    std::uint32_t state = kLowest;
    // The coder is a stack: the last board is written first.
    for (std::size_t i = std::size_t{shape.rows} * shape.columns; i-- > 0;) {
        const Frequencies& set = model.sets[model.of_context[context_[i]]];
        const Frequencies::Entry* entry = model.entries.data() + set.first;
        while (entry->symbol != symbol_[i]) ++entry;
        const std::uint32_t count = entry->count;
        if (state >> (32 - kModelBits) >= count) {
            words[used++] = static_cast<std::uint16_t>(state);
            state >>= 16;
        }
        state = (state / count << kModelBits) + state % count + entry->start;
    }
    for (int byte = 0; byte < 4; ++byte) out.push_back(static_cast<std::uint8_t>(state >> (8 * byte)));
    while (used != 0) {
        const std::uint16_t word = words[--used];
        out.push_back(static_cast<std::uint8_t>(word));
        out.push_back(static_cast<std::uint8_t>(word >> 8));
    }
}

bool BlockCoder::decode(const Model& model, const BlockShape& shape, std::span<const std::uint8_t> bytes,
                        std::uint8_t* boards) {
    if (bytes.size() < 4 || bytes.size() % 2 != 0) return false;
    classify(shape);
    const auto size = static_cast<std::uint32_t>(model.alphabet.size());
    const std::uint32_t classes = Model::classes(packing_);
    std::uint32_t state = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) state |= std::uint32_t{bytes[byte]} << (8 * byte);
    const std::uint8_t* next = bytes.data() + 4;
    const std::uint8_t* const end = bytes.data() + bytes.size();
    const std::uint8_t* const symbols = model.alphabet.bytes.data();
    std::array<std::uint32_t, kBlockColumns> upper{};
    std::size_t i = 0;
    for (std::uint32_t line = 0; line < shape.rows; ++line) {
        std::uint32_t left = 0;
        for (std::uint32_t column = 0; column < shape.columns; ++column, ++i) {
            const std::uint16_t number =
                model.of_context[(left * (size + 1) + upper[column]) * classes + class_[i]];
            if (number == kNoSet) return false;
            const Frequencies& set = model.sets[number];
            const std::uint32_t slot = state & (kModelTotal - 1);
            const Frequencies::Entry* entry = model.entries.data() + set.first +
                                              set.bucket[slot >> (kModelBits - Frequencies::kBucketBits)];
            while (slot >= std::uint32_t{entry->start} + entry->count) ++entry;
            state = entry->count * (state >> kModelBits) + slot - entry->start;
            if (state < kLowest) {
                if (next == end) return false;
                state = state << 16 | std::uint32_t{next[0]} | std::uint32_t{next[1]} << 8;
                next += 2;
            }
            left = entry->symbol + 1U;
            upper[column] = left;
            boards[i] = symbols[entry->symbol];
        }
    }
    return next == end && state == kLowest;
}

}  // namespace wari::detail
