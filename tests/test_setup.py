"""Setting wari up where something is missing: the message names it.

Owns: what CMake says of compilers. Missing headers of Python are tried by hand: who runs the tests
has them.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OLDEST = re.compile(r"g\+\+ (\d+)(?:,| and) clang (\d+)")


def test_the_oldest_compilers_are_named_alike() -> None:
    said = {
        name: set(OLDEST.findall((ROOT / name).read_text(encoding="utf-8")))
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            "pyproject.toml",
            "cmake/compiler.cmake",
            "docs/embedding.md",
        )
    }
    assert len(set.union(*said.values())) == 1, said
    assert all(said.values()), said


@pytest.mark.process
@pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("g++") is None, reason="needs both"
)
def test_a_compiler_that_is_too_old_is_named(tmp_path: Path) -> None:
    old = tmp_path / "old-g++"
    old.write_text('#!/bin/sh\nexec g++ "$@" -std=c++17\n')
    old.chmod(0o755)
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path / "build", f"-DCMAKE_CXX_COMPILER={old}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    errors = re.findall(r"^CMake Error.*?\n\n", done.stderr, re.MULTILINE | re.DOTALL)
    assert len(errors) == 1
    words = " ".join(errors[0].split())
    assert "wari needs a compiler of C++20" in words
    assert str(old) in words
