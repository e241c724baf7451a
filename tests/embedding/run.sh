#!/usr/bin/env bash
# The library as a stranger meets it: installed from an empty folder, moved, found by CMake and pkg-config, linked
# from C and C++, taken in as a sub-project. Knows nothing of Python.
#
#   bash tests/embedding/run.sh          everything
#
# Needs cmake, cc, c++, nm and pkg-config; uses valgrind where it is there. Works in a temporary folder.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
HERE="$ROOT/tests/embedding"
CC="${CC:-cc}"
CXX="${CXX:-c++}"
export CC CXX
WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT
STRICT=(-Wall -Wextra -Wconversion -Wshadow -Werror)
# Six seeds whose values are published ("Awari is solved", 2002): A, B and C win all of them, F none.
BOARD=(1-1-1-0-0-1-0-0-1-1-0-0-21-21-S awari)
VALUES="A +6.00 B +6.00 C +6.00 F +0.00"

say() { printf -- '--- %s\n' "$*"; }
fail() { printf 'embedding: %s\n' "$*" >&2; exit 1; }
quietly() { "$@" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "failed: $*"; }; }

# A program of examples/ analyses the known board right. With $2 = table it probes one, too.
right() {
    "$1" "${BOARD[@]}" >"$WORK/out" || fail "$1 failed"
    local values
    values="$(awk '$1 ~ /^[A-F]$/ { print $1, $2 }' "$WORK/out" | sort | paste -sd' ')"
    [[ "$values" == "$VALUES" ]] || { cat "$WORK/out"; fail "$1: the values are $values, not $VALUES"; }
    if [[ "${2:-}" == table ]]; then
        grep -q '^table +6 to +6, best [ABC]$' "$WORK/out" || { cat "$WORK/out"; fail "$1: a wrong probe"; }
    fi
    # A game whose end is known: South takes five, has 25 and so the majority.
    "$1" 0-0-0-0-0-2-1-2-4-0-0-0-20-19-S awari | grep -qx 'result 25-19 majority' || fail "$1: a wrong result"
    if "$1" 4-4-x 2>/dev/null; then fail "$1 took a position of three fields"; fi
}

# Configures and builds the project $1 in $2.
build() {
    local source=$1 folder=$2
    shift 2
    quietly cmake -S "$source" -B "$folder" "$@"
    quietly cmake --build "$folder" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-2}"
}

# --- the library, static and shared --------------------------------------------------------------------

# Installs into a folder, moves that away and deletes the build: nothing may lean on either.
install_library() {
    local kind=$1 shared=OFF
    [[ $kind == shared ]] && shared=ON
    say "$kind: configure, build, install, move"
    build "$ROOT" "$WORK/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=$shared -DWARI_TESTS=OFF -DWARI_WERROR=ON
    quietly cmake --install "$WORK/build" --prefix "$WORK/first-$kind"
    mv "$WORK/first-$kind" "$WORK/$kind"
    rm -rf "$WORK/build"
    # Every header and nothing else.
    diff <(cd "$ROOT/cpp" && find . -path '*/include/*' -type f | sed 's|^.*/include/|./|' | sort) <(cd "$WORK/$kind/include" && find . -type f | sort) ||
        fail "the installed headers are not those of the source"
    if grep -rqI "$WORK\|$ROOT" "$WORK/$kind"; then fail "an installed file names a folder of the build"; fi
}

# What the shared libraries show to others.
check_symbols() {
    say "exported symbols"
    local library
    library="$(find "$WORK/shared" -name 'libwari_c.so')"
    diff "$HERE/symbols.txt" <(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort) ||
        fail "libwari_c.so: the symbols are not those of tests/embedding/symbols.txt"
    library="$(find "$WORK/shared" -name 'libwari.so')"
    if nm -DC --defined-only "$library" | grep ' [TDBR] ' | grep -v ' [TDBR] wari::'; then
        fail "libwari.so: exports what is not wari's"
    fi
    if nm -DC --defined-only "$library" | grep -E 'wari::(v3|v4|portable)::'; then
        fail "libwari.so: exports code for one processor"
    fi
}

# --- consumers -----------------------------------------------------------------------------------------

by_find_package() {
    local kind=$1
    say "$kind: find_package, C++ and C"
    build "$ROOT/examples/cpp" "$WORK/$kind-cpp" "-DCMAKE_PREFIX_PATH=$WORK/$kind" "-DCMAKE_CXX_FLAGS=${STRICT[*]}"
    right "$WORK/$kind-cpp/wari_example"
    build "$ROOT/examples/c" "$WORK/$kind-c" "-DCMAKE_PREFIX_PATH=$WORK/$kind" "-DCMAKE_C_FLAGS=${STRICT[*]}"
    right "$WORK/$kind-c/wari_example" table
    # Both say the same of the start position.
    diff <("$WORK/$kind-cpp/wari_example") <("$WORK/$kind-c/wari_example" | grep -v ^table) ||
        fail "C and C++ differ"
}

by_pkg_config() {
    local kind=$1 flags cxx_flags folder="$WORK/$1-plain"
    PKG_CONFIG_PATH="$(dirname "$(find "$WORK/$kind" -name wari_c.pc)")"
    LD_LIBRARY_PATH="$(dirname "$PKG_CONFIG_PATH")"
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    say "$kind: pkg-config; C99, -fno-lto, -flto, C++98 and C++20 without exceptions"
    mkdir "$folder"
    read -ra flags <<<"$(pkg-config --cflags --libs wari_c)"
    read -ra cxx_flags <<<"$(pkg-config --cflags --libs wari)"
    "$CC" -std=c99 -pedantic "${STRICT[@]}" -fno-lto "$ROOT/examples/c/main.c" "${flags[@]}" -o "$folder/c"
    right "$folder/c" table
    "$CC" -std=c99 -O2 -flto "$ROOT/examples/c/main.c" "${flags[@]}" -o "$folder/c_lto"
    right "$folder/c_lto" table
    for standard in c++98 c++20; do
        "$CXX" -std=$standard -pedantic "${STRICT[@]}" -fno-exceptions -fno-rtti -fno-lto \
            -x c++ "$ROOT/examples/c/main.c" -x none "${flags[@]}" -o "$folder/$standard"
        right "$folder/$standard" table
    done
    "$CXX" -std=c++20 -fno-lto "$ROOT/examples/cpp/main.cpp" "${cxx_flags[@]}" -o "$folder/cpp"
    right "$folder/cpp"
    unset PKG_CONFIG_PATH LD_LIBRARY_PATH
}

check_headers() {
    say "each header by itself, every warning an error"
    local header
    for header in "$WORK"/static/include/wari/*.hpp "$WORK/static/include/wari.h"; do
        printf '#include "%s"\n' "$header" >"$WORK/header.cpp"
        "$CXX" -std=c++20 -pedantic "${STRICT[@]}" -Wno-unused-function -fsyntax-only "-I$WORK/static/include" \
            "$WORK/header.cpp" || fail "$header does not stand alone"
    done
}

check_versions() {
    say "versions"
    local wanted expected
    for wanted in "0.1:found" "0.1.0 EXACT:found" "99:refused" "0.2:refused" "0.0:refused" "1.0:refused"; do
        expected="${wanted#*:}"
        mkdir -p "$WORK/version"
        printf 'cmake_minimum_required(VERSION 3.22)\nproject(v LANGUAGES CXX)\nfind_package(wari %s REQUIRED)\n' \
            "${wanted%:*}" >"$WORK/version/CMakeLists.txt"
        rm -rf "$WORK/version/build"
        if cmake -S "$WORK/version" -B "$WORK/version/build" "-DCMAKE_PREFIX_PATH=$WORK/static" >"$WORK/log" 2>&1; then
            [[ $expected == found ]] || fail "find_package(wari ${wanted%:*}) was granted"
        else
            [[ $expected == refused ]] || { cat "$WORK/log"; fail "find_package(wari ${wanted%:*}) was refused"; }
        fi
    done
}

check_memory() {
    if ! command -v valgrind >/dev/null; then
        say "valgrind is not here: not run"
        return
    fi
    say "valgrind over the example in C"
    quietly valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
        "$WORK/static-c/wari_example" "${BOARD[@]}"
}

# --- the documentation's programs ------------------------------------------------------------------------

# Every ```c and ```cpp block of docs/embedding.md is a program; the ```text block after it is what it prints, `...`
# standing for anything in a line.
check_documents() {
    say "the programs of docs/embedding.md"
    local program found=0 flags
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH="$(dirname "$(find "$WORK/static" -name wari_c.pc)")"
    mkdir "$WORK/docs"
    awk -v folder="$WORK/docs" '
        /^```(c|cpp)$/ { name = sprintf("%s/%02d", folder, ++n); file = name "." substr($0, 4); next }
        /^```text$/ && name != "" { file = name ".expected"; next }
        /^```/ { close(file); if (file ~ /expected$/) name = ""; file = "" ; next }
        file != "" { print > file }' "$ROOT/docs/embedding.md"
    for program in "$WORK"/docs/*.c "$WORK"/docs/*.cpp; do
        if [[ $program == *.c ]]; then
            read -ra flags <<<"$(pkg-config --cflags --libs wari_c)"
            "$CC" -std=c99 -pedantic "${STRICT[@]}" "$program" "${flags[@]}" -o "$program.run"
        else
            read -ra flags <<<"$(pkg-config --cflags --libs wari)"
            "$CXX" -std=c++20 -pedantic "${STRICT[@]}" "$program" "${flags[@]}" -o "$program.run"
        fi
        (cd "$WORK/docs" && "$program.run" >"$program.out") || fail "a program of the page failed: $(cat "$program")"
        [[ -f "${program%.*}.expected" ]] || fail "a program of the page without its output: $(cat "$program")"
        # shellcheck disable=SC2053
        [[ "$(cat "$program.out")" == $(sed 's/[][*?\\]/\\&/g; s/\.\.\./*/g' "${program%.*}.expected") ]] ||
            { diff "$program.out" "${program%.*}.expected" || true; fail "a program of the page prints something else"; }
        found=$((found + 1))
    done
    [[ $found -ge 3 ]] || fail "docs/embedding.md: only $found programs were found"
    unset PKG_CONFIG_PATH
}

# --- as a sub-project --------------------------------------------------------------------------------------

# A parent with flags and a build type of its own, and an install of its own: wari changes none of them.
as_sub_project() {
    say "as a sub-project: add_subdirectory and FetchContent"
    local parent="$WORK/parent"
    mkdir -p "$parent"
    ln -s "$ROOT" "$parent/wari"
    cat >"$parent/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(parent LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_C_STANDARD 99)
option(BY_FETCH "" OFF)
if(BY_FETCH)
  include(FetchContent)
  FetchContent_Declare(wari SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/wari")
  FetchContent_MakeAvailable(wari)
else()
  add_subdirectory(wari)
endif()
add_executable(app wari/examples/cpp/main.cpp)
target_link_libraries(app PRIVATE wari::wari)
add_executable(app_c wari/examples/c/main.c)
target_link_libraries(app_c PRIVATE wari::c)
install(TARGETS app)
get_directory_property(options COMPILE_OPTIONS)
if(options OR CMAKE_BUILD_TYPE OR NOT CMAKE_CXX_STANDARD EQUAL 17 OR CMAKE_CXX_VISIBILITY_PRESET OR TARGET test_position)
  message(FATAL_ERROR "wari has changed its parent: '${options}' '${CMAKE_BUILD_TYPE}'")
endif()
EOF
    quietly cmake -S "$parent" -B "$parent/fetched" -DBY_FETCH=ON
    build "$parent" "$parent/build" -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG \
        "-DCMAKE_CXX_FLAGS=-O1 -fno-lto -fno-exceptions -fno-rtti"
    right "$parent/build/app"
    right "$parent/build/app_c" table
    quietly cmake --install "$parent/build" --prefix "$parent/prefix"
    [[ "$(cd "$parent/prefix" && find . -type f)" == ./bin/app ]] || fail "a sub-project has installed something"
}

for kind in static shared; do
    install_library $kind
    by_find_package $kind
    by_pkg_config $kind
done
check_symbols
check_headers
check_versions
check_memory
check_documents
as_sub_project
say "the library can be embedded"
