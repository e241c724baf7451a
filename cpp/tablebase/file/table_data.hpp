// The storage behind a Tablebase: layers in memory, or a file. Private; knows bytes, not moves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "huge_pages.hpp"
#include "wari/index.hpp"
#include "wari/tablebase.hpp"

namespace wari::detail {

/// One layer in memory: a byte a board in the order of board_index, coded as sweep_kernel.hpp says.
/// `other` is empty in a value table.
struct Layer {
    Bytes mover;
    Bytes other;
};

inline constexpr int kValueZero = 128;
inline constexpr int kForceZero = 255;

/// The net value, or g, that a byte of `mover` stands for.
inline int value_of(std::uint8_t byte) noexcept { return kValueZero - byte; }
inline int sure_of(std::uint8_t byte) noexcept { return kForceZero - byte; }

class TableFile;

/// The rounds of the last changes of a layer. None: they were not allowed or stopped, or they are impossible
/// (memory is short, a smaller layer is damaged, there are too many of them).
struct LastRounds {
    const Layer* layer = nullptr;
    bool impossible = false;
};

/// Which layers were verified, from the first on, and how.
struct Verified {
    int layers = 0;
    VerifyLevel level = VerifyLevel::none;  ///< none where there is no such layer
};

struct TableData {
    explicit TableData(std::vector<Layer> in_memory);
    explicit TableData(std::unique_ptr<TableFile> opened);
    ~TableData();

    static TablebasePtr make(const Rules& rules, int seeds, std::unique_ptr<TableData> data) {
        return TablebasePtr(new Tablebase(rules, seeds, std::move(data)));
    }

    /// The rounds of the last changes of a layer (LayerSolver::solve), made when first asked for and kept.
    LastRounds last_rounds(const Rules& rules, int n, const ProbeOptions& options);

    std::vector<Layer> layers;        ///< empty when there is a file
    std::unique_ptr<TableFile> file;  ///< null when in memory
    Verified verified;

 private:
    std::mutex making_;
    std::array<std::unique_ptr<Layer>, kMaxTableSeeds + 1> last_rounds_;
};

/// What a build and its relatives share: checks of options, one place each.
Status check_threads(int threads);
Status check_memory(std::uint64_t needed, std::uint64_t limit);

}  // namespace wari::detail
