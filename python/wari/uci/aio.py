"""Any UCI oware engine, driven from asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from wari._threads import NoThreadError, started
from wari.game import Game
from wari.limits import Clock, Limits
from wari.position import Position
from wari.rules import Rules
from wari.uci.core import ClientCore
from wari.uci.process import PENDING, LineProcess, LineQueue
from wari.uci.protocol import Answer, Info, Option
from wari.uci.state_machine import search_options

T = TypeVar("T")

_LINES_AT_ONCE = 100  # then other tasks have their turn, whatever the engine says


class _Suspending:
    """Waits in an event loop; what may block is done by a thread of its own."""

    caller = "task"

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._writing: asyncio.Future[None] | None = None
        self._lines = 0

    async def line(self, lines: LineQueue, end: float | None) -> str | None:
        self._lines += 1
        if self._lines % _LINES_AT_ONCE == 0:
            await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        while True:
            changed: asyncio.Future[None] = loop.create_future()
            wake = partial(_resolve, changed, None)
            line = lines.take(end, partial(_soon, loop, wake))
            if line is not PENDING:
                return line
            timer = None
            if end is not None:
                timer = loop.call_later(max(0.0, end - time.monotonic()), wake)
            try:
                await changed
            finally:
                if timer is not None:
                    timer.cancel()

    async def write(self, process: LineProcess, line: str) -> None:
        """Lines are written in their order, also where the task of an earlier one was cancelled."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait([self._writing])
        if not process.write_now(line):
            self._writing = _in_thread(partial(process.write, line))
            await asyncio.wait([self._writing])
            self._writing.result()

    async def call(self, function: Callable[[], T]) -> T:
        """It goes on where the task is cancelled."""
        done = _in_thread(function)
        await asyncio.wait([done])
        return done.result()

    async def acquire(self, seconds: float) -> bool:
        if not self._lock.locked():
            return await self._lock.acquire()
        if seconds <= 0:
            return False
        try:
            return await asyncio.wait_for(self._lock.acquire(), seconds)
        except asyncio.TimeoutError:
            return False

    def release(self) -> None:
        self._lock.release()


def _in_thread(function: Callable[[], T]) -> asyncio.Future[T]:
    """What a function will return, or raise, in a thread; here, where the system grants none."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    future.add_done_callback(lambda done: done.exception())  # nobody may look where one cancels

    def work(deliver: Callable[[Callable[[], object]], object]) -> None:
        try:
            outcome = partial(_resolve, future, function())
        except Exception as error:
            outcome = partial(_fail, future, error)
        deliver(outcome)

    try:
        started(work, partial(_soon, loop))
    except NoThreadError:
        work(lambda outcome: outcome())
    return future


def _soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], object]) -> None:
    """Has a loop call something, from another thread; one that is closed does nothing."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)


def _resolve(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


class AsyncClient:
    """`Client` for asyncio: the same methods to await, and `stream` for `async for`.

    >>> import asyncio, sys, wari
    >>> async def ask():
    ...     command = [sys.executable, "-m", "wari", "uci"]
    ...     async with wari.uci.AsyncClient(command) as engine:
    ...         return await engine.go(wari.Position("abapa"), depth=6)
    >>> asyncio.run(ask()).info.depth
    6

    Raises what `Client` raises, BusyError while another task waits for the engine. A task that is
    cancelled while it waits stops the search.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        options: Mapping[str, object] | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._core = ClientCore(command, timeout, options, cwd, env, _Suspending())

    async def start(self) -> None:
        """Starts the process and sets the options; `async with` does it too.

        >>> import sys
        >>> async def name():
        ...     engine = AsyncClient([sys.executable, "-m", "wari", "uci"])
        ...     await engine.start()
        ...     await engine.close()
        ...     return engine.name.split()[0]
        >>> asyncio.run(name())
        'wari'

        Raises as `Client` does.
        """
        self._core.launch()
        await self._core.handshake()

    @property
    def timeout(self) -> float:
        """Seconds for what should be at once, and beyond a limit of time in a search."""
        return self._core.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._core.timeout = seconds

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return self._core.machine.name

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine declared, by name."""
        return dict(self._core.machine.options)

    @property
    def pid(self) -> int | None:
        """The number of the process; None before the start and after the end."""
        process = self._core.process
        return None if process is None or process.is_closed else process.pid

    async def is_ready(self) -> None:
        """Waits until the engine has done all that it was asked to."""
        await self._core.is_ready()

    async def new_game(self) -> None:
        """`ucinewgame`: the next position belongs to another game."""
        await self._core.new_game()

    async def set_option(self, name: str, value: object) -> None:
        """Sets an option; InvalidValueError for one that the engine does not declare."""
        await self._core.set_option(name, value)

    def check_rules(self, rules: Rules | str) -> None:
        """Refuses rules that the engine does not know, as far as its options say: EngineError."""
        self._core.check_rules(rules)

    async def go(
        self,
        position: Position | Game,
        *,
        timeout: float | None = None,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | Mapping[str, float] | None = None,
        moves_to_go: int | None = None,
        infinite: bool = False,
        ponder: bool = False,
        moves: str = "",
    ) -> Answer:
        """Searches, and returns the move with the last info of every line."""
        options = search_options(
            *(limits, depth, nodes, time, clock), moves_to_go, infinite, ponder, moves
        )
        return await self._core.go(position, timeout, options)

    def stream(
        self,
        position: Position | Game,
        *,
        timeout: float | None = None,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | Mapping[str, float] | None = None,
        moves_to_go: int | None = None,
        infinite: bool = False,
        ponder: bool = False,
        moves: str = "",
    ) -> AsyncGenerator[Info | Answer, None]:
        """Yields each info of a search and, last, the Answer.

        Leaving the loop stops the search, and so does the beginning of another one: what is left
        of the stream then raises CancelledError.
        """
        options = search_options(
            *(limits, depth, nodes, time, clock), moves_to_go, infinite, ponder, moves
        )
        return self._core.stream(position, timeout, options)

    async def stop(self) -> None:
        """Makes a search end soon; for other tasks than the one that searches."""
        await self._core.send("stop")

    async def ponder_hit(self) -> None:
        """The reply pondered on was played; for other tasks than the one that searches."""
        await self._core.send("ponderhit")

    async def close(self, force: bool = False) -> None:
        """Ends the process, by force if it does not end by itself or with `force`."""
        await self._core.close(force)

    async def __aenter__(self) -> AsyncClient:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
