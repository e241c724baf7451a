// What a move does to whole rows of boards, worked out once for each rule set.
//
// A board is a pair (own row, opponent row). Sowing changes the own row by a vector that depends on the
// pit and its count only, and adds to the opponent's row a vector that depends on K only, the number of
// seeds that reach it: pit i gets (K + 5 - i) / 6 of them. Whether and what is captured depends on the
// opponent's row, on K and on whether the last seed fell there: that pair is the move's **pattern**. So
// a move of own row o is (pattern, new own row), the same for all opponent rows, and a pattern maps the
// opponent rows of s seeds, in order, to rows of s + K seeds, in order.
//
// Moves that need the whole board (slams, feeding, passes, moves that end the game) are left out of the plans
// and listed for the caller.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "wari/board.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// Patterns are numbered 2K + (1 when the last seed falls in the opponent's row).
inline constexpr int kMaxIntoOpponent = 18;  ///< K of 32 seeds
inline constexpr int kPatterns = 2 * kMaxIntoOpponent + 2;

struct Pattern {
    int into = 0;           ///< K
    int last = -1;          ///< the opponent's pit of the last seed, -1 when it is elsewhere
    std::uint64_t add = 0;  ///< what the opponent's row gains
};

struct RowMove {
    std::uint32_t row = 0;  ///< rank of the own row after the sowing, among rows of m - K seeds
    std::uint32_t pattern = 0;
};

/// The regular moves of every own row of m seeds: those of rank o are moves[first[o]] to moves[first[o+1]].
struct RowPlan {
    std::vector<std::uint32_t> first;
    std::vector<RowMove> moves;
    /// Rows whose boards all need the general rules (a move may end the game by emptying the row).
    std::vector<std::uint32_t> irregular;
};

/// The moves that lead to an own row, of all rows with at least one seed: those to rank o of m seeds are
/// moves[first[o]] to moves[first[o+1]]; `row` is the rank before the sowing, among rows of m + K seeds.
struct RowOrigins {
    std::vector<std::uint32_t> first;
    std::vector<RowMove> moves;
};

/// Columns are handled in strips of `lanes`. Lane i of a strip takes its value from byte index[i] of strip
/// `from` of a source row, or none where index[i] has bit 7 set; several segments may serve one strip.
/// The indices of segment g start at g * lanes.
struct Segments {
    std::vector<std::uint32_t> first;  ///< segment of each strip
    std::vector<std::uint32_t> from;
    std::vector<std::uint8_t> index;
};

struct Capture {
    std::uint32_t column = 0;  ///< rank of the opponent's row before the move
    std::uint32_t target = 0;  ///< its rank after sowing and capturing
};
struct CaptureGroup {
    int captured = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

inline constexpr std::uint32_t kNoTarget = 0xFFFF'FFFF;

/// What one pattern does to the opponent rows of s seeds.
struct ColumnPlan {
    Segments quiet;
    std::vector<std::uint32_t> target;  ///< the same by column: the rank it goes to, or kNoTarget
    std::vector<CaptureGroup> groups;
    std::vector<Capture> captures;
};

/// All plans for boards of up to `seeds` seeds.
class Plans {
 public:
    Plans(const Rules& rules, int seeds, int lanes);

    const Rules& rules() const noexcept { return rules_; }
    int lanes() const noexcept { return lanes_; }
    const RowPlan& row(int own_seeds) const { return rows_[static_cast<std::size_t>(own_seeds)]; }
    const ColumnPlan& column(int opp_seeds, int pattern) const {
        return columns_[static_cast<std::size_t>(opp_seeds)][static_cast<std::size_t>(pattern)];
    }
    const RowOrigins& origins(int own_seeds) const { return origins_[static_cast<std::size_t>(own_seeds)]; }
    /// The row of that rank: row_from_rank, but looked up.
    std::uint64_t row_at(int seeds, std::uint32_t rank) const {
        return all_rows_[static_cast<std::size_t>(seeds)][rank];
    }
    /// The opponent's row that a quiet move of this pattern turns into `row`, as a rank; or kNoTarget.
    std::uint32_t column_before(int seeds, std::uint64_t row, int pattern) const;
    /// Opponent rows of s seeds that some regular pattern takes as a whole: slams need the whole board.
    const std::vector<std::uint32_t>& slam_columns(int opp_seeds) const {
        return slams_[static_cast<std::size_t>(opp_seeds)];
    }

 private:
    void plan_row(int own_seeds);
    void plan_origins(int own_seeds);
    void plan_column(int opp_seeds, int pattern);

    Rules rules_;
    int seeds_;
    int lanes_;
    std::array<Pattern, kPatterns> patterns_;
    std::vector<std::vector<std::uint64_t>> all_rows_;
    std::vector<RowPlan> rows_;
    std::vector<RowOrigins> origins_;
    std::vector<std::array<ColumnPlan, kPatterns>> columns_;
    std::vector<std::vector<std::uint32_t>> slams_;
};

}  // namespace wari::detail
