"""Instructions per leaf and per node, counted by callgrind: a figure that no other load disturbs.

Usage: python benchmarks/instructions.py [--build FOLDER]

Needs CMake, a C++ compiler and valgrind. The counts depend on the compiler, so compare two commits
on one machine.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
MIDDLE = "7-6-6-6-2-0-6-6-2-6-6-1-0-0-N"
END = "1-2-0-2-3-1-1-0-4-2-0-5-14-13-S"

NAMES = {START: "start", MIDDLE: "middle", END: "end"}

# What hot_path is given. Depths that take callgrind some seconds.
RUNS = (
    ("perft", "wari", START, "8", "portable"),
    ("perft", "wari", START, "8", "v3"),
    ("perft", "awari", MIDDLE, "8", "v3"),
    ("perft", "singles", END, "10", "v3"),
    ("bench", "-6"),
)


def build(folder: Path) -> Path:
    """The program to count in, compiled as it is shipped."""
    for step in (
        ["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
         "-DWARI_BENCHMARKS=ON", "-DWARI_TESTS=OFF"],
        ["cmake", "--build", str(folder), "--target", "hot_path", "--parallel", "2"],
    ):  # fmt: skip
        subprocess.run(step, check=True, stdout=subprocess.DEVNULL)
    return folder / "benchmarks" / "hot_path"


def count(program: Path, arguments: tuple[str, ...]) -> tuple[int, int]:
    """Leaves or nodes, and the instructions below `measured_`."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += ["--toggle-collect=measured_*", str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if collected is None:
        sys.exit(f"instructions: callgrind counted nothing:\n{done.stderr}")
    return int(done.stdout), int(collected[1])


def main() -> None:
    """Build, count, print one line for each run."""
    parser = argparse.ArgumentParser(description="Count the instructions of the hot paths.")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "instructions")
    program = build(parser.parse_args().build)
    print(f"{'run':<32} {'counted':>9} {'instructions':>13} {'each':>7}")
    for arguments in RUNS:
        made, instructions = count(program, arguments)
        name = " ".join(NAMES.get(word, word) for word in arguments)
        print(
            f"{name:<32} {made:>9} {instructions:>13} {instructions / made:>7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
