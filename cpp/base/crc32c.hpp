// CRC-32C (Castagnoli), the checksum of table files.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#endif

namespace wari::detail {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F6'3B78U : 0U);
        table[i] = crc;
    }
    return table;
}

inline constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

/// The checksum of `bytes`; of "123456789" it is 0xE3069283.
inline std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept {
    std::uint32_t crc = 0xFFFF'FFFFU;
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
#if defined(__SSE4_2__) && defined(__x86_64__)
    for (; left >= 8; left -= 8, at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        crc = static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
    }
#endif
    for (; left != 0; --left, ++at) crc = (crc >> 8) ^ kCrcTable[(crc ^ *at) & 0xFF];
    return ~crc;
}

}  // namespace wari::detail
