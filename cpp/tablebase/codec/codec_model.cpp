// Choosing, writing and reading the models of codec.hpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "codec.hpp"

namespace wari::detail {
namespace {

class BitWriter {
 public:
    void bit(bool one) {
        if (used_ % 8 == 0) bytes_.push_back(0);
        if (one) bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | 1U << used_ % 8);
        ++used_;
    }
    /// Elias gamma code of n >= 1.
    void number(std::uint32_t n) {
        const auto bits = static_cast<int>(std::bit_width(n));
        for (int i = 1; i < bits; ++i) bit(false);
        for (int i = bits - 1; i >= 0; --i) bit((n >> i & 1U) != 0);
    }
    void append_to(std::vector<std::uint8_t>& out) const {
        out.insert(out.end(), bytes_.begin(), bytes_.end());
    }

 private:
    std::vector<std::uint8_t> bytes_;
    std::size_t used_ = 0;
};

class BitReader {
 public:
    explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool bit() {
        if (at_ / 8 >= bytes_.size()) {
            failed_ = true;
            return true;  // ends every loop that looks for a one
        }
        const bool one = (bytes_[at_ / 8] >> at_ % 8 & 1U) != 0;
        ++at_;
        return one;
    }
    std::uint32_t number() {
        int zeros = 0;
        while (zeros <= 15 && !bit()) ++zeros;
        if (zeros > 15) failed_ = true;
        std::uint32_t n = 1;
        for (int i = 0; i < zeros && !failed_; ++i) n = n << 1 | (bit() ? 1U : 0U);
        return n;
    }
    bool failed() const noexcept { return failed_; }
    bool all_read() const noexcept { return (at_ + 7) / 8 == bytes_.size(); }

 private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

using Counts = std::vector<std::uint64_t>;
using Scaled = std::vector<std::uint16_t>;

// Frequencies that sum to kModelTotal, none of an occurring symbol 0.
Scaled scaled(const Counts& counts) {
    const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    Scaled result(counts.size(), 0);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        const auto share = static_cast<std::uint32_t>((counts[i] * kModelTotal + total / 2) / total);
        result[i] = static_cast<std::uint16_t>(std::max(share, 1U));
        sum += result[i];
    }
    // What rounding lost or won goes to the most frequent symbols, which feel it least.
    while (sum != kModelTotal) {
        const auto most = std::max_element(result.begin(), result.end());
        *most = static_cast<std::uint16_t>(sum < kModelTotal ? *most + (kModelTotal - sum) : *most - 1U);
        sum = sum < kModelTotal ? kModelTotal : sum - 1;
    }
    return result;
}

double bits_with(const Counts& counts, const Scaled& set) {
    double bits = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        if (set[i] == 0) return 1e18;
        bits += static_cast<double>(counts[i]) * (kModelBits - std::log2(static_cast<double>(set[i])));
    }
    return bits;
}

void write_set(BitWriter& out, std::span<const std::uint16_t> set) {
    std::uint32_t used = 0;
    for (const std::uint16_t count : set) used += count != 0 ? 1U : 0U;
    out.number(used);
    std::uint32_t gap = 1;
    for (const std::uint16_t count : set) {
        if (count == 0) {
            ++gap;
            continue;
        }
        out.number(gap);
        if (--used != 0) out.number(count);  // the last one is what remains
        gap = 1;
    }
}

std::optional<Scaled> read_set(BitReader& in, std::size_t size) {
    Scaled set(size, 0);
    std::uint32_t left = kModelTotal;
    std::size_t at = 0;
    for (std::uint32_t used = in.number(); used != 0; --used) {
        at += in.number();
        if (in.failed() || at > size) return std::nullopt;
        const std::uint32_t count = used == 1 ? left : in.number();
        if (count == 0 || count > left) return std::nullopt;
        set[at - 1] = static_cast<std::uint16_t>(count);
        left -= count;
    }
    if (left != 0 || in.failed()) return std::nullopt;
    return set;
}

double set_bits(const Scaled& set) {
    double bits = 6;
    for (const std::uint16_t count : set) {
        if (count != 0) bits += 3 + 2 * std::log2(static_cast<double>(count));
    }
    return bits;
}

}  // namespace

// Set 0 is for contexts that do not occur: any slot gives a symbol that the decoder takes for damage.
void Model::begin() {
    first.push_back(0);
    shares.push_back({kNoSymbol, 0, 0, 0});
    buckets.assign(kBuckets, shares[0]);
}

std::uint16_t Model::add_set(std::span<const std::uint16_t> counts) {
    const auto begin = static_cast<std::uint32_t>(shares.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        shares.push_back(
            {0, counts[i], static_cast<std::uint16_t>((i + 1) * classes(packing)), alphabet.bytes[i]});
    }
    std::stable_sort(shares.begin() + begin, shares.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    constexpr std::uint32_t kBucket = 1U << kBucketBits;
    std::uint32_t start = 0;
    for (auto share = shares.begin() + begin; share != shares.end(); ++share) {
        share->start = static_cast<std::uint16_t>(start);
        start += share->count;
        while (buckets.size() < sets() * std::size_t{kBuckets} + (start + kBucket - 1) / kBucket)
            buckets.push_back(*share);
    }
    first.push_back(begin);
    return static_cast<std::uint16_t>(sets() - 1);
}

std::vector<Slots> Model::for_encoder() const {
    const auto size = static_cast<std::size_t>(alphabet.size());
    std::vector<Slots> slots(sets() * size);
    for (std::size_t set = 1; set < sets(); ++set) {
        const std::size_t end = set + 1 < sets() ? first[set + 1] : shares.size();
        for (std::size_t i = first[set]; i < end; ++i)
            slots[set * size + alphabet.symbol[shares[i].byte]] = {shares[i].start, shares[i].count};
    }
    return slots;
}

Model::Counter::Counter(Packing packing, const Alphabet& alphabet) : packing_(packing), alphabet_(alphabet) {
    const auto size = static_cast<std::size_t>(alphabet.size());
    counts_.assign((size + 1) * (size + 1) * classes(packing) * size, 0);
}

void Model::Counter::merge(const Counter& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

namespace {

/// The contexts of one pair of neighbours: who has frequencies of its own.
struct PairPlan {
    std::array<std::optional<Scaled>, kGainClasses * kSubclasses> own;
    std::array<std::optional<Scaled>, kGainClasses> of_gain;
    std::optional<Scaled> shared;
};

void add_to(Counts& sum, std::span<const std::uint32_t> part) {
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
}

std::uint64_t total_of(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Decides from the narrow contexts to the wide ones: own frequencies where they save more than they cost.
PairPlan plan_pair(std::span<const std::uint32_t> counts, std::uint32_t classes, std::size_t size) {
    PairPlan plan;
    Counts rest_of_pair(size, 0);
    Counts pair(size, 0);
    for (std::uint32_t c = 0; c < classes; ++c) add_to(pair, counts.subspan(c * size, size));
    if (total_of(pair) == 0) return plan;
    const Scaled wide = scaled(pair);
    const std::uint32_t groups = classes == 1 ? 0 : kGainClasses;
    for (std::uint32_t g = 0; g < groups; ++g) {
        Counts gain(size, 0);
        for (std::uint32_t k = 0; k < kSubclasses; ++k) {
            add_to(gain, counts.subspan((g * kSubclasses + k) * size, size));
        }
        if (total_of(gain) == 0) continue;
        Scaled narrow = scaled(gain);
        const bool gain_pays = bits_with(gain, wide) - bits_with(gain, narrow) > set_bits(narrow);
        const Scaled& parent = gain_pays ? narrow : wide;
        Counts rest(size, 0);
        for (std::uint32_t k = 0; k < kSubclasses; ++k) {
            const std::size_t c = g * kSubclasses + k;
            const auto part = counts.subspan(c * size, size);
            const Counts own(part.begin(), part.end());
            if (total_of(own) == 0) continue;
            Scaled set = scaled(own);
            if (bits_with(own, parent) - bits_with(own, set) > set_bits(set)) {
                plan.own[c] = std::move(set);
            } else {
                add_to(rest, part);
            }
        }
        if (total_of(rest) == 0) continue;
        if (gain_pays) {
            plan.of_gain[g] = scaled(rest);
        } else {
            for (std::size_t i = 0; i < size; ++i) rest_of_pair[i] += rest[i];
        }
    }
    if (groups == 0) rest_of_pair = pair;
    if (total_of(rest_of_pair) != 0) plan.shared = scaled(rest_of_pair);
    return plan;
}

}  // namespace

namespace {

void write_optional(BitWriter& out, const std::optional<Scaled>& set) {
    out.bit(set.has_value());
    if (set) write_set(out, *set);
}

void write_pair(BitWriter& out, const PairPlan& plan, bool dense) {
    write_optional(out, plan.shared);
    for (std::size_t g = 0; dense && g < kGainClasses; ++g) {
        write_optional(out, plan.of_gain[g]);
        const auto* own = plan.own.data() + g * kSubclasses;
        const bool any = std::any_of(own, own + kSubclasses, [](const auto& set) { return set.has_value(); });
        out.bit(any);
        for (std::size_t k = 0; any && k < kSubclasses; ++k) write_optional(out, own[k]);
    }
}

// Gives the contexts from `of` on the set that follows in the bytes, if there is one.
bool read_optional(BitReader& in, Model& model, std::uint16_t* of, std::uint32_t count) {
    if (!in.bit()) return true;
    const auto set = read_set(in, static_cast<std::size_t>(model.alphabet.size()));
    if (!set || model.sets() >= Model::kMostSets) return false;
    std::fill(of, of + count, model.add_set(*set));
    return true;
}

bool read_pair(BitReader& in, Model& model, std::uint16_t* of) {
    if (!read_optional(in, model, of, Model::classes(model.packing))) return false;
    for (std::uint32_t g = 0; model.packing == Packing::dense && g < kGainClasses; ++g) {
        std::uint16_t* of_gain = of + g * kSubclasses;
        if (!read_optional(in, model, of_gain, kSubclasses)) return false;
        const bool any = in.bit();
        for (std::uint32_t k = 0; any && k < kSubclasses; ++k) {
            if (!read_optional(in, model, of_gain + k, 1)) return false;
        }
        if (in.failed()) return false;
    }
    return true;
}

}  // namespace

std::vector<std::uint8_t> Model::Counter::write() const {
    const auto size = static_cast<std::size_t>(alphabet_.size());
    std::vector<std::uint8_t> out(2 + size);
    out[0] = static_cast<std::uint8_t>(packing_);
    out[1] = static_cast<std::uint8_t>(size);
    std::copy(alphabet_.bytes.begin(), alphabet_.bytes.end(), out.begin() + 2);
    const std::size_t per_pair = classes(packing_);
    BitWriter bits;
    for (std::size_t pair = 0; pair < (size + 1) * (size + 1); ++pair) {
        const std::span<const std::uint32_t> counts(counts_.data() + pair * per_pair * size, per_pair * size);
        const bool used = std::any_of(counts.begin(), counts.end(), [](std::uint32_t n) { return n != 0; });
        bits.bit(used);
        if (used) write_pair(bits, plan_pair(counts, classes(packing_), size), packing_ == Packing::dense);
    }
    bits.append_to(out);
    return out;
}

std::optional<Model> Model::read(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 3 || bytes[0] > static_cast<std::uint8_t>(Packing::dense)) return std::nullopt;
    Model model;
    model.packing = static_cast<Packing>(bytes[0]);
    const std::size_t size = bytes[1];
    if (size == 0 || size > kMaxSymbols || bytes.size() < 2 + size) return std::nullopt;
    for (std::size_t i = 0; i < size; ++i) {
        if (i > 0 && bytes[2 + i] <= bytes[1 + i]) return std::nullopt;
        model.alphabet.bytes.push_back(bytes[2 + i]);
        model.alphabet.symbol[bytes[2 + i]] = static_cast<std::uint8_t>(i);
    }
    const std::size_t per_pair = classes(model.packing);
    model.of_context.assign((size + 1) * (size + 1) * per_pair, 0);
    model.begin();
    BitReader in(bytes.subspan(2 + size));
    for (std::size_t pair = 0; pair < (size + 1) * (size + 1); ++pair) {
        const bool used = in.bit();
        if (in.failed() || (used && !read_pair(in, model, model.of_context.data() + pair * per_pair))) {
            return std::nullopt;
        }
    }
    if (in.failed() || !in.all_read()) return std::nullopt;
    return model;
}

}  // namespace wari::detail
