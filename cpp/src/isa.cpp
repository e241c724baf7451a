// Asks the processor once which of the compiled kernels it can run.
#include "wari/isa.hpp"

namespace wari {

Isa best_isa() noexcept {
#ifdef WARI_X86_KERNELS
    static const Isa found = [] {
        __builtin_cpu_init();
        const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                        __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                        __builtin_cpu_supports("popcnt") != 0;
        const bool v4 = v3 && __builtin_cpu_supports("avx512f") != 0 &&
                        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
                        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
        return v4 ? Isa::v4 : v3 ? Isa::v3 : Isa::portable;
    }();
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

std::string_view version() noexcept { return WARI_VERSION; }

}  // namespace wari
