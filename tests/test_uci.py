"""`wari uci` through a real process: every command and every option."""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Iterator

import pytest
import wari
from uci_talk import Served, Talk, infos
from wari.uci import Option, parse_info, search
from wari.uci.protocol import parse_option

OVER = "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S"
FEW = "0-1-0-0-0-2-4-4-1-0-0-1-17-18-S"

pytestmark = pytest.mark.process


# Only F can give North seeds; no small table knows the board.
FORCED = "position fen 0-0-0-0-0-9-5-5-4-5-5-5-5-5-S"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A server in this process for the whole module."""
    served = Served()
    yield served
    served.server.close()


# --- each command --------------------------------------------------------------------------------


def test_uci_tells_name_and_options(talk: Talk) -> None:
    """Every option of the dialect, the rules and each axis."""
    said = talk.ask("uci", until="^uciok$")
    assert said[0] == f"id name wari {wari.__version__}"
    assert said[1].startswith("id author ")
    options = {option.name: option for option in map(parse_option, said[2:-1]) if option}
    assert len(options) == len(said) - 3
    usual = ["Hash", "Threads", "Ponder", "UseLeaves", "TablePath", "MultiPV", "Level"]
    assert set(options) == {
        *(*usual, "Evaluation", "FullWidth", "Move Overhead", "Rules"),
        *wari.AXES,
    }
    assert options["Rules"] == Option("Rules", "combo", "abapa", choices=wari.PRESETS)
    assert options["Hash"].default == "64"
    abapa = wari.Rules.preset("abapa")
    for axis in wari.AXES:
        assert options[axis].default == str(getattr(abapa, axis)).lower()


def test_debug_adds_strings(talk: Talk) -> None:
    """The position and the limits as they were understood."""
    talk.send("debug on", "position startpos moves Ff")
    assert talk.silence()[0].startswith("info string position 5-5-5-5-4-0-5-5-5-5-4-0-0-0-S rules")
    talk.send("debug off", "position startpos moves Ff")
    assert talk.silence() == []
    talk.send("debug maybe")
    assert talk.silence() == ["info string debug: expected on or off"]


def test_isready_is_answered_at_once_during_a_search(talk: Talk) -> None:
    """Fault 34."""
    talk.send("go infinite")
    talk.until("^info depth 5")
    times = []
    for _ in range(20):
        began = time.monotonic()
        talk.ask("isready", until="^readyok$")
        times.append(time.monotonic() - began)
    assert statistics.median(times) < 0.05
    talk.ask("stop")


def test_ucinewgame_forgets(talk: Talk) -> None:
    """The same search visits the same nodes again."""

    def nodes() -> int | None:
        return infos(talk.ask("position startpos moves Ff", "go depth 9"))[-1].nodes

    first = nodes()
    assert nodes() != first
    talk.send("ucinewgame")
    assert nodes() == first


@pytest.mark.parametrize(
    "line",
    [
        f"position fen {FEW}",
        f"position fen {FEW} moves",
        f"  position   fen {FEW.replace('-', ' - ')}  ",
        "position fen 0-0-0-0-0-1-1-2-1-0-0-2-20-21-N moves f",
        "position fen 0 - 0-0-0-0-1 -1-2-1-0 -0-2-20-21- N moves f",
    ],
)
def test_positions_in_every_form(talk: Talk, line: str) -> None:
    """Fault 32: spaces round the fields, `moves` absent or empty."""
    talk.send("debug on", line)
    assert len(talk.silence()) == 1
    assert "info string" in talk.heard[-2]


def test_move_lists_with_and_without_spaces(talk: Talk) -> None:
    """One word, or many."""
    shown = []
    for moves in ("FfEd", "F f E d", "Ff Ed"):
        talk.send("debug on", f"position startpos moves {moves}")
        shown.append(talk.silence())
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0]) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos moves FfF", "empty"),
        ("position startpos moves a", "other side"),
        ("position startpos moves FfX", "X"),
        (f"position fen {OVER} moves A", "over"),
        ("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-S", "fen|field|count"),
        ("position fen 4-4-4-4-4-4-4-4-4-4-4--4-0-0-S", "f:"),
        ("position fen 4-4-4-4-4-4-4-4-4-4-4-99-0-0-S", "f:"),
        ("position fen 0-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "total"),
        ("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "S or N"),
        ("position fen", ""),
        ("position fen 4-4-4", ""),
        ("position", "startpos or fen"),
        ("position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "startpos or fen"),
        ("position startpos FfEd", "startpos or fen"),
    ],
)
def test_a_wrong_position_is_refused_and_the_one_before_stays(
    talk: Talk, line: str, message: str
) -> None:
    """Faults 33 and 38."""
    talk.send(f"position fen {FEW} moves F", line)
    said = talk.silence()
    assert len(said) == 1
    assert re.match(f"info string position: .*({message})", said[0])
    assert said[0].endswith("; the position before stays")
    assert talk.best("go depth 1") in "abcf"


def test_go_depth_stops_at_the_depth(talk: Talk) -> None:
    """Every iteration is reported, none is beyond."""
    said = infos(talk.ask("position startpos moves Ff", "go depth 7"))
    assert [info.depth for info in said] == list(range(1, 8))
    last = said[-1]
    assert last.multipv == 1
    assert last.pv[0] in "ABCDEF"
    for field in (last.seldepth, last.time, last.nodes, last.nps, last.hashfull, last.tbhits):
        assert field is not None


def test_go_nodes_is_exact_within_a_hundredth(talk: Talk) -> None:
    """Once the search is beyond its first steps."""
    nodes = infos(talk.ask("go nodes 200000"))[-1].nodes
    assert nodes is not None
    assert nodes <= 202_000


def test_go_movetime_keeps_its_time(talk: Talk) -> None:
    """The median of five, with some room for a busy machine."""
    times = []
    for _ in range(5):
        began = time.monotonic()
        talk.best("go movetime 150")
        times.append(time.monotonic() - began)
    assert 0.05 < statistics.median(times) < 0.25


def test_a_search_of_seconds_tells_its_current_move(talk: Talk) -> None:
    """Only what stays in work for a while, and nothing in the first second."""
    began = time.monotonic()
    said = talk.ask("position startpos", "go infinite", until="currmove")
    assert time.monotonic() - began > 0.95
    current = [info for info in map(parse_info, said + talk.ask("stop")) if info.currmove]
    assert {info.currmove for info in current} <= set("ABCDEF")
    assert all(info.depth is not None and info.cp is None for info in current)
    assert all(info.currmovenumber in range(1, 7) for info in current)
    assert not any("currmove" in line for line in talk.ask("ucinewgame", "go movetime 100"))


def test_go_with_clocks_looks_at_the_clock_of_the_side_to_move(talk: Talk) -> None:
    """w is South, b North."""
    for moves, line in (
        ("", "go wtime 300 btime 900000 winc 10 binc 0"),
        ("F", "go wtime 900000 btime 300 movestogo 5"),
    ):
        began = time.monotonic()
        talk.best(f"position startpos moves {moves}", line)
        assert time.monotonic() - began < 1.0


def test_a_forced_move_is_played_at_once(talk: Talk) -> None:
    """However long the clock."""
    began = time.monotonic()
    for line in ("go wtime 600000 btime 600000", "go movetime 5000"):
        assert talk.best("setoption name UseLeaves value false", FORCED, line) == "F"
    assert time.monotonic() - began < 2.0


def test_go_searchmoves_looks_at_these_only(talk: Talk) -> None:
    """In one word or several; what is not legal is reported and left out."""
    assert talk.best("go depth 4 searchmoves E") == "E"
    assert talk.best("go searchmoves B C depth 4") in "BC"
    said = talk.ask("go depth 2 searchmoves xB")
    assert said[0] == "info string searchmoves: 'x' is not legal here"
    assert said[-1].split()[1] == "B"
    assert talk.best("go depth 2 searchmoves x") in "ABCDEF"


@pytest.mark.parametrize("position", ["startpos", f"fen {OVER}", f"fen {FEW}"])
def test_go_infinite_answers_after_stop_only(talk: Talk, position: str) -> None:
    """Fault 35: also where the game is over or decided."""
    talk.send(f"position {position}", "go infinite")
    time.sleep(0.15)
    assert not any(line.startswith("bestmove") for line in talk.silence())
    talk.ask("stop")
    assert talk.silence() == []


def test_go_ponder_answers_after_ponderhit_or_stop(talk: Talk) -> None:
    """The clock runs from the hit."""
    for line in ("go ponder movetime 20", "go ponder depth 2", "go ponder wtime 50 btime 50"):
        for release in ("ponderhit", "stop"):
            talk.send("position startpos moves FfE", line)
            time.sleep(0.1)
            assert not any(said.startswith("bestmove") for said in talk.silence())
            began = time.monotonic()
            assert talk.best(release) in "abcdef"
            assert time.monotonic() - began < 1.0
            assert talk.silence() == []


def test_a_finished_game_has_the_move_0000(talk: Talk) -> None:
    """Fault 31."""
    assert talk.best(f"position fen {OVER}", "go depth 5") == "0000"
    moves = "FfAaBbCcDdEe"
    start = "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S"
    assert talk.best(f"position fen {start} moves {moves}", "go") == "0000"


def test_stop_right_after_go(talk: Talk) -> None:
    """Fault 35."""
    for line in ("go infinite", "go ponder", "go", "go depth 60", "go movetime 60000"):
        assert talk.best(line, "stop") in "ABCDEF"
    assert talk.silence() == []


def test_stop_and_ponderhit_without_a_search(talk: Talk) -> None:
    """No answer to the one, a remark to the other."""
    talk.send("stop", "ponderhit")
    assert talk.silence() == ["info string ponderhit: no search runs"]


def test_stop_is_answered_within_50_milliseconds(talk: Talk) -> None:
    """The median of twenty."""
    times = []
    for _ in range(20):
        talk.send("go infinite")
        talk.until("^info depth 8")
        began = time.monotonic()
        talk.ask("stop")
        times.append(time.monotonic() - began)
    assert statistics.median(times) < 0.05


def test_each_go_has_one_bestmove(talk: Talk) -> None:
    """Also when it ends the one before, and when it makes no sense."""
    rng = random.Random(3)
    before = len(talk.heard)
    count = 0
    for _ in range(60):
        line = rng.choice(
            ("go infinite", "go depth 3", "go ponder", "go nodes 500", "go x", "go depth", "stop")
        )
        count += line.startswith("go")
        talk.send(line, *rng.choice(((), ("ponderhit",), ("stop",), ("isready",))))
    talk.send("stop", "go depth 1")
    while sum(line.startswith("bestmove") for line in talk.heard[before:]) < count + 1:
        talk.until("^bestmove")
    talk.silence()
    assert sum(line.startswith("bestmove") for line in talk.heard[before:]) == count + 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("go depth x", "depth needs a whole number"),
        ("go movetime", "movetime needs a whole number"),
        ("go fast", "unknown word 'fast'"),
        ("go depth infinite", "depth needs a whole number"),
        ("go movetime \u00b2", "movetime needs a whole number"),
        ("go movetime 99999999999999999999", "movetime is too large, 1000000000000 is used"),
        ("go depth 9" + "0" * 50, "depth is too large, 900 is used instead of '9000"),
        ("go nodes " + "9" * 5000, "nodes is too large, 4611686018427387904 is used"),
        ("go wtime 18446744073709551615 btime 1", "wtime is too large, 1000000000000 is used"),
        ("go movestogo 10001 wtime 50", "movestogo is too large, 10000 is used instead of '10001'"),
        ("go depth 0", "depth needs 1 or more, not 0"),
        ("go depth -3", "depth needs 1 or more, not -3"),
        ("go nodes 0", "nodes needs 1 or more, not 0"),
        ("go movetime 0", "movetime needs 1 or more, not 0"),
        ("go movestogo 0", "movestogo needs 1 or more, not 0"),
        ("go wtime -5 btime 1", "wtime needs 0 or more, not -5"),
        ("go wtime 50 btime 50 binc -1", "binc needs 0 or more, not -1"),
        ("go searchmoves", "searchmoves needs moves"),
        ("go searchmoves depth 2", "searchmoves needs moves"),
    ],
)
def test_what_go_does_not_understand_is_told(
    served: Served, line: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a move comes all the same; of itself, where no limit asks for more."""
    monkeypatch.setattr(search, "AFTER_NONSENSE", 0.05)
    before, moves = len(served.heard), len(served.best(0))
    served.obey("position startpos", line)
    if "infinite" in line or "too large" in message:
        served.obey("stop")
    assert len(served.best(moves + 1)) == moves + 1
    served.obey("isready")
    notes = [one for one in served.heard[before:] if one.startswith("info string go: ")]
    if not line.startswith("go movestogo"):
        assert len(notes) == 1
    first = notes[0].removeprefix("info string go: ")
    assert first.startswith(message) if "too large" in message else first == message
    assert len(served.best(0)) == moves + 1


def test_a_clock_at_zero_makes_sense(talk: Talk) -> None:
    """And so does no increment."""
    said = talk.ask("go wtime 0 btime 0 winc 0 binc 0")
    assert not any(line.startswith("info string") for line in said)


@pytest.mark.parametrize(
    "line", ["go depth 0", "go depth -3", "go movetime 0", "go movetime -5", "go nodes 0",
             "go wtime 0 btime 0", "go wtime -100 btime -100 winc -5 movestogo -1", "go nodes 1"]
)  # fmt: skip
def test_limits_of_nothing_give_a_move_soon(talk: Talk, line: str) -> None:
    """Clocks can run out in a GUI."""
    began = time.monotonic()
    assert talk.best(line) in "ABCDEF"
    assert time.monotonic() - began < 2.0
