"""What a person waits for: the first answer of the command line, the import, the first analysis.

Children do the work, so the times are wall time: they want an idle machine.
"""

import subprocess
import sys
import time

import pytest
import wari
from measure import repeated, say_rate
from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = pytest.mark.benchmark(group="start")


def run(*arguments: str) -> str:
    """A Python process from start to end."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def test_python_alone(benchmark: BenchmarkFixture) -> None:
    """The interpreter itself, to compare with."""
    assert repeated(benchmark, lambda: run("-c", "pass")) == ""


def test_import(benchmark: BenchmarkFixture) -> None:
    """`import wari`: about 50 ms more than the interpreter."""
    assert repeated(benchmark, lambda: run("-c", "import wari")) == ""


def test_help(benchmark: BenchmarkFixture) -> None:
    """`wari --help`: about 0.3 s."""
    text = repeated(benchmark, lambda: run("-m", "wari", "--help"))
    assert "analyse" in text


@pytest.mark.benchmark(timer=time.process_time)
def test_depth_16(benchmark: BenchmarkFixture) -> None:
    """Depth 16 from the start, best move only, one thread, default engine: about 2 s or less."""

    def analyse() -> wari.Analysis:
        with wari.Engine() as engine:
            return engine.analyse(wari.Position(), depth=16, multipv=1)

    analysis = repeated(benchmark, analyse, rounds=3)
    assert analysis.depth >= 16
    say_rate(benchmark, f"depth 16 in {analysis.nodes} nodes", analysis.nodes)
