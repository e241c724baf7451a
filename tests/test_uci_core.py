"""What both UCI clients share: lines that are too long, forks, ends, engines that do not read."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
import wari
from wari.uci import AsyncClient, Client, EngineDiedError, process
from wari.uci.process import PENDING, LineQueue

pytestmark = pytest.mark.process

GAME = wari.Game("abapa")


def scripted(at_go: str, at_ready: str = "print('readyok', flush=True)") -> list[str]:
    """The command of an engine that does something at `go` and `isready`; it imports little."""
    program = f"""
import sys, time
for line in sys.stdin:
    if line.startswith("uci"): print("uciok", flush=True)
    elif line.startswith("isready"): {at_ready}
    elif line.startswith("go"):
        {at_go}
    elif line.startswith("quit"): break
"""
    return [sys.executable, "-S", "-c", program]


ANSWERS = scripted("print('bestmove A', flush=True)")


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that do not end by themselves are not waited for so long."""
    monkeypatch.setattr(process, "PATIENCE", 0.2)


def run(script: str) -> str:
    """The output of a program with an engine in `command`; it ends well and quietly."""
    head = f"import os, sys, threading, time, wari\ncommand = {ANSWERS!r}\n"
    head += f"silent = {scripted('time.sleep(60)')!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", head + script], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_plain_client_needs_no_asyncio() -> None:
    """Which takes longer to import than all the rest of the client."""
    said = run(
        "wari.uci.Client(command).close()\n"
        "print('asyncio' in sys.modules, 'AsyncClient' in dir(wari.uci))\n"
        "print(wari.uci.AsyncClient.__name__)\n"
    )
    assert said.split() == ["False", "True", "AsyncClient"]
    with pytest.raises(AttributeError, match="has no attribute 'Klient'"):
        wari.uci.Klient  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_forked_child_does_not_end_the_engine() -> None:
    """The parent goes on with it."""
    said = run("""
import warnings
warnings.simplefilter("ignore")  # newer Pythons warn of forks with threads
engine = wari.uci.Client(command)
child = os.fork()
if child == 0:
    sys.exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(engine.go(wari.Game("abapa"), depth=1).best_move)
engine.close()
""")
    assert said.split() == ["5", "A"]


def test_an_interpreter_that_ends_ends_its_engines() -> None:
    """Idle ones, and one that a daemon thread waits for."""
    said = run("""
idle, waiting = wari.uci.Client(command), wari.uci.Client(silent)
def search():
    try:
        waiting.go(wari.Game("abapa"), depth=1)
    except wari.uci.EngineDiedError:
        pass
threading.Thread(target=search, daemon=True).start()
time.sleep(0.1)
print(idle.pid, waiting.pid)
""")
    for pid in map(int, said.split()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_line_without_end_is_an_error_of_both_clients() -> None:
    """Rather than many lines that the engine never wrote."""
    command = scripted("print('info string', 'x' * 70_000, flush=True); print('bestmove A')")
    message = "wrote a line without end"
    with Client(command) as engine, pytest.raises(EngineDiedError, match=message):
        engine.go(GAME, depth=1)

    async def session() -> None:
        async with AsyncClient(command) as engine:
            await engine.go(GAME, depth=1)

    with pytest.raises(EngineDiedError, match=message):
        asyncio.run(session())


def test_an_engine_that_does_not_read_does_not_block_the_loop() -> None:
    """Other tasks go on, and the lines that wait are written in order or not at all."""
    command = scripted("time.sleep(60)")

    async def session() -> int:
        async with AsyncClient(command) as engine:
            search = asyncio.create_task(engine.go(GAME, infinite=True))
            await asyncio.sleep(0.05)
            long = [engine._core.send("x" * 60_000) for _ in range(3)]  # a pipe holds one of them
            writes = [*map(asyncio.create_task, long), asyncio.create_task(engine.stop())]
            turns = 0
            for _ in range(20):
                await asyncio.sleep(0.001)
                turns += 1
            await engine.close(force=True)
            with pytest.raises(EngineDiedError, match="was closed"):
                await search
            await asyncio.gather(*writes, return_exceptions=True)
            return turns

    assert asyncio.run(asyncio.wait_for(session(), 30)) == 20


def test_a_flood_leaves_other_tasks_their_turn() -> None:
    """Though a next line is there at any time."""
    flood = "while True: print('info depth 1 score cp 1 pv F')"

    async def session() -> None:
        async with AsyncClient(scripted(flood)) as engine:
            search = asyncio.create_task(engine.go(GAME, infinite=True))
            await asyncio.sleep(0.2)
            search.cancel()
            await engine.close(force=True)
            await asyncio.wait([search])

    began = time.monotonic()
    asyncio.run(asyncio.wait_for(session(), 30))
    assert time.monotonic() - began < 15


def test_closing_frees_a_task_that_waits() -> None:
    """At once, though the engine says nothing."""

    async def session() -> None:
        engine = AsyncClient(scripted("time.sleep(60)"))
        await engine.start()
        search = asyncio.create_task(engine.go(GAME, depth=1))
        await asyncio.sleep(0.05)
        await engine.close(force=True)
        with pytest.raises(EngineDiedError, match="was closed"):
            await search
        with pytest.raises(EngineDiedError, match="was closed"):
            await engine.stop()

    asyncio.run(asyncio.wait_for(session(), 30))


def test_an_async_client_that_was_not_started() -> None:
    """Nothing can be asked of it, and it can be closed."""

    async def session() -> None:
        engine = AsyncClient(ANSWERS)
        with pytest.raises(EngineDiedError, match="is not running"):
            await engine.is_ready()
        await engine.close()

    asyncio.run(session())


# --- the queue of lines --------------------------------------------------------------------------


def test_a_queue_that_wakes_its_reader() -> None:
    """Once, at the next change, and only where there was nothing to read."""
    lines, woken = LineQueue(), list[int]()

    def wake(number: int) -> Callable[[], Any]:
        return lambda: woken.append(number)

    assert lines.take(None, wake(1)) is PENDING
    lines.put("one")
    lines.put("two")
    assert woken == [1]
    assert (lines.take(None, wake(2)), lines.get(None)) == ("one", "two")
    with pytest.raises(TimeoutError):
        lines.take(time.monotonic() - 1, wake(3))
    assert lines.take(time.monotonic() + 60, wake(4)) is PENDING
    lines.shut()
    assert (lines.take(None, wake(5)), woken) == (None, [1, 4])
