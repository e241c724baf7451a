// The classes of boards, sixteen own rows at a time.
#include "board_classes.hpp"

#include <algorithm>
#include <cstring>

#include "wari/board.hpp"

namespace wari::detail {
namespace {

// Small numbers, 0xFF for true: the compilers' own vectors, so that every processor has them.
constexpr std::size_t kWide = 16;
using Wide = std::int8_t __attribute__((vector_size(kWide)));
constexpr std::size_t kWidesInLine = kBlockColumns / kWide;

/// One number for each column of a block.
struct Line {
    alignas(kWide) std::array<std::int8_t, kBlockColumns> at{};

    Wide wide(std::size_t i) const noexcept {
        Wide wide;
        std::memcpy(&wide, at.data() + i * kWide, kWide);
        return wide;
    }
};

/// The rows of a few seeds, one after the other, beginning with any.
class Rows {
 public:
    Rows(int seeds, std::uint32_t first) {
        const std::uint64_t row = row_from_rank(seeds, first);
        for (int pit = 0; pit < kPitsPerRow; ++pit) pits_[static_cast<std::size_t>(pit)] = seeds_in(row, pit);
    }

    int operator[](std::size_t pit) const noexcept { return pits_[pit]; }

    // The next rank: the last seed that can move on does, and all behind it follow as far ahead as they can.
    void advance() noexcept {
        std::size_t pit = kPits - 1;
        const int behind = pits_[pit];
        pits_[pit] = 0;
        while (pit != 0 && pits_[pit - 1] == 0) --pit;
        if (pit == 0) return;  // it was the last row
        --pits_[pit - 1];
        pits_[pit] = behind + 1;
    }

    static constexpr std::size_t kPits = kPitsPerRow;

 private:
    std::array<int, kPits> pits_{};
};

// The opponent's pits that a row's moves end in, laps aside: what it could capture from.
unsigned landings(const Rows& row) {
    unsigned ends = 0;
    for (std::size_t pit = 0; pit < Rows::kPits; ++pit) {
        const int last = static_cast<int>(pit) + row[pit] - kPitsPerRow;
        if (row[pit] != 0 && last >= 0 && last < kPitsPerRow) ends |= 1U << last;
    }
    return ends;
}

// What a move that ends in each pit of this row captures.
std::array<std::int8_t, Rows::kPits> captures(const Rows& row) {
    std::array<std::int8_t, Rows::kPits> captured{};
    int chain = 0;
    for (std::size_t pit = 0; pit < Rows::kPits; ++pit) {
        const int seeds = row[pit] + 1;
        chain = seeds == 2 || seeds == 3 ? chain + seeds : 0;
        captured[pit] = static_cast<std::int8_t>(chain);
    }
    return captured;
}

/// The own rows of a block, pit by pit.
struct OwnRows {
    std::array<Line, Rows::kPits> captured;
    std::array<Line, Rows::kPits> landings;  ///< true where a move ends in that pit opposite

    explicit OwnRows(const BlockShape& shape) {
        Rows row(shape.own_seeds, shape.own_first);
        for (std::uint32_t column = 0; column < shape.columns; ++column, row.advance()) {
            const auto gains = captures(row);
            const unsigned ends = wari::detail::landings(row);
            for (std::size_t pit = 0; pit < Rows::kPits; ++pit) {
                captured[pit].at[column] = gains[pit];
                landings[pit].at[column] = (ends >> pit & 1U) != 0 ? std::int8_t{-1} : std::int8_t{0};
            }
        }
    }
};

/// The numbers of a line and of the line above it; to the left of the block there is a 0.
struct Captures {
    alignas(kWide) std::array<std::int8_t, kWide + kBlockColumns> here{};
    Line above;

    void begin_line() noexcept { std::memcpy(above.at.data(), here.data() + kWide, kBlockColumns); }
    void set(std::size_t i, const Wide& wide) noexcept {
        std::memcpy(here.data() + kWide + i * kWide, &wide, kWide);
    }
    Wide left(std::size_t i) const noexcept {
        Wide wide;
        std::memcpy(&wide, here.data() + kWide - 1 + i * kWide, kWide);
        return wide;
    }
};

inline void raise(Wide& most, const Wide& other) { most = most > other ? most : other; }

/// The classes of one line after the other.
class Classes {
 public:
    explicit Classes(const BlockShape& shape) : own_(shape), columns_(shape.columns) {}

    void next_line(const Rows& opp, std::uint16_t* classes) {
        const auto captured = captures(opp);
        const unsigned ends = landings(opp);
        gain_.begin_line();
        threat_.begin_line();
        Line kinds;
        Line same;
        for (std::size_t i = 0; i < kWidesInLine && i * kWide < columns_; ++i) {
            Wide gain{};
            Wide threat{};
            for (std::size_t pit = 0; pit < Rows::kPits; ++pit) {
                if (captured[pit] != 0) raise(gain, own_.landings[pit].wide(i) & captured[pit]);
                if ((ends >> pit & 1U) != 0) raise(threat, own_.captured[pit].wide(i));
            }
            gain_.set(i, gain);
            threat_.set(i, threat);
            // Captures of 0, 2, 3, 4, 5 to 6 and more; threats of 0, up to 3 and more. True is -1.
            const Wide gains = (gain > 1) + (gain > 2) + (gain > 3) + (gain > 4) + (gain > 6);
            const Wide kind = -(gains * 3 + (threat > 0) + (threat > 3));
            const Wide equal = ((gain == gain_.left(i)) & 1) | ((gain == gain_.above.wide(i)) & 2) |
                               ((threat == threat_.left(i)) & 4) | ((threat == threat_.above.wide(i)) & 8);
            std::memcpy(kinds.at.data() + i * kWide, &kind, kWide);
            std::memcpy(same.at.data() + i * kWide, &equal, kWide);
        }
        for (std::size_t column = 0; column < columns_; ++column)
            classes[column] = static_cast<std::uint16_t>(kinds.at[column] * 16 + same.at[column]);
    }

 private:
    OwnRows own_;
    std::size_t columns_;
    Captures gain_;
    Captures threat_;
};

}  // namespace

void find_classes(int seeds, const BlockShape& shape, std::uint16_t* classes) {
    if (shape.own_seeds == 0) {
        std::fill_n(classes, shape.rows * shape.columns, std::uint16_t{0});
        return;
    }
    Classes lines(shape);
    Rows opp(seeds - shape.own_seeds, shape.opp_first);
    for (std::uint32_t line = 0; line < shape.rows; ++line, opp.advance(), classes += shape.columns)
        lines.next_line(opp, classes);
}

}  // namespace wari::detail
