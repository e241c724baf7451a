# Says at once when the compiler is too old, or knows no vectors, as that of Visual Studio.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("
#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <span>
typedef std::uint8_t Lanes __attribute__((vector_size(16)));
struct Number {
    int value = 0;
    friend auto operator<=>(const Number&, const Number&) = default;
};
template <std::integral T> int ones(std::span<const T> all) {
    int sum = 0;
    for (const T one : all) sum += std::popcount(static_cast<std::uint64_t>(one));
    return sum;
}
int main() {
    const int few[] = {1, 2, 3};
    Lanes lanes = {1, 2};
    lanes += lanes;
    return ones<int>(few) + lanes[0] - 6 + (Number{.value = 1} < Number{} ? 1 : 0);
}" WARI_COMPILER_IS_NEW_ENOUGH)
if(NOT WARI_COMPILER_IS_NEW_ENOUGH)
  message(FATAL_ERROR
    "wari needs a compiler of C++20 with vectors: g++ 12, clang 14 or newer. This one cannot: "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_CXX_COMPILER}")
endif()
