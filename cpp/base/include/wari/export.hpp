// What the shared C++ library offers to others.
//
// The targets of CMake and the pkg-config file say WARI_STATIC for the static library, where nothing
// is exported or imported.
#pragma once

#if defined(WARI_STATIC)
#define WARI_API
#elif defined(_WIN32) && defined(WARI_BUILDING)
#define WARI_API __declspec(dllexport)
#elif defined(_WIN32)
#define WARI_API __declspec(dllimport)
#else
#define WARI_API __attribute__((visibility("default")))
#endif
