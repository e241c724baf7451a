// Which instruction set the running processor offers, and which one the kernels use.
#pragma once

#include <cstdint>
#include <string_view>

#include "wari/export.hpp"

namespace wari {

/// Levels in ascending order. `portable` is what the library was compiled for: x86-64-v2 in the
/// published x86 builds, the platform's default elsewhere.
enum class Isa : std::uint8_t { portable, v3, v4 };

/// The best level that this library holds and this processor runs.
WARI_API Isa best_isa() noexcept;

WARI_API std::string_view to_text(Isa isa) noexcept;

/// The compiler that built the library, with its version.
WARI_API std::string_view compiler() noexcept;

/// The library's version, "major.minor.patch".
WARI_API std::string_view version() noexcept;

}  // namespace wari
