// Numbers in files: little-endian, of any number of bytes up to eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wari::detail {

inline std::uint64_t get_number(std::span<const std::uint8_t> bytes, std::size_t at, int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= std::uint64_t{bytes[at + static_cast<std::size_t>(i)]} << (8 * i);
    return value;
}

inline void put_number(std::span<std::uint8_t> bytes, std::size_t at, int size, std::uint64_t value) {
    for (int i = 0; i < size; ++i) {
        bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

}  // namespace wari::detail
