#!/usr/bin/env bash
# Fuzzes every border of wari for a while: each target in turn, from its committed corpus.
#
#   bash fuzz/run.sh              20 seconds a target
#   bash fuzz/run.sh 600          600 seconds a target
#   bash fuzz/run.sh 600 table    this target only
#
# Needs clang++ with libFuzzer (Debian: clang, libclang-rt-14-dev). Where the Python in PATH has wari and atheris,
# the targets in Python run, too. A crash, a leak, a broken law or an input that takes 20 seconds ends its target with
# the input kept in build/fuzz-work/<target>; new inputs worth keeping collect there, too, in corpus/.
# WARI_FUZZ_JOBS targets run at once (1); WARI_FUZZ_SEED makes chance the same every time, for the same code.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
BUILD="${WARI_FUZZ_BUILD:-$ROOT/build/fuzz}"
WORK="${WARI_FUZZ_WORK:-$ROOT/build/fuzz-work}"
SECONDS_EACH="${1:-20}"
shift || true
[[ "$SECONDS_EACH" =~ ^[0-9]+$ ]] || { echo "usage: fuzz/run.sh [SECONDS [TARGET...]]" >&2; exit 2; }

# One target, its output in a log that is shown when it fails. Its files lie in a private folder in memory.
run_target() {
    local name=$1 command began=$SECONDS memory
    mkdir -p "$WORK/$name/corpus"
    memory="$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")"
    local seed=()
    if [[ -n "${WARI_FUZZ_SEED:-}" ]]; then seed=(-seed="$WARI_FUZZ_SEED"); fi
    command=("$BUILD/fuzz/fuzz_$name")
    [[ "$name" == python_* ]] && command=(python "$ROOT/fuzz/python_target.py" "${name#python_}")
    # The sanitizers of clang before 17 cannot live with the address-space randomisation of newer kernels.
    if setarch "$(uname -m)" -R true 2>/dev/null; then command=(setarch "$(uname -m)" -R "${command[@]}"); fi
    cd "$memory"
    local status=0 TIMEFORMAT='%U %S'
    { time TMPDIR="$memory" timeout $((SECONDS_EACH + 120)) "${command[@]}" -max_total_time="$SECONDS_EACH" "${seed[@]}" -timeout=20 -rss_limit_mb=3000 \
        -max_len=4096 -print_final_stats=1 -artifact_prefix="$WORK/$name/" \
        "$WORK/$name/corpus" "$ROOT/fuzz/corpus/$name" >"$WORK/$name/log" 2>&1; } 2>"$WORK/$name/time" || status=$?
    rm -rf "$memory"
    if [[ $status != 0 ]]; then
        tail -n 60 "$WORK/$name/log"
        printf 'fuzz: %s FAILED; its input is in %s\n' "$name" "$WORK/$name" >&2
        return 1
    fi
    printf '%-18s %9s inputs in %4d s, %4.0f s of processor\n' "$name" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$WORK/$name/log")" $((SECONDS - began)) \
        "$(awk '{ print $1 + $2 }' "$WORK/$name/time")"
}

if [[ "${1:-}" == --one ]]; then
    run_target "$2"
    exit
fi

targets=(position game table search proof capi)
if found="$(python "$ROOT/fuzz/python_target.py" --list 2>/dev/null)"; then
    for name in $found; do targets+=("python_$name"); done
else
    echo "fuzz: no Python with wari and atheris here; the targets in Python are left out"
fi
[[ $# == 0 ]] || targets=("$@")

mkdir -p "$WORK"
if [[ "$(printf '%s\n' "${targets[@]}" | grep -vc '^python_')" != 0 ]]; then
    (cd "$ROOT" && cmake --preset fuzz -B "$BUILD" && cmake --build "$BUILD") >"$WORK/build.log" 2>&1 ||
        { tail -n 40 "$WORK/build.log"; echo "fuzz: the build failed" >&2; exit 1; }
fi
printf '%s\n' "${targets[@]}" |
    xargs -P "${WARI_FUZZ_JOBS:-1}" -I{} bash "${BASH_SOURCE[0]}" "$SECONDS_EACH" --one {}
