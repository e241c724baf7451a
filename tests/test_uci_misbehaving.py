"""Misbehaving engines and callers out of turn: time-outs, floods, one search at a time."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

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
    process,
)

pytestmark = pytest.mark.process

GAME = wari.Game("abapa")
OTHER = wari.Position.parse("0-0-0-0-0-1-1-0-0-0-0-0-23-23-N", "abapa")  # its one move: a
OURS = [sys.executable, "-m", "wari", "uci"]

FLOOD = "while True: print('info depth 1 score cp 1 pv F')"


def scripted(at_go: str, at_uci: str = "print('uciok', flush=True)") -> list[str]:
    """The command of an engine that runs a line of Python at `uci` and at `go`."""
    program = f"""
import os, sys, time
for line in sys.stdin:
    if line.startswith("ucinewgame"): pass
    elif line.startswith("uci"):
        {at_uci}
    elif line.startswith("isready"): print("readyok", flush=True)
    elif line.startswith("go"):
        {at_go}
    elif line.startswith("quit"): break
"""
    return [sys.executable, "-c", program]


def resident() -> int:
    """Memory of this process, in MiB."""

    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that do not end by themselves are not waited for so long."""
    monkeypatch.setattr(process, "PATIENCE", 0.2)


# --- floods --------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="reads its memory from /proc")
def test_a_flood_does_not_outrun_the_time_out_or_fill_the_memory() -> None:
    """Neither as a greeting nor in a search."""
    before, began = resident(), time.monotonic()
    with pytest.raises(EngineTimeoutError, match="uciok"):
        Client(scripted("pass", at_uci=FLOOD), timeout=0.25)
    with Client(scripted(FLOOD), timeout=5) as engine:
        engine.timeout = 0.2
        with pytest.raises(EngineTimeoutError, match="bestmove"):
            engine.go(GAME, time=0.1)
        assert is_gone(engine.pid)
    assert time.monotonic() - began < 20
    assert resident() - before < 40


def test_a_flood_in_asyncio() -> None:
    """The same."""

    async def session() -> None:
        async with AsyncClient(scripted(FLOOD), timeout=5) as engine:
            engine.timeout = 0.2
            await engine.go(GAME, time=0.1)

    with pytest.raises(EngineTimeoutError, match="bestmove"):
        asyncio.run(session())


def test_an_engine_is_not_late_because_its_reader_is() -> None:
    """What came in time counts, however late it is looked at.

    The engine has its tables before the clock runs.
    """
    with Client(OURS) as engine:
        engine.go(GAME, depth=1)
        engine.timeout = 0.8
        items = engine.stream(GAME, time=0.1)
        next(items)
        time.sleep(1.1)
        assert isinstance(list(items)[-1], Answer)


# --- one search at a time ------------------------------------------------------------------------


def test_an_open_stream_is_stopped_by_a_new_search() -> None:
    """The new one has its own answer; the rest of the old stream is an error."""
    with Client(OURS) as engine:
        old = engine.stream(GAME, infinite=True)
        next(old)
        assert engine.go(OTHER, depth=2).best_move == "a"
        with pytest.raises(wari.CancelledError, match="another one has begun"):
            next(old)
        newer = engine.stream(GAME, depth=9)
        next(newer)
        with pytest.raises(wari.InvalidValueError):
            engine.go(GAME, depth=0)
        *_, last = newer
        assert isinstance(last, Answer)
        assert last.info.depth == 9


def test_waiting_for_the_engine_takes_nothing_from_an_open_stream() -> None:
    """Though the best move may come while `readyok` is waited for."""
    for depth in (4, 13):
        with Client(OURS) as engine:
            items = engine.stream(GAME, depth=depth)
            depths = [cast(Info, next(items)).depth]
            engine.is_ready()
            time.sleep(0.1)
            engine.is_ready()
            *infos, answer = items
            depths += [cast(Info, info).depth for info in infos]
            assert depths == list(range(1, depth + 1))
            assert isinstance(answer, Answer)
            assert engine.go(OTHER, depth=2).best_move == "a"


def test_two_threads_cannot_search_at_once() -> None:
    """The second gets an error, and the first is not disturbed."""
    with Client(OURS) as engine:
        answers: list[Answer] = []
        first = threading.Thread(
            target=lambda: answers.append(engine.go(GAME, infinite=True)), daemon=True
        )
        first.start()
        time.sleep(0.3)
        calls: list[Any] = [
            lambda: engine.go(OTHER, depth=2),
            lambda: next(engine.stream(OTHER, depth=2)),
            engine.is_ready,
            engine.new_game,
            lambda: engine.set_option("Hash", 8),
        ]
        for call in calls:
            with pytest.raises(wari.BusyError, match="another thread"):
                call()
        engine.stop()
        first.join(10)
        assert [answer.best_move in GAME.legal_moves() for answer in answers] == [True]
        assert engine.go(OTHER, depth=2).best_move == "a"


def test_closing_by_force_frees_a_thread_that_waits() -> None:
    """At once, though the engine says nothing."""
    engine = Client(scripted("time.sleep(60)"))
    errors: list[Exception] = []

    def search() -> None:
        try:
            engine.go(GAME, depth=1)
        except EngineDiedError as error:
            errors.append(error)

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    engine.close(force=True)
    thread.join(10)
    assert time.monotonic() - began < 0.9
    assert len(errors) == 1
    assert is_gone(engine.pid)


def test_an_async_stream_that_was_left_is_stopped() -> None:
    """At once, after a moment, and when it is still held."""

    async def session() -> None:
        async with AsyncClient(OURS) as engine:
            for moments in (0, 1, 2, 3, 5, 50):
                async for _ in engine.stream(GAME, infinite=True):
                    break
                for _ in range(moments):
                    await asyncio.sleep(0)
                assert (await engine.go(OTHER, depth=2)).best_move == "a"
            held = cast(AsyncGenerator[Any, None], engine.stream(GAME, infinite=True))
            await anext(held)
            assert (await engine.go(OTHER, depth=2)).best_move == "a"
            with pytest.raises(wari.CancelledError):
                await anext(held)
            stream = engine.stream(GAME, depth=12)
            await anext(stream)
            await engine.is_ready()
            *_, last = [item async for item in stream]
            assert isinstance(last, Answer)

    asyncio.run(asyncio.wait_for(session(), 60))


def test_two_tasks_cannot_search_at_once() -> None:
    """The second gets an error."""

    async def session() -> None:
        async with AsyncClient(OURS) as engine:
            first, second = await asyncio.gather(
                engine.go(GAME, depth=10), engine.go(OTHER, depth=2), return_exceptions=True
            )
            assert isinstance(first, Answer)
            assert first.info.depth == 10
            assert isinstance(second, wari.BusyError)
            assert (await engine.go(OTHER, depth=2)).best_move == "a"

    asyncio.run(asyncio.wait_for(session(), 60))


# --- the end of an engine ------------------------------------------------------------------------


def test_a_wrong_answer_ends_the_process() -> None:
    """As any other fault."""
    with Client(scripted("print('bestmove Z', flush=True)")) as engine:
        with pytest.raises(EngineError, match="answered 'bestmove Z'"):
            engine.go(GAME, depth=1)
        assert is_gone(engine.pid)
        with pytest.raises(EngineDiedError, match="was closed"):
            engine.is_ready()


def test_errors_in_asyncio_have_the_code_and_the_last_words() -> None:
    """As the other client's."""

    async def session(at_go: str) -> None:
        async with AsyncClient(scripted(at_go)) as engine:
            try:
                await engine.go(GAME, depth=1)
            finally:
                assert engine.pid is None

    with pytest.raises(EngineDiedError, match=r"has ended \(code 7\); its last words: out of se"):
        asyncio.run(session("sys.stderr.write('out of seeds'); sys.exit(7)"))
    with pytest.raises(EngineError, match="answered 'bestmove Z'"):
        asyncio.run(session("print('bestmove Z', flush=True)"))


def test_a_flood_of_errors_does_not_stop_an_async_engine() -> None:
    """It is read, and forgotten but for the end."""

    async def session() -> str | None:
        at_go = "sys.stderr.write('x' * 3_000_000); print('bestmove A', flush=True)"
        async with AsyncClient(scripted(at_go)) as engine:
            return (await engine.go(GAME, depth=1)).best_move

    assert asyncio.run(session()) == "A"


@pytest.fixture
def like_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without groups of processes and without the last signal."""
    monkeypatch.delattr(signal, "SIGKILL")
    monkeypatch.delattr(os, "killpg")


STUBBORN = [sys.executable, "-c", "import time; print('uciok', flush=True); time.sleep(60)"]


@pytest.mark.usefixtures("like_windows")
@pytest.mark.parametrize("command", [OURS, STUBBORN])
def test_engines_end_where_there_are_no_groups_of_processes(command: list[str]) -> None:
    """By themselves or not."""
    engine = Client(command)
    engine.close()
    assert is_gone(engine.pid)

    async def session() -> int | None:
        async with AsyncClient(command) as engine:
            return engine.pid

    assert is_gone(asyncio.run(session()))


# --- what is said after the move -----------------------------------------------------------------


def test_a_reply_that_is_not_legal_is_none() -> None:
    """The caller would ponder on a position that cannot be."""
    quoted = "print('bestmove ' + replies.pop(0), flush=True)"
    replies = ["A ponder A", "A ponder x", "A ponder", "A ponder a", "A ponder 0000"]
    command = scripted(f"globals().setdefault('replies', {replies!r}); {quoted}")
    with Client(command) as engine:
        for position in (GAME, GAME, GAME.position, GAME.position, GAME):
            answer = engine.go(position, depth=1)
            assert answer.best_move == "A"
            assert answer.ponder == ("a" if len(replies) == 2 else None)
            replies.pop(0)


def test_a_reply_is_judged_with_the_history() -> None:
    """After a move that ends the game by repetition there is none."""
    game = wari.Game("abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    game.push_all("AaBbCcDdEe")
    replied = game.copy()
    replied.push("F")
    before_the_end = game.position.play("F").legal_moves()
    with Client(scripted("print('bestmove F ponder f', flush=True)")) as engine:
        assert replied.legal_moves() == before_the_end == ("f",)
        assert engine.go(game, depth=1).ponder == "f"
    game.push_all("Ff")
    assert game.is_over


def test_a_byte_order_mark_before_the_first_word() -> None:
    """Some languages write one before all that they say."""
    marked = "sys.stdout.buffer.write(b'\\xef\\xbb\\xbfuciok\\n'); sys.stdout.flush()"
    command = scripted("print('bestmove A', flush=True)", at_uci=marked)
    with Client(command, timeout=5) as engine:
        assert engine.go(GAME, depth=1).best_move == "A"

    async def session() -> str | None:
        async with AsyncClient(command, timeout=5) as engine:
            return (await engine.go(GAME, depth=1)).best_move

    assert asyncio.run(session()) == "A"


def test_an_engine_for_which_there_is_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended, and the error says why it could not be started."""
    starts, real = [], threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        starts.append(thread)
        if len(starts) == allowed + 1:
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    for allowed in (0, 1):  # noqa: B007 - read by `refused`
        starts.clear()
        with pytest.raises(EngineDiedError, match="cannot start .*: thread: the system grants no"):
            Client(OURS)


def test_a_flood_of_last_words_is_cut_and_escaped() -> None:
    """They are shown, and kept in files."""
    words = "sys.stderr.write('x' * 60000 + chr(27) + '[31m' + 'end'); sys.exit(3)"
    with Client(scripted(words)) as engine, pytest.raises(EngineDiedError) as caught:
        engine.go(GAME, depth=1)
    assert str(caught.value).endswith("x\\x1b[31mend")
    assert len(str(caught.value)) < 1200


# --- limits that cannot be -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"moves": "Z"}, "moves: 'Z' is not legal here"),
        ({"moves": "Aa", "depth": 1}, "moves: 'a' is not legal here"),
        ({"clock": {"N": 1}}, "clock: expected the seconds of S, who is to move"),
        ({"clock": {"N": 1, "S+": 1}, "ponder": True}, "clock: expected the seconds of S"),
        ({"clock": {}}, "clock: expected the seconds of S"),
        ({"moves_to_go": 5}, "moves_to_go: expected the seconds of S"),
    ],
)
def test_limits_that_make_no_sense_here(limits: dict[str, Any], message: str) -> None:
    """They are refused before anything is sent; another limit makes up for a clock."""
    with Client(scripted("print('bestmove A', flush=True)")) as engine:
        with pytest.raises(wari.InvalidValueError, match=f"^{message}"):
            engine.go(GAME, **limits)
        assert engine.go(GAME, clock={"N": 1}, depth=1).best_move == "A"
