// Vectors of bytes for the table kernel: 64 lanes with AVX-512 VBMI, 16 with SSSE3, 16 in plain C++.
// Included by the kernel only, inside the namespace of its instruction set.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__AVX512VBMI__) && defined(__AVX512BW__)
#define WARI_LANES_64
#if defined(__GNUC__) && !defined(__clang__)
// GCC's own 512-bit intrinsics start from a deliberately undefined vector and warn of it.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#elif defined(__SSSE3__)
#define WARI_LANES_SSE
#include <immintrin.h>
#endif

namespace wari::WARI_ISA_NAMESPACE {
namespace {

#if defined(WARI_LANES_64)

using Lanes = __m512i;
constexpr std::uint32_t kLanes = 64;

inline Lanes zero() { return _mm512_setzero_si512(); }
inline Lanes load(const std::uint8_t* at) { return _mm512_loadu_si512(at); }
inline void store(std::uint8_t* at, Lanes a) { _mm512_storeu_si512(at, a); }
inline Lanes larger(Lanes a, Lanes b) { return _mm512_max_epu8(a, b); }
inline Lanes minus(Lanes a) { return _mm512_sub_epi8(_mm512_setzero_si512(), a); }
inline Lanes inverse(Lanes a) { return _mm512_xor_si512(a, _mm512_set1_epi32(-1)); }
inline Lanes lookup(Lanes window, Lanes index) {
    const __mmask64 none = _mm512_movepi8_mask(index);
    return _mm512_maskz_permutexvar_epi8(_knot_mask64(none), index, window);
}
using Differing = std::uint64_t;  ///< a bit a lane
inline Differing differ(Lanes a, Lanes b) { return _mm512_cmpneq_epi8_mask(a, b); }
/// `mark` in the lanes where a and b differ, `rest` in the others.
inline Lanes where_differing(Lanes a, Lanes b, std::uint8_t mark, Lanes rest) {
    return _mm512_mask_mov_epi8(rest, differ(a, b), _mm512_set1_epi8(static_cast<char>(mark)));
}

// Transposes the four 16 x 16 tiles of each quarter of the rows side by side, then moves whole quarters.
inline void transpose(Lanes* rows) {
    Lanes other[kLanes];
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
        Lanes* from = rows + 16 * quarter;
        Lanes* to = other + 16 * quarter;
        for (int step = 0; step < 4; ++step) {
            for (std::uint32_t i = 0; i < 8; ++i) {
                to[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + 8]);
                to[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + 8]);
            }
            Lanes* swap = from;
            from = to;
            to = swap;
        }
    }
    for (std::uint32_t i = 0; i < 16; ++i) {
        const Lanes a = _mm512_shuffle_i32x4(rows[i], rows[16 + i], 0x44);
        const Lanes b = _mm512_shuffle_i32x4(rows[i], rows[16 + i], 0xEE);
        const Lanes c = _mm512_shuffle_i32x4(rows[32 + i], rows[48 + i], 0x44);
        const Lanes d = _mm512_shuffle_i32x4(rows[32 + i], rows[48 + i], 0xEE);
        rows[i] = _mm512_shuffle_i32x4(a, c, 0x88);
        rows[16 + i] = _mm512_shuffle_i32x4(a, c, 0xDD);
        rows[32 + i] = _mm512_shuffle_i32x4(b, d, 0x88);
        rows[48 + i] = _mm512_shuffle_i32x4(b, d, 0xDD);
    }
}

#elif defined(WARI_LANES_SSE)

using Lanes = __m128i;
constexpr std::uint32_t kLanes = 16;

inline Lanes zero() { return _mm_setzero_si128(); }
inline Lanes load(const std::uint8_t* at) { return _mm_loadu_si128(reinterpret_cast<const Lanes*>(at)); }
inline void store(std::uint8_t* at, Lanes a) { _mm_storeu_si128(reinterpret_cast<Lanes*>(at), a); }
inline Lanes larger(Lanes a, Lanes b) { return _mm_max_epu8(a, b); }
inline Lanes minus(Lanes a) { return _mm_sub_epi8(_mm_setzero_si128(), a); }
inline Lanes inverse(Lanes a) { return _mm_xor_si128(a, _mm_set1_epi32(-1)); }
inline Lanes lookup(Lanes window, Lanes index) { return _mm_shuffle_epi8(window, index); }
using Differing = std::uint32_t;  ///< a bit a lane
inline Differing differ(Lanes a, Lanes b) {
    return static_cast<Differing>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) ^ 0xFFFF);
}
/// `mark` in the lanes where a and b differ, `rest` in the others.
inline Lanes where_differing(Lanes a, Lanes b, std::uint8_t mark, Lanes rest) {
    const Lanes equal = _mm_cmpeq_epi8(a, b);
    const Lanes marks = _mm_set1_epi8(static_cast<char>(mark));
    return _mm_or_si128(_mm_and_si128(equal, rest), _mm_andnot_si128(equal, marks));
}

// Each step interleaves row i with row i + 8; four of them are a transposition.
inline void transpose(Lanes* rows) {
    Lanes other[kLanes];
    Lanes* from = rows;
    Lanes* to = other;
    for (int step = 0; step < 4; ++step) {
        for (std::uint32_t i = 0; i < kLanes / 2; ++i) {
            to[2 * i] = _mm_unpacklo_epi8(from[i], from[i + kLanes / 2]);
            to[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + kLanes / 2]);
        }
        Lanes* swap = from;
        from = to;
        to = swap;
    }
}

#else

constexpr std::uint32_t kLanes = 16;
struct Lanes {
    std::uint8_t byte[kLanes];
};

inline Lanes zero() { return {}; }
inline Lanes load(const std::uint8_t* at) {
    Lanes a;
    std::memcpy(a.byte, at, kLanes);
    return a;
}
inline void store(std::uint8_t* at, const Lanes& a) { std::memcpy(at, a.byte, kLanes); }
inline Lanes larger(Lanes a, const Lanes& b) {
    for (std::uint32_t i = 0; i < kLanes; ++i) a.byte[i] = a.byte[i] < b.byte[i] ? b.byte[i] : a.byte[i];
    return a;
}
inline Lanes minus(Lanes a) {
    for (std::uint8_t& byte : a.byte) byte = static_cast<std::uint8_t>(-byte);
    return a;
}
inline Lanes inverse(Lanes a) {
    for (std::uint8_t& byte : a.byte) byte = static_cast<std::uint8_t>(~byte);
    return a;
}
inline Lanes lookup(const Lanes& window, const Lanes& index) {
    Lanes found;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        found.byte[i] = (index.byte[i] & 0x80) != 0 ? std::uint8_t{0} : window.byte[index.byte[i] & 15];
    }
    return found;
}
using Differing = std::uint32_t;  ///< a bit a lane
inline Differing differ(const Lanes& a, const Lanes& b) {
    Differing bits = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) bits |= a.byte[i] != b.byte[i] ? Differing{1} << i : 0U;
    return bits;
}
/// `mark` in the lanes where a and b differ, `rest` in the others.
inline Lanes where_differing(const Lanes& a, const Lanes& b, std::uint8_t mark, Lanes rest) {
    for (std::uint32_t i = 0; i < kLanes; ++i) rest.byte[i] = a.byte[i] != b.byte[i] ? mark : rest.byte[i];
    return rest;
}
inline void transpose(Lanes* rows) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            const std::uint8_t swap = rows[i].byte[j];
            rows[i].byte[j] = rows[j].byte[i];
            rows[j].byte[i] = swap;
        }
    }
}

#endif

}  // namespace
}  // namespace wari::WARI_ISA_NAMESPACE
