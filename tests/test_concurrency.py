"""Many engines in many threads, one table under many threads, and a child of fork().

The default run is a sample of the slow one.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import wari

SECONDS = 15.0  # of the slow run, each half
SAMPLE_SECONDS = 0.25
ENGINES, PROBERS = 64, 16
SEEDS = 7
RULES = ("awari", "abapa")  # a value table and a force table


def board(rng: random.Random, rules: str) -> wari.Position:
    """A position of 1 to SEEDS seeds."""
    pits = [0] * 12
    for _ in range(rng.randint(1, SEEDS)):
        pits[rng.randrange(12)] += 1
    return wari.Position.from_counts(pits, (20, 20), rng.choice("SN"), rules)


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Runs `work` in threads that begin together; what one of them raises is raised here."""
    raised: list[BaseException] = []
    together = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            together.wait(timeout=60)
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[wari.Tablebase, Path]]:
    """For each rule set the truth in memory, and the same as a file."""
    folder = tmp_path_factory.mktemp("tables")
    made = {}
    for rules in RULES:
        table = wari.Tablebase.build(SEEDS, rules)
        table.save(folder / f"{rules}.wtb")
        made[rules] = (table, folder / f"{rules}.wtb")
    return made


def agrees(score: wari.Score, truth: wari.TableProbe) -> bool:
    """Whether what a score proves can be, given what the table proves; stores are equal."""
    lower = score.value if score.bound in ("exact", "lower") else -48.0
    upper = score.value if score.bound in ("exact", "upper") else 48.0
    return lower <= truth.upper and truth.lower <= upper


def engines(tables: dict[str, tuple[wari.Tablebase, Path]], count: int, seconds: float) -> int:
    """Threads with engines of their own, half without a table; how many analyses were exact."""
    exact = [0] * count

    def work(number: int) -> None:
        rng = random.Random(number)
        rules = RULES[number // 2 % 2]
        truth, _ = tables[rules]
        table = truth if number % 2 else None
        end = time.monotonic() + seconds
        with wari.Engine(hash_mb=1, tablebase=table) as engine:
            while time.monotonic() < end or not exact[number]:  # a busy machine takes longer
                position = board(rng, rules)
                found, known = engine.analyse(position, nodes=2000), truth.probe(position)
                if known.over:
                    assert found.score is None
                    continue
                assert found.score is not None
                assert agrees(found.score, known), (position, found, known)
                if table is not None and known.value is not None:
                    assert (found.score.bound, found.score.value) == ("exact", known.value)
                exact[number] += found.score.bound == "exact"

    in_threads(count, work)
    assert min(exact) > 0
    return sum(exact)


def probers(tables: dict[str, tuple[wari.Tablebase, Path]], count: int, seconds: float) -> int:
    """Threads that share a file whose blocks nobody has read yet; how many rounds."""
    rng = random.Random(1)
    asked = [(rules, board(rng, rules)) for rules in RULES for _ in range(150)]
    truth = {key: tables[key[0]][0].probe(key[1]) for key in asked}
    end = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < end:
        cold = {rules: wari.Tablebase.open(path) for rules, (_, path) in tables.items()}

        def work(number: int, cold: dict[str, wari.Tablebase] = cold) -> None:
            order = random.Random(number).sample(asked, len(asked))
            for rules, position in order:
                assert cold[rules].probe(position) == truth[rules, position], (rules, position)

        in_threads(count, work)
        rounds += 1
    return rounds


@pytest.mark.process
def test_engines_in_threads(tables: dict[str, tuple[wari.Tablebase, Path]]) -> None:
    """A sample."""
    assert engines(tables, ENGINES // 4, SAMPLE_SECONDS) > 0


@pytest.mark.process
def test_a_table_shared_by_threads(tables: dict[str, tuple[wari.Tablebase, Path]]) -> None:
    """A sample."""
    assert probers(tables, PROBERS, SAMPLE_SECONDS) > 0


@pytest.mark.slow
def test_many_engines_in_threads(tables: dict[str, tuple[wari.Tablebase, Path]]) -> None:
    """The whole."""
    assert engines(tables, ENGINES, SECONDS) > 0


@pytest.mark.slow
def test_a_table_shared_by_threads_for_long(
    tables: dict[str, tuple[wari.Tablebase, Path]],
) -> None:
    """The whole."""
    assert probers(tables, PROBERS, SECONDS) > 1


FORK = """
import os, sys, wari
engine = wari.Engine(hash_mb=8, threads=2, tablebase="auto")
table = wari.Tablebase.build(5, "awari")
game = wari.Game("abapa")
before = engine.analyse(game, depth=6)
sys.stdout.flush()
child = os.fork()
if child == 0:
    position = wari.Position.parse("0-0-0-0-0-1-0-0-0-0-0-0-23-24-S", "awari")
    again = engine.analyse(game, depth=7)
    with wari.Engine(hash_mb=1, tablebase=table) as fresh:
        right = fresh.analyse(position, depth=4).score.bound == "exact"
    engine.close()
    os._exit(0 if right and again.depth == 7 and table.probe(position).value is not None else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == 0, status
assert engine.analyse(game, depth=7).depth == 7
engine.close()
print("both well")
"""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
def test_a_child_of_fork_uses_what_its_parent_made() -> None:
    """Engine, table and game, with no search running; parent and child go on by themselves."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORK], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "both well\n", "")


INTERPRETER = """
import _interpreters
other = _interpreters.create()
failed = _interpreters.exec(other, "import wari; wari.Position()")
print(failed.type.__name__)
_interpreters.destroy(other)
"""


@pytest.mark.skipif(sys.version_info < (3, 13), reason="this Python has no such interpreters")
def test_a_second_interpreter_is_refused() -> None:
    """With an error, not with a crash."""
    command = [sys.executable, "-c", INTERPRETER]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ImportError\n", "")
