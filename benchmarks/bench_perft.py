"""Perft, every leaf really made: the core's kernels, and OpenSpiel's Oware from Python.

Every benchmark also asserts its answer. Times are CPU time of one core.
"""

import statistics
import time
from typing import Any

import pytest
import wari
from measure import repeated, say_rate
from pytest_benchmark.fixture import BenchmarkFixture
from recomputed import PERFT
from wari import _core

CORE_DEPTH = 10
SPIEL_DEPTH = 6

pytestmark = pytest.mark.benchmark(timer=time.process_time, disable_gc=True, group="perft")


def leaves(preset: str, depth: int) -> int:
    """The published number of leaves from the start."""
    return PERFT[preset][depth - 1]


@pytest.mark.parametrize("preset", ["wari", "abapa", "awari"])
@pytest.mark.parametrize("isa", ["portable", "v3"])
def test_core(benchmark: BenchmarkFixture, isa: str, preset: str) -> None:
    """Leaves per second on one core: 60 million wanted of portable code, 100 million of v3."""
    position = wari.Position(rules=preset)._core
    try:
        _core.perft(position, 1, isa=isa)
    except wari.InvalidValueError as error:
        pytest.skip(str(error))
    count, _ = repeated(benchmark, lambda: _core.perft(position, CORE_DEPTH, isa=isa))
    assert count == leaves(preset, CORE_DEPTH)
    say_rate(benchmark, f"perft {preset} {isa}", count)


def spiel_leaves(state: Any, depth: int) -> int:
    """OpenSpiel's leaves at that depth, each one made."""
    if depth == 0:
        return 1
    return sum(spiel_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def test_times_openspiel(benchmark: BenchmarkFixture) -> None:
    """Both from Python, in turns, in one run: at least 150 times as many leaves per second."""
    pyspiel = pytest.importorskip("pyspiel")
    position = wari.Position(rules="abapa")
    state = pyspiel.load_game("oware").new_initial_state()
    ours: list[float] = []
    theirs: list[float] = []

    def both() -> tuple[int, int]:
        began = time.process_time()
        count = position.perft(CORE_DEPTH)
        between = time.process_time()
        spiel_count = spiel_leaves(state, SPIEL_DEPTH)
        ours.append(count / (between - began))
        theirs.append(spiel_count / (time.process_time() - between))
        return count, spiel_count

    counts = repeated(benchmark, both)
    assert counts == (leaves("abapa", CORE_DEPTH), leaves("abapa", SPIEL_DEPTH))
    ratio = statistics.median(ours) / statistics.median(theirs)
    benchmark.extra_info["times OpenSpiel"] = round(ratio)
    if benchmark.enabled:
        print(
            f"\nperft from Python: {statistics.median(ours) / 1e6:.1f} million leaves/s, "
            f"OpenSpiel {statistics.median(theirs) / 1e6:.3f}: {ratio:.0f} times"
        )
