"""The UCI client, sync and asyncio, with a good engine and with every kind of bad one."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import wari
from uci_talk import is_gone
from wari.uci import (
    Answer,
    AsyncClient,
    Client,
    EngineDiedError,
    EngineError,
    EngineTimeoutError,
    Info,
    Option,
    SearchOptions,
    process,
)

pytestmark = pytest.mark.process

FAKE = str(Path(__file__).with_name("fake_engine.py"))
GAME = wari.Game.replay("Ff", "abapa")


def command(fault: str = "") -> list[str]:
    """The command line of the fake engine."""
    return [sys.executable, FAKE, fault]


# --- a good engine -------------------------------------------------------------------------------


def test_a_session() -> None:
    """Names, options, a search, the end."""
    with Client(command(), options={"hash": 32}) as engine:
        assert (engine.name, engine.author) == ("Fake engine 1.0", "nobody at all")
        assert engine.options["Hash"] == Option("Hash", "spin", "16", 1, 64)
        assert engine.options["Own Style"].choices == ("very calm", "wild")
        engine.new_game()
        engine.is_ready()
        answer = engine.go(GAME, depth=2)
        assert answer.info.bound == "estimate"
        assert (answer.best_move, answer.ponder) == ("A", "a")
        assert (answer.info.depth, answer.info.cp, answer.info.pv) == (2, 31, ("A",))
        pid = engine.pid
    assert is_gone(pid)


def test_a_command_line_as_text() -> None:
    """Quoted as for a shell."""
    with Client(f"{sys.executable} '{FAKE}'") as engine:
        assert engine.go(wari.Position("abapa"), nodes=5).best_move == "A"


def test_limits_are_sent_in_the_dialect() -> None:
    """South's clock is white's."""
    with Client(command()) as engine:
        items = engine.stream(
            GAME,
            depth=3,
            nodes=9,
            time=0.5,
            clock={"S": 60, "N": 59.5, "S+": 1, "N+": 0},
            moves_to_go=10,
            ponder=True,
            moves="AB",
        )
        first = next(items)
        assert isinstance(first, Info)
        assert first.string == (
            "thinking about go depth 3 nodes 9 movetime 500 wtime 60000 btime 59500 winc 1000 "
            "binc 0 movestogo 10 ponder searchmoves AB"
        )
        assert isinstance(list(items)[-1], Answer)


def test_leaving_a_stream_stops_the_search() -> None:
    """And the next search begins afresh."""
    with Client(command()) as engine:
        for item in engine.stream(GAME, infinite=True):
            if isinstance(item, Info) and item.depth == 2:
                break
        assert engine.go(GAME, depth=1).best_move == "A"


def test_stop_from_another_thread() -> None:
    """An infinite search ends with its move."""
    start = wari.Position("abapa")
    with Client(command()) as engine:
        threading.Timer(0.1, engine.stop).start()
        assert engine.go(start, infinite=True, timeout=10).best_move == "F"


def test_a_finished_game_has_no_move() -> None:
    """`bestmove 0000`."""
    over = wari.Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", rules="abapa")
    with Client(command()) as engine:
        assert engine.go(over, depth=1).best_move is None


def test_rules_that_an_engine_does_not_know_are_refused() -> None:
    """One without the option plays abapa; one with it is sent them."""
    with Client(command()) as engine, pytest.raises(EngineError, match="abapa, so not wari"):
        engine.go(wari.Game("wari"), depth=1)
    with Client(command("knows rules")) as engine:
        assert engine.go(wari.Game("wari"), depth=1).best_move == "A"


def test_wrong_options_are_refused() -> None:
    """Before anything is sent."""
    with Client(command()) as engine:
        with pytest.raises(wari.InvalidValueError, match="expected one of Hash, Own Style, Path"):
            engine.set_option("Contempt", 1)
        with pytest.raises(wari.InvalidValueError, match="one line"):
            engine.set_option("Path", "a\nquit")
        for value in (0, 65, "x", ""):
            with pytest.raises(wari.InvalidValueError, match="Hash: expected .* 1 to 64"):
                engine.set_option("Hash", value)
        with pytest.raises(wari.InvalidValueError, match="clock"):
            engine.go(GAME, clock={"W": 1})


WRONG_LIMITS: list[dict[str, Any]] = [
    {"time": float("nan")},
    {"time": float("inf")},
    {"time": -1},
    {"time": 0},
    {"time": "1"},
    {"depth": -1},
    {"depth": 0},
    {"depth": 2**40},
    {"nodes": 1.5},
    {"nodes": True},
    {"moves_to_go": 0},
    {"clock": 5},
    {"clock": {"W": 1}},
    {"clock": {"S": -1}},
    {"clock": {"S+": float("nan")}},
    {"moves": 1.5},
    {"moves": " "},
    {"infinite": 1},
    {"timeout": "x", "depth": 1},
    {"timeout": -1, "depth": 1},
]


@pytest.mark.parametrize("limits", WRONG_LIMITS, ids=str)
def test_wrong_limits_are_refused_before_anything_is_sent(limits: dict[str, Any]) -> None:
    """In the words of the Engine's limits, and the client goes on."""
    name = next(iter(limits))
    with Client(command()) as engine:
        with pytest.raises(wari.InvalidValueError, match=f"^{name}") as caught:
            engine.go(GAME, **limits)
        assert caught.value.field.split()[0] == name
        assert engine.go(GAME, depth=1).best_move == "A"


def test_wrong_limits_are_refused_in_asyncio() -> None:
    """The same check."""

    async def session() -> str | None:
        async with AsyncClient(command()) as engine:
            with pytest.raises(wari.InvalidValueError, match="^time: "):
                await engine.go(GAME, time=float("nan"))
            return (await engine.go(GAME, depth=1)).best_move

    assert asyncio.run(session()) == "A"
    with pytest.raises(wari.InvalidValueError, match="^timeout: "):
        AsyncClient(command(), timeout=-1)


@pytest.mark.parametrize("position", [None, "4-4-4", 5])
def test_what_is_no_position_is_refused(position: Any) -> None:
    """And the client goes on."""
    with Client(command()) as engine:
        with pytest.raises(wari.InvalidValueError, match="^position: expected a Position"):
            engine.go(position, depth=1)
        assert engine.go(GAME, depth=1).best_move == "A"


@pytest.mark.parametrize(
    ("name", "value"),
    [("options", 5), ("options", "Hash"), ("timeout", "x"), ("timeout", -1), ("timeout", None)],
)
def test_wrong_arguments_start_no_engine(name: str, value: Any) -> None:
    """The error names the argument."""
    arguments: dict[str, Any] = {name: value}
    with pytest.raises(wari.InvalidValueError, match=f"^{name}: expected"):
        Client(["/no/such/engine"], **arguments)


@pytest.mark.parametrize("words", [None, 5, ["engine", 5], [b"engine"], "engine 'open"])
def test_what_is_no_command_is_refused(words: Any) -> None:
    """A list of texts or a command line."""
    with pytest.raises(wari.InvalidValueError, match="^command: "):
        Client(words)


def test_options_are_text_in_one_line() -> None:
    """A name that is no text, and a text that cannot be sent."""
    wrong: Any = 5
    with Client(command()) as engine:
        with pytest.raises(wari.InvalidValueError, match="^option: expected a name, not 5"):
            engine.set_option(wrong, 1)
        with pytest.raises(wari.InvalidValueError, match="^Path: expected one line"):
            engine.set_option("Path", "\ud800")
        engine.is_ready()


def test_times_that_are_tiny_or_huge_can_be_sent() -> None:
    """Never a time of zero, never a number that engines cannot read."""
    assert SearchOptions(wari.Limits(time=1e-9)).words("S") == "go movetime 1"
    assert SearchOptions(wari.Limits(time=1e300)).words("S") == "go movetime 1000000000000"
    assert SearchOptions(clocks={"S": 0, "N": 1}, moves="A B").words("S") == (
        "go wtime 0 btime 1000 searchmoves AB"
    )
    with Client(command()) as engine:
        assert engine.go(GAME, time=1e300).best_move == "A"


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that do not end by themselves are not waited for so long."""
    monkeypatch.setattr(process, "PATIENCE", 0.2)


# --- bad engines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "empty"),
        (["/no/such/engine"], "cannot start"),
        ([sys.executable, "-c", "pass"], "has ended"),
        (command("dies at uci"), r"code 3.*out of seeds"),
    ],
)
def test_engines_that_do_not_start(words: list[str], message: str) -> None:
    """The error has the engine's last words."""
    with pytest.raises(EngineDiedError, match=message):
        Client(words)


@pytest.mark.usefixtures("_hasty")
def test_an_engine_that_says_nothing() -> None:
    """It is ended when its time is up."""
    began = time.monotonic()
    with pytest.raises(EngineTimeoutError, match="did not say uciok in time"):
        Client(command("no uciok"), timeout=0.2)
    assert time.monotonic() - began < 5


def test_an_engine_that_dies_in_a_search() -> None:
    """Later calls say so too."""
    with Client(command("dies in a search")) as engine:
        with pytest.raises(EngineDiedError, match="no more"):
            engine.go(GAME, depth=1)
        with pytest.raises(EngineDiedError):
            engine.is_ready()


def test_an_engine_that_has_died_does_not_end_a_process_that_minds_its_own_pipe() -> None:
    """Where SIGPIPE has its default, as in the command line."""
    program = f"""
import os, signal, wari
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
with wari.uci.Client({command()!r}) as engine:
    os.kill(engine.pid, signal.SIGKILL)
    engine._core.process._child.wait()
    for _ in range(2):
        try:
            engine.new_game()
        except wari.uci.EngineDiedError as error:
            print("died")
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGPIPE).name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["died", "died", "set()", "SIG_DFL"]


@pytest.mark.usefixtures("_hasty")
def test_an_engine_that_hangs_in_a_search() -> None:
    """With a limit of time, or with a time-out of the caller."""
    for limits in ({"time": 0.1}, {"depth": 5, "timeout": 0.2}, {"clock": {"N": 9, "S": 0.1}}):
        arguments: dict[str, Any] = dict(limits)
        with Client(command("hangs in a search"), timeout=5.0) as engine:
            engine.timeout = 0.1
            with pytest.raises(EngineTimeoutError, match="bestmove"):
                engine.go(GAME, **arguments)
            assert is_gone(engine.pid)


@pytest.mark.parametrize("fault", ["illegal move", "no move"])
def test_an_answer_that_is_no_legal_move(fault: str) -> None:
    """It never reaches the caller."""
    with Client(command(fault)) as engine, pytest.raises(EngineError, match="answered 'bestmove"):
        engine.go(GAME, depth=1)


@pytest.mark.usefixtures("_hasty")
def test_a_line_without_end_does_not_fill_the_memory() -> None:
    """It is read in pieces, and the time-out counts."""
    with (
        Client(command("endless line"), timeout=5) as engine,
        pytest.raises((EngineTimeoutError, EngineDiedError)),
    ):
        engine.go(GAME, depth=1, timeout=0.5)


@pytest.mark.usefixtures("_hasty")
def test_no_zombie_and_no_thread_is_left() -> None:
    """Whether closed, forgotten, or unwilling to quit."""
    threads = threading.active_count()
    pids = []
    for fault in ("", "ignores quit", "has a child"):
        engine = Client(command(fault))
        pids.append(engine.pid)
        engine.close()
        engine.close()
    forgotten = Client(command())
    pids.append(forgotten.pid)
    del forgotten
    gc.collect()
    assert all(map(is_gone, pids))
    deadline = time.monotonic() + 5
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == threads


# --- asyncio -------------------------------------------------------------------------------------


def test_two_engines_at_once_in_one_loop() -> None:
    """With the same methods, awaited."""

    async def one() -> Answer:
        async with AsyncClient(command(), options={"Hash": 1}) as engine:
            assert engine.name == "Fake engine 1.0"
            assert "Path" in engine.options
            await engine.new_game()
            await engine.is_ready()
            answer = await engine.go(GAME, depth=2)
            pids.append(engine.pid)
            return answer

    async def both() -> list[Answer]:
        return list(await asyncio.gather(one(), one()))

    pids: list[int | None] = []
    for answer in asyncio.run(both()):
        assert (answer.best_move, answer.info.depth) == ("A", 2)
    assert all(pid is not None and is_gone(pid) for pid in pids)


def test_an_async_stream_and_stop() -> None:
    """Leaving the loop, and stopping from another task."""

    async def session() -> tuple[int, str | None, str | None]:
        async with AsyncClient(command()) as engine:
            seen = 0
            stream = engine.stream(GAME, infinite=True)
            async for _ in stream:
                seen += 1
                if seen == 3:
                    break
            await stream.aclose()
            after = await engine.go(GAME, depth=1)
            search = asyncio.create_task(engine.go(wari.Position("abapa"), infinite=True))
            await asyncio.sleep(0.1)
            await engine.stop()
            return seen, after.best_move, (await search).best_move

    assert asyncio.run(session()) == (3, "A", "F")


def test_a_cancelled_task_stops_its_search() -> None:
    """The engine can be used again."""

    async def session() -> str | None:
        async with AsyncClient(command()) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.go(GAME, infinite=True), 0.2)
            return (await engine.go(GAME, depth=1)).best_move

    assert asyncio.run(session()) == "A"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("no uciok", EngineTimeoutError),
        ("dies at uci", EngineDiedError),
        ("dies in a search", EngineDiedError),
        ("hangs in a search", EngineTimeoutError),
        ("endless line", EngineDiedError),
        ("illegal move", EngineError),
    ],
)
@pytest.mark.usefixtures("_hasty")
def test_bad_engines_in_asyncio(fault: str, error: type[Exception]) -> None:
    """The same errors."""

    async def session() -> None:
        patience = 0.3 if fault == "no uciok" else 5.0
        async with AsyncClient(command(fault), timeout=patience) as engine:
            await engine.go(GAME, depth=1, timeout=0.3)

    with pytest.raises(error):
        asyncio.run(session())


def test_an_async_engine_that_is_not_there() -> None:
    """As the sync one."""

    async def session() -> None:
        async with AsyncClient(["/no/such/engine"]):
            pass

    with pytest.raises(EngineDiedError, match="cannot start"):
        asyncio.run(session())
