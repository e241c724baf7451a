// The version of these headers, for the preprocessor and for constants. pyproject.toml says it first; the
// build compares. The version of the library that runs is wari::version() of isa.hpp.
#pragma once

#define WARI_VERSION_MAJOR 0
#define WARI_VERSION_MINOR 1
#define WARI_VERSION_PATCH 0
#define WARI_VERSION_TEXT "0.1.0"

namespace wari {

inline constexpr int kVersionMajor = WARI_VERSION_MAJOR;
inline constexpr int kVersionMinor = WARI_VERSION_MINOR;
inline constexpr int kVersionPatch = WARI_VERSION_PATCH;

}  // namespace wari
