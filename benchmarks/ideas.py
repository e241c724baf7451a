"""What each idea of the search is worth: the bench's nodes with the idea taken out of the source.

Usage: python benchmarks/ideas.py [IDEA...]      all without arguments; about a minute each

Every variant is built from a copy of the tree (git, CMake and pybind11 are needed). The counts are
the same on every machine, and those of the whole program must be those of benchmarks/signature.txt.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COUNT = "from wari.bench import bench; print(sum(entry.nodes for entry in bench()))"


class Idea(NamedTuple):
    """A text of the source, and what stands there when the idea is out."""

    file: str
    text: str
    without: str


KERNEL = "cpp/search/search_kernel.cpp"
IDEAS = {
    "quiet late moves less deep": Idea(
        "cpp/search/late_move_reduction.hpp",
        "return move_index >= kTwoPliesFirstMove && depth >= kTwoPliesLeastDepth ? 2 : 1;",
        "return 0;",
    ),
    "answers of the table": Idea(KERNEL, "if (at_least || at_most) {", "if (false) {"),
    "the table's move first": Idea(KERNEL, "child.pit == hint", "child.pit == hint && count == 0"),
    "captures first": Idea(KERNEL, "(1 << 28) + child.captured * 64 + child.pit", "0"),
    "quiet moves by their history": Idea(
        KERNEL, "t_.history[child.pit][history_column(b, child.pit)];\n        }", "0;\n        }"
    ),
    "null windows": Idea(KERNEL, "if (kPv && first) return node<kPv>", "if (kPv) return node<kPv>"),
    "the first window at the root": Idea(
        "cpp/search/parameters.hpp", "kAspirationLeastDepth = 4", "kAspirationLeastDepth = 4000"
    ),
}


def copied(folder: Path) -> None:
    """The files of the tree that git knows."""
    names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in names.stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


@contextlib.contextmanager
def taken_out(folder: Path, idea: Idea) -> Iterator[None]:
    """Changes the copy for a while. A text that is not there once is an error: it has moved on."""
    path = folder / idea.file
    text = path.read_text(encoding="utf-8")
    if text.count(idea.text) != 1:
        raise SystemExit(f"{idea.file}: {text.count(idea.text)} times: {idea.text}")
    path.write_text(text.replace(idea.text, idea.without), encoding="utf-8")
    yield
    path.write_text(text, encoding="utf-8")


def nodes(folder: Path) -> int:
    """Builds the module of a copy and runs the bench with it."""
    cmake = subprocess.run(
        [sys.executable, "-m", "pybind11", "--cmakedir"], check=True, capture_output=True, text=True
    )
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-w", "-DWARI_PYTHON=ON"]
    options.append(f"-Dpybind11_DIR={cmake.stdout.strip()}")
    build = folder / "build"
    for command in (
        ["cmake", "-S", str(folder), "-B", str(build), *options],
        ["cmake", "--build", str(build), "--target", "_core", "--parallel", "2"],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (module,) = build.glob("python/bindings/_core*.so")
    shutil.copy(module, folder / "python" / "wari")
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder / "python")},
    )
    return int(done.stdout)


def main() -> None:
    """Prints a row for each idea."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ideas", nargs="*", metavar="IDEA", help=", ".join(IDEAS))
    chosen = parser.parse_args().ideas or list(IDEAS)
    if unknown := [name for name in chosen if name not in IDEAS]:
        parser.error(f"unknown idea {unknown[0]!r}; known are: {', '.join(IDEAS)}")
    signature = (ROOT / "benchmarks" / "signature.txt").read_text(encoding="ascii")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        whole = nodes(folder)
        if whole != int(signature.splitlines()[-1]):
            raise SystemExit(f"the bench has {whole} nodes, not those of benchmarks/signature.txt")
        print(f"{'the program as it is':35} {whole / 1e6:7.2f} million nodes", flush=True)
        for idea in chosen:
            with taken_out(folder, IDEAS[idea]):
                without = nodes(folder)
            told = f"{without / 1e6:7.2f} million nodes, {without / whole:.2f} times"
            print(f"{'without ' + idea:35} {told}", flush=True)


if __name__ == "__main__":
    main()
