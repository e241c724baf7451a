"""`wari uci` gets ready: large tables, memory that is not available, clocks that are missing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import wari
from uci_talk import Served, Talk
from wari.uci import parse_info, search
from wari.uci.settings import Settings

pytestmark = pytest.mark.process


@pytest.fixture
def served() -> Iterator[Served]:
    """A server that is closed at the end."""
    served = Served()
    yield served
    served.server.close()


def test_a_large_table_makes_nothing_late(talk: Talk) -> None:
    """Its memory comes zeroed, so it is not touched before the search does."""
    began = time.monotonic()
    talk.ask("setoption name Hash value 8192", "isready", until="^readyok$")
    talk.ask("setoption name Rules value awari", "isready", until="^readyok$")
    talk.ask("ucinewgame", "isready", until="^readyok$")
    assert time.monotonic() - began < 2
    talk.send("setoption name Rules value abapa")


def test_a_large_table_forgets(talk: Talk) -> None:
    """By giving its memory back; the same search visits the same nodes again."""

    def nodes() -> list[int | None]:
        said = talk.ask("position startpos moves Ff", "go depth 9")
        return [info.nodes for info in map(parse_info, said) if info.cp is not None]

    talk.send("setoption name Hash value 256")
    first = nodes()
    assert nodes() != first
    talk.send("ucinewgame")
    assert nodes() == first
    talk.send("setoption name Rules value wari", "isready")
    nodes()
    talk.send("setoption name Rules value abapa")
    assert nodes() == first


def test_commands_are_answered_while_an_engine_is_made(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the time that it takes is taken off the search's."""
    made, slow = Settings.new_engine, threading.Event()

    def new_engine(self: Settings) -> Any:
        assert slow.wait(30)
        return made(self)

    analyse, asked = wari.Engine.analyse, []

    def noted(self: wari.Engine, position: Any, **limits: Any) -> Any:
        asked.append(limits)
        return analyse(self, position, **limits)

    monkeypatch.setattr(Settings, "new_engine", new_engine)
    monkeypatch.setattr(wari.Engine, "analyse", noted)
    served.obey("go infinite", "isready", "stop", "isready")
    assert served.heard == ["readyok", "readyok"]
    slow.set()
    assert len(served.best(1)) == 1
    slow.clear()
    served.obey("setoption name Threads value 2", "go movetime 60000", "isready")
    assert served.heard[-1] == "readyok"  # said before there can be an engine
    time.sleep(0.3)
    slow.set()
    while len(asked) < 2:
        time.sleep(0.005)
    served.obey("stop")
    assert len(served.best(2)) == 2
    assert 30.0 < asked[-1]["time"] < 60.0 - 0.3
    slow.clear()
    served.obey("setoption name Threads value 1", "go ponder", "ponderhit", "stop")
    slow.set()
    assert len(served.best(3)) == 3


def test_a_table_that_cannot_be_had_is_report_and_the_size_before_stays(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine goes on to think."""
    made = Settings.new_engine

    def new_engine(self: Settings) -> Any:
        if self.hash_mb > 100:
            raise wari.NotEnoughMemoryError("hash_mb: the system grants no more")
        return made(self)

    monkeypatch.setattr(Settings, "new_engine", new_engine)
    for hash_mb, kept in ((900_000, 64), (32, 32), (101, 32)):
        before, searched = len(served.heard), len(served.best(0))
        served.obey(f"setoption name Hash value {hash_mb}", "go depth 5")
        served.best(searched + 1)
        served.obey("go depth 5")
        served.best(searched + 2)
        said = served.heard[before:]
        report = [line for line in said if line.startswith("info string")]
        words = f"info string Hash: {hash_mb} MiB of memory are not available; {kept} are used"
        assert report == ([words] if kept != hash_mb else [])
        assert sum("info depth 5 " in line for line in said) == 2


@pytest.mark.parametrize(
    "line", ["go btime 5000 binc 10", "go movestogo 5", "go winc 100", "go ponder btime 5000"]
)
def test_a_clock_that_is_not_report_is_a_second(
    served: Served, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With words on that; another limit is enough."""
    report = "info string go: no clock of South, who is to move; one second is used"
    assert search.AFTER_NONSENSE == 1.0
    monkeypatch.setattr(search, "AFTER_NONSENSE", 0.05)
    served.obey(line, *(["ponderhit"] if "ponder" in line else []))
    served.best(1)
    assert served.heard.count(report) == 1
    served.obey(f"{line} depth 2".replace("ponder ", ""))
    served.best(2)
    assert served.heard.count(report) == 1
    served.obey("position startpos moves F", "go wtime 9")
    served.best(3)
    assert report.replace("South", "North") in served.heard


def test_the_other_clock_alone_does_not_end_an_endless_search(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only `stop` does."""
    monkeypatch.setattr(search, "AFTER_NONSENSE", 0.05)
    served.obey("go infinite btime 50")
    time.sleep(0.3)
    assert not any("bestmove" in line or "string" in line for line in served.heard)
    served.obey("stop")
    served.best(1)


def test_more_threads_than_processors_are_not_late(talk: Talk) -> None:
    """Not more than twice as many are started."""
    talk.ask("setoption name Threads value 256", "isready", until="^readyok$")

    def late() -> float:
        began = time.monotonic()
        talk.ask("position startpos", "go movetime 100")
        return time.monotonic() - began - 0.1

    assert any(late() < 0.25 for _ in range(3))
    talk.send("setoption name Threads value 1")
