// The numbers of the file format.
// Owns sizes and offsets, each once; docs/tablebase-format.md explains them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wari::detail {

inline constexpr std::array<std::uint8_t, 8> kFileMagic = {0x89, 'W', 'A', 'R', 'I', 'T', 'B', 0x0A};
inline constexpr std::array<std::uint8_t, 4> kLayerMagic = {'L', 'A', 'Y', 'R'};
inline constexpr std::array<std::uint8_t, 4> kEndMagic = {'E', 'N', 'D', 'T'};
inline constexpr std::uint64_t kFormatVersion = 1;

inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kLayerHeaderBytes = 64;
inline constexpr std::size_t kEndBytes = 32;
inline constexpr std::size_t kDirectoryEntryBytes = 8;

// Header.
inline constexpr std::size_t kAtVersion = 8;
inline constexpr std::size_t kAtKind = 10;
inline constexpr std::size_t kAtPlanes = 11;
inline constexpr std::size_t kAtRules = 12;
inline constexpr std::size_t kAtBlockBoards = 20;
inline constexpr std::size_t kAtBlockColumns = 22;
inline constexpr std::size_t kAtHeaderSum = 60;
// Layer header.
inline constexpr std::size_t kAtSeeds = 4;
inline constexpr std::size_t kAtLayerPlanes = 6;
inline constexpr std::size_t kAtBoards = 8;
inline constexpr std::size_t kAtSectionBytes = 16;
inline constexpr std::size_t kAtPlaneSizes = 24;  ///< 16 bytes a plane: model, blocks, data
inline constexpr std::size_t kPlaneSizeBytes = 16;
inline constexpr std::size_t kAtFrontSum = 56;
inline constexpr std::size_t kAtLayerSum = 60;
// End.
inline constexpr std::size_t kAtLayers = 4;
inline constexpr std::size_t kAtFileBytes = 8;
inline constexpr std::size_t kAtVerified = 16;
inline constexpr std::size_t kAtVerifyLevel = 20;
inline constexpr std::size_t kAtEndSum = 28;

}  // namespace wari::detail
