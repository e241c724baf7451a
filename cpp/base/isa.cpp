// Asks the processor once which of the compiled kernels it can run.
#include "wari/isa.hpp"

#include "wari/version.hpp"

#ifdef WARI_X86_KERNELS
#include <cpuid.h>
#endif

namespace wari {
namespace {

#ifdef WARI_X86_KERNELS
// LZCNT and MOVBE, which no compiler builtin of all supported versions knows. A processor (or a virtual
// machine) that lacks LZCNT does not fault on it but counts from the wrong end.
bool has_lzcnt_and_movbe() {
    constexpr unsigned kMovbe = 1U << 22;
    constexpr unsigned kLzcnt = 1U << 5;
    unsigned a = 0;
    unsigned b = 0;
    unsigned d = 0;
    unsigned basic = 0;
    unsigned extended = 0;
    return __get_cpuid(1, &a, &b, &basic, &d) != 0 && __get_cpuid(0x8000'0001, &a, &b, &extended, &d) != 0 &&
           (basic & kMovbe) != 0 && (extended & kLzcnt) != 0;
}

Isa ask_processor() {
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                    __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("popcnt") != 0 && has_lzcnt_and_movbe();
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                    __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
    return v4 ? Isa::v4 : v3 ? Isa::v3 : Isa::portable;
}
#endif

}  // namespace

Isa best_isa() noexcept {
#ifdef WARI_X86_KERNELS
    static const Isa found = ask_processor();
    return found;
#else
    return Isa::portable;
#endif
}

std::string_view to_text(Isa isa) noexcept {
    switch (isa) {
        case Isa::v4: return "x86-64-v4";
        case Isa::v3: return "x86-64-v3";
        case Isa::portable: break;
    }
    return WARI_PORTABLE_NAME;
}

std::string_view compiler() noexcept {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

static_assert(std::string_view(WARI_VERSION) == WARI_VERSION_TEXT, "pyproject.toml and version.hpp disagree");

std::string_view version() noexcept { return WARI_VERSION; }

}  // namespace wari
