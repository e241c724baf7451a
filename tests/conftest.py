"""Settings that every test shares.

Owns: the engine that most tests ask, the process of `wari uci` that tests talk to, an empty cache
folder, and the Hypothesis profile. In CI its examples are the same in every run, so that a red run
can be repeated; elsewhere they are new each time.
"""

import os
from collections.abc import Iterator

import pytest
import wari
from cli_tools import CLEAN
from hypothesis import HealthCheck, settings
from uci_talk import Talk

settings.register_profile(
    "wari",
    deadline=None,
    derandomize="CI" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("wari")


@pytest.fixture(scope="session", autouse=True)
def _empty_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test sees the tables of the person who runs the tests."""
    folder = str(tmp_path_factory.mktemp("cache"))
    os.environ["WARI_CACHE"] = CLEAN["WARI_CACHE"] = folder


@pytest.fixture(scope="module")
def uci_process() -> Iterator[Talk]:
    """One engine for the whole module; it must end well."""
    talk = Talk()
    yield talk
    talk.send("quit")
    assert talk.end() == (0, [])


@pytest.fixture
def talk(uci_process: Talk) -> Talk:
    """That engine with its usual settings."""
    for line in ("debug off", "Rules abapa", "MultiPV 1", "Level 0", "Threads 1", "UseLeaves true"):
        name, value = line.split()
        uci_process.send(line if name == "debug" else f"setoption name {name} value {value}")
    uci_process.send("ucinewgame", "position startpos")
    uci_process.silence()
    return uci_process


@pytest.fixture
def engine() -> Iterator[wari.Engine]:
    """One thread, a small table, no endgame tables."""
    with wari.Engine(hash_mb=8, tablebase=None, evaluation="material", full_width=True) as engine:
        yield engine
