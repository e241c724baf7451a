// A test is a function; CHECK counts and reports, and main returns how many failed.
// Owns reporting only.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>

namespace check {

inline int& failures() {
    static int count = 0;
    return count;
}

template <class A, class B>
void equal(const A& a, const B& b, const char* expression, const char* file, int line) {
    if (a == b) return;
    std::ostringstream text;
    text << file << ':' << line << ": " << expression << ": " << a << " != " << b << '\n';
    std::fputs(text.str().c_str(), stderr);
    ++failures();
}

inline void truth(bool holds, const char* expression, const char* file, int line) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: %s is false\n", file, line, expression);
    ++failures();
}

#if defined(__SANITIZE_THREAD__)
#define WARI_CHECK_THREADS true
#elif defined(__SANITIZE_ADDRESS__)
#define WARI_CHECK_ADDRESSES true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WARI_CHECK_THREADS true
#elif __has_feature(address_sanitizer)
#define WARI_CHECK_ADDRESSES true
#endif
#endif
#if !defined(WARI_CHECK_THREADS)
#define WARI_CHECK_THREADS false
#endif
#if !defined(WARI_CHECK_ADDRESSES)
#define WARI_CHECK_ADDRESSES false
#endif

/// Under the thread sanitizer, which is slow, only what threads do together is of interest.
inline constexpr bool kThreadsOnly = WARI_CHECK_THREADS;

/// Under the address sanitizer, which is slow, too, a sample stands for what the plain build does in full.
inline constexpr bool kSampled = WARI_CHECK_ADDRESSES;

/// How many of `all` random cases are tried.
constexpr int sample(int all) { return kSampled ? (all + 4) / 5 : all; }

}  // namespace check

#define CHECK(condition) ::check::truth(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(a, b) ::check::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
