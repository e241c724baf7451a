"""Settings that every test shares.

In CI the examples are the same in every run, so that a red run can be repeated; elsewhere they are
new each time. HYPOTHESIS_PROFILE=thorough tries fifteen times as many.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
import wari
from cli_tools import CLEAN
from hypothesis import HealthCheck, settings
from uci_talk import Talk

for profile, examples in (("sample", 40), ("thorough", 600)):
    settings.register_profile(
        profile,
        deadline=None,
        derandomize="CI" in os.environ,
        max_examples=examples,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "sample"))


# In the background of a shell script SIGINT is ignored, under nohup SIGHUP; the processes that
# tests interrupt would inherit that.
for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
_started: list[str] = []  # by the test that runs now


def _note_start(event: str, arguments: tuple[object, ...]) -> None:
    if event in STARTS:
        _started.append(f"{event}{arguments[:2]}")


sys.addaudithook(_note_start)


def pytest_collection_finish() -> None:
    """No collection of garbage looks at the tests themselves, which stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _marked_if_it_starts_processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """The fast tier starts no process: who does carries the mark."""
    _started.clear()
    yield
    marks = {mark.name for mark in request.node.iter_markers()}
    assert not _started or marks & {"process", "slow"}, f"to be marked `process`: {_started[0]}"


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


@pytest.fixture
def quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints and reviews of `wari play` take a moment, in this process."""
    monkeypatch.setattr("wari.cli.game_session.HINT_SECONDS", 0.05)
    monkeypatch.setattr("wari.cli.reviewing.REVIEW_SECONDS", 0.005)
