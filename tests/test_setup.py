"""Setting wari up where something is missing: the message names it."""

import platform
import re
import shutil
import subprocess
import sys
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


needs_a_compiler = pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("g++") is None, reason="needs cmake and g++"
)


def error_of(folder: Path, *options: str) -> str:
    """The one error of CMake, its words on one line."""
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", folder / "build", "-DWARI_TESTS=OFF", *options],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    errors = re.findall(r"^CMake Error.*?\n\n", done.stderr, re.MULTILINE | re.DOTALL)
    assert len(errors) == 1
    return " ".join(errors[0].split())


@pytest.mark.process
@needs_a_compiler
def test_a_compiler_that_is_too_old_is_named(tmp_path: Path) -> None:
    old = tmp_path / "old-g++"
    old.write_text('#!/bin/sh\nexec g++ "$@" -std=c++17\n')
    old.chmod(0o755)
    words = error_of(tmp_path, f"-DCMAKE_CXX_COMPILER={old}")
    assert "wari needs a compiler of C++20" in words
    assert str(old) in words


@pytest.mark.process
@needs_a_compiler
def test_missing_headers_of_python_are_named_before_anything_else(tmp_path: Path) -> None:
    """And no word of compilers, which are there."""
    python = (f"-DPython_EXECUTABLE={sys.executable}", f"-DPython_INCLUDE_DIR={tmp_path / 'none'}")
    words = error_of(tmp_path, "-DWARI_PYTHON=ON", *python)
    assert f"The headers of Python {platform.python_version()}" in words
    assert "python3-dev" in words
    assert "C++20" not in words
