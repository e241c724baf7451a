// Structs that begin with their size, taken from callers of older and newer headers, and given to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "handles.hpp"

namespace wari::capi {

/// The size of the first version of a struct: of a struct that grows, this is specialised.
template <class T>
inline constexpr std::size_t kFirstSize = sizeof(T);

/// No struct will ever be so large: a size above is a struct that nobody has filled in.
inline constexpr std::size_t kLargestSize = 4096;

template <class T>
bool has_right_size(const T& data) noexcept {
    return data.struct_size >= kFirstSize<T> && data.struct_size <= kLargestSize;
}

inline Problem bad_size(const char* argument, std::size_t size) {
    return {WARI_ERROR_BAD_SIZE, argument,
            std::string(argument) + ": struct_size " + std::to_string(size) + " is that of no known version"};
}

/// Reads a struct of the caller; null: the defaults. What a newer caller has beyond must be zero: this
/// library could not do as it asks.
template <class T>
Problem take(const T* from, T& into, const char* argument) {
    into = T{};
    into.struct_size = sizeof(T);
    if (from == nullptr) return {};
    const std::size_t size = from->struct_size;
    if (!has_right_size(*from)) return bad_size(argument, size);
    std::memcpy(&into, from, std::min(size, sizeof(T)));
    const auto* bytes = reinterpret_cast<const unsigned char*>(from);
    for (std::size_t i = sizeof(T); i < size; ++i) {
        if (bytes[i] != 0) return bad_size(argument, size);
    }
    return {};
}

/// Can a result be written there?
template <class T>
Problem check_out(const T* out, const char* argument) {
    if (out == nullptr) return null(argument);
    return has_right_size(*out) ? Problem() : bad_size(argument, out->struct_size);
}

/// Writes a result; what a newer caller has beyond becomes zero. The size must have been checked.
template <class T>
void give(T data, T* out) noexcept {
    const std::size_t size = out->struct_size;
    data.struct_size = size;
    std::memcpy(out, &data, std::min(size, sizeof(T)));
    if (size > sizeof(T)) std::memset(reinterpret_cast<unsigned char*>(out) + sizeof(T), 0, size - sizeof(T));
}

}  // namespace wari::capi
