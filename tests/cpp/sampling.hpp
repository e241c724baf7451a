// How much is tried: all of it, or under the address sanitizer, which is slow, a sample. There it is memory
// that is watched; that the values are right, the plain build shows in full.
#pragma once

namespace sampling {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WARI_SAMPLED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WARI_SAMPLED true
#endif
#endif
#if !defined(WARI_SAMPLED)
#define WARI_SAMPLED false
#endif

inline constexpr bool kSampled = WARI_SAMPLED;

/// How many of `all` random cases are tried.
constexpr int sample(int all) { return kSampled ? (all + 9) / 10 : all; }

}  // namespace sampling
