"""Mutation testing of the core: are its tests strong enough to notice a small mistake?

    python tools/mutate.py cpp/rules/position.cpp cpp/rules/game.cpp --sample 40 --minutes 30

One mistake at a time is made in the files named, in a copy of the tree: a comparison turned or
moved by one, a sum made a difference, a negation left out, `&&` made `||`, a number changed by one,
`min` made `max`, `true` made `false`. The tests are built and run. A mutant that no test fails for
survives: it shows an assertion that is missing, code that nothing needs, or a change that makes no
difference. The sample is drawn with the seed, evenly from the files. Exit code 0 when all was done,
1 when the tests fail without any mutation, 2 for a wrong command line.

Comments, strings, assertions and preprocessor lines are left alone. The build goes through ccache
when that is there.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CONFIGURE = "-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS='-O1 -D_GLIBCXX_ASSERTIONS'"  # asserts, too
BUILD = "cmake --build build --parallel 2"
TEST = "ctest --test-dir build -L unit -E isa_objects --stop-on-failure --timeout 120 --parallel 2"

SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "true": "false",
    "false": "true",
    "std::min": "std::max",
    "std::max": "std::min",
}
WORDS = re.compile(r"(?<![\w:])(?:true|false|std::min|std::max)(?=[^\w:])")
OPERATORS = re.compile(r"(?<= )(?:[<>]=?|[=!]=|&&|\|\||[+-])(?= )")
NEGATIONS = re.compile(r"!(?=[\w(*])")
NUMBERS = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
NOT_CODE = re.compile(
    r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|(?m:^\s*#[^\n]*)'
    r"|(?m:^\s*(?:template|friend|using|namespace)\b[^\n]*)|\b(?:static_)?assert\([^;]*;"
)


class Mutant(NamedTuple):
    """Another text for a piece of a file."""

    file: str
    begin: int
    end: int
    text: str

    def line(self, source: str) -> int:
        """The number of its line, from 1."""
        return source.count("\n", 0, self.begin) + 1

    def apply(self, source: str) -> str:
        """The file with the mistake in it."""
        return source[: self.begin] + self.text + source[self.end :]


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Every mutant of one file, in the order of the places."""
    code = NOT_CODE.sub(lambda found: " " * len(found[0]), source)
    found = [
        Mutant(file, match.start(), match.end(), SWAPS[match[0]])
        for pattern in (OPERATORS, WORDS)
        for match in pattern.finditer(code)
    ]
    found += [Mutant(file, m.start(), m.end(), "") for m in NEGATIONS.finditer(code)]
    found += [
        Mutant(file, match.start(), match.end(), str(int(match[0]) + change))
        for match in NUMBERS.finditer(code)
        for change in ((1, -1) if int(match[0]) > 0 else (1,))
    ]
    return sorted(found)


def sampled(files: list[str], count: int, seed: int) -> list[Mutant]:
    """As many from each file as can be, in random order."""
    chance = random.Random(seed)
    pools = [mutants_of(file, (ROOT / file).read_text(encoding="utf-8")) for file in files]
    for pool in pools:
        chance.shuffle(pool)
    chosen: list[Mutant] = []
    while len(chosen) < count and any(pools):
        for pool in pools:
            if pool and len(chosen) < count:
                chosen.append(pool.pop())
    return chosen


class Copy:
    """The tree in a temporary folder, where mistakes are made, built and tested."""

    def __init__(self, folder: Path, build: str, test: str, seconds: int) -> None:
        """Copies what git tracks, with changes that are not committed, and configures the build."""
        self.folder, self.build_command, self.test_command = folder, build, test
        self.seconds = seconds
        tracked = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for name in filter(None, tracked.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    def run(self, command: str, seconds: float | None = None) -> bool:
        """Whether the command succeeds in time. None of its processes outlives it."""
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=self.folder,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            return process.wait(timeout=seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)  # ninja ends its compilers, ctest its tests
                time.sleep(2)
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def judge(self, mutant: Mutant) -> str:
        """`killed` by a test, `invalid` where the compiler refuses it, or `survived`."""
        path = self.folder / mutant.file
        source = path.read_text(encoding="utf-8")
        path.write_text(mutant.apply(source), encoding="utf-8")
        try:
            if not self.run(self.build_command):
                return "invalid"
            return "survived" if self.run(self.test_command, self.seconds) else "killed"
        finally:
            path.write_text(source, encoding="utf-8")


def described(mutant: Mutant) -> str:
    """The place, and the line before and after."""
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    number = mutant.line(source)
    before = source.splitlines()[number - 1].strip()
    after = mutant.apply(source).splitlines()[number - 1].strip()
    return f"{mutant.file}:{number}\n    - {before}\n    + {after}"


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a file of the core, from the root"
    )
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="so many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="leave the first N of them out"
    )
    parser.add_argument("--minutes", type=float, default=60, help="begin none after so long")
    parser.add_argument(
        "--timeout", type=int, default=300, help="seconds of the tests of one mutant"
    )
    parser.add_argument("--configure", default=CONFIGURE, help="options of cmake for the build")
    parser.add_argument("--build", default=BUILD, help="the command that builds")
    parser.add_argument("--test", default=TEST, help="the command that tests")
    parser.add_argument("--list", action="store_true", help="print the sample and do nothing")
    given = parser.parse_args()
    for file in given.files:
        if not (ROOT / file).is_file():
            parser.error(f"FILE: there is no {file!r} below {ROOT}")
    return given


def main() -> int:
    """Judges the sample and prints each verdict as it falls."""
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs is ended, too
    sample = sampled(given.files, given.sample, given.seed)[given.skip :]
    if given.list:
        print(*map(described, sample), sep="\n")
        return 0
    end = time.monotonic() + 60 * given.minutes
    verdicts: dict[str, int] = {"killed": 0, "invalid": 0, "survived": 0}
    with tempfile.TemporaryDirectory(prefix="wari-mutants-") as name:
        copy = Copy(Path(name), given.build, given.test, given.timeout)
        compiler = "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache" if shutil.which("ccache") else ""
        configured = copy.run(f"cmake -S . -B build {compiler} {given.configure}")
        if not (configured and copy.run(given.build) and copy.run(given.test)):
            print("the build or the tests fail without any mutation", file=sys.stderr)
            return 1
        for mutant in sample:
            if time.monotonic() > end:
                break
            verdict = copy.judge(mutant)
            verdicts[verdict] += 1
            print(f"{verdict}: {described(mutant)}", flush=True)
    print(*(f"{count} {verdict}" for verdict, count in verdicts.items()), sep=", ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
