"""What every UCI client does: one search at a time, time-outs, the life of the engine's process.

An event loop awaits the coroutines (see aio); where every wait blocks the thread instead, they
never suspend, and the plain client runs each in one step (see client), without a loop or a thread.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from wari._check import shown
from wari.errors import BusyError, CancelledError, InvalidValueError
from wari.game import Game
from wari.limits import seconds as checked_seconds
from wari.position import Position
from wari.rules import Rules, rules_of
from wari.uci.process import LineProcess, LineQueue, arguments_of
from wari.uci.protocol import Answer, EngineDiedError, EngineError, EngineTimeoutError, Info
from wari.uci.state_machine import Deadline, Receive, SearchOptions, Send, StateMachine, Step, Steps

T = TypeVar("T")

_RETRY = 0.1  # seconds between two looks at whether waiting for one's turn still makes sense


class Waiting(Protocol):
    """How a client waits: by blocking its thread, or in an event loop."""

    caller: str
    """Who waits, for messages: thread or task."""

    async def line(self, lines: LineQueue, end: float | None) -> str | None:
        """The next line, None after the last; TimeoutError at `end` of the monotonic clock."""

    async def write(self, process: LineProcess, line: str) -> None:
        """Writes a line to a process. Raises OSError, ValueError."""

    async def call(self, function: Callable[[], T]) -> T:
        """The result of a function that may block."""

    async def acquire(self, seconds: float) -> bool:
        """Takes the lock of this client if it becomes free in that time; whether it did."""

    def release(self) -> None:
        """Gives the lock back."""


class ClientCore:
    """A UCI engine in a process of its own, for one client."""

    def __init__(
        self,
        command: str | Sequence[str],
        timeout: float,
        options: Mapping[str, object] | None,
        cwd: str | None,
        env: Mapping[str, str] | None,
        waiting: Waiting,
    ) -> None:
        self.timeout = checked_seconds("timeout", timeout)
        self._options = _checked_options(options)
        self._command = arguments_of(command)
        self._cwd, self._env = cwd, env
        self._waiting = waiting  # whose lock is held while the engine's lines are read
        self.machine = StateMachine()
        self.process: LineProcess | None = None
        self._is_leaving = False  # the lock is held only until a search that was left has ended
        self._search: object = None  # the one that the lines belong to

    def launch(self) -> None:
        """Starts the process; from now on it can be closed."""
        self.process = LineProcess(self._command, self._cwd, self._env)

    async def handshake(self) -> None:
        """`uci`, and the options of the caller."""
        try:
            await self.run(self.machine.handshake(self.timeout))
            for name, value in self._options.items():
                await self.set_option(name, value)
        except BaseException:
            await self.close()
            raise

    @property
    def is_running(self) -> bool:
        """Whether there is a process that has not ended."""
        return self.process is not None and self.process.is_running

    async def is_ready(self) -> None:
        """`isready`."""
        await self.run(self.machine.ready(self.timeout))

    async def new_game(self) -> None:
        """`ucinewgame`."""
        await self.run(self.machine.new_game(self.timeout))

    async def set_option(self, name: str, value: object) -> None:
        """`setoption`."""
        await self.run(self.machine.set_option(name, value, self.timeout))

    def check_rules(self, rules: Rules | str) -> None:
        """Raises EngineError for rules that the engine does not know, as far as it says so."""
        self.machine.check_rules(rules_of(rules))

    async def go(
        self, position: Position | Game, timeout: float | None, options: SearchOptions
    ) -> Answer:
        """A whole search."""
        search = object()
        async with self._turn():
            try:
                return await self._finish(await self._begin(search, position, timeout, options))
            finally:
                await self._leave(search)

    async def stream(
        self, position: Position | Game, timeout: float | None, options: SearchOptions
    ) -> AsyncGenerator[Info | Answer, None]:
        """The infos of a search and, last, the answer; leaving it stops the search."""
        search = object()
        async with self._turn():
            try:
                running = _Running(self, await self._begin(search, position, timeout, options))
                info = await running.next_info()
            except BaseException:
                await self._leave(search)
                raise
        try:
            while info is not None:
                yield info
                async with self._next_turn(search):
                    info = await running.next_info()
        finally:
            # Who holds the lock now, even this very caller, has ended the search or will.
            if await self._waiting.acquire(0.0):
                self._is_leaving = True
                try:
                    await self._leave(search)
                finally:
                    self._is_leaving = False
                    self._waiting.release()
        yield running.result

    async def close(self, force: bool = False) -> None:
        """Ends the process, by force if it does not end by itself or with `force`."""
        process = self.process
        if process is not None:
            await self._waiting.call(lambda: process.end(force))

    async def send(self, line: str) -> None:
        """A line to the engine. Raises EngineDiedError where nobody reads it."""
        process = self._started()
        try:
            await self._waiting.write(process, line)
        except (OSError, ValueError) as error:
            raise await self._waiting.call(process.died) from error

    async def receive(self, end: float | None, what: str) -> str:
        """The next line. Raises EngineTimeoutError at `end`, EngineDiedError where none comes."""
        process = self._started()
        try:
            line = await self._waiting.line(process.lines, end)
        except TimeoutError:
            raise EngineTimeoutError(
                f"the engine {self._command[0]!r} did not say {what} in time"
            ) from None
        if line is None:
            raise await self._waiting.call(process.died)
        return line

    async def run(self, steps: Steps[T]) -> T:
        """Carries out the steps of a command."""
        async with self._turn():
            return await self._finish(steps)

    def _started(self) -> LineProcess:
        if self.process is None:
            raise EngineDiedError("the engine is not running")
        return self.process

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Nobody else talks to the engine meanwhile. Raises BusyError while another caller does."""
        while True:
            is_leaving = self._is_leaving
            if await self._waiting.acquire(_RETRY if is_leaving else 0.0):
                break
            if not is_leaving:
                caller = self._waiting.caller
                raise BusyError(f"engine: another {caller} waits for its answer")
        try:
            yield
        finally:
            self._waiting.release()

    @contextlib.asynccontextmanager
    async def _next_turn(self, search: object) -> AsyncIterator[None]:
        """As soon as nobody else talks. Raises CancelledError where another search has begun."""
        while not await self._waiting.acquire(_RETRY):
            self._check_current(search)
        try:
            self._check_current(search)
            yield
        finally:
            self._waiting.release()

    def _check_current(self, search: object) -> None:
        if self._search is not search:
            raise CancelledError("search: another one has begun")

    async def _begin(
        self,
        search: object,
        position: Position | Game,
        timeout: float | None,
        options: SearchOptions,
    ) -> Steps[Answer]:
        """The steps of a search, after the end of one that was left open."""
        steps = self.machine.search(position, options, self.timeout, timeout)
        await self._finish(self.machine.halt(self.timeout))
        self._search = search
        return steps

    async def _leave(self, search: object) -> None:
        """Ends a search that is not over, unless another one has ended it."""
        if self._search is search and self.machine.searching and self.is_running:
            with contextlib.suppress(EngineError):
                await self._finish(self.machine.halt(self.timeout))

    async def _finish(self, steps: Steps[T]) -> T:
        """Carries out steps without looking at infos."""
        running = _Running(self, steps)
        while await running.next_info() is not None:
            pass
        return running.result


class _Running(Generic[T]):
    """Steps that are carried out. An engine that fails is ended."""

    result: T
    """Once there are no more infos."""

    def __init__(self, core: ClientCore, steps: Steps[T]) -> None:
        self._core = core
        self._steps = steps
        self._end: float | None = None  # of the monotonic clock
        self._what = ""

    async def next_info(self) -> Info | None:
        """The next info; None when the steps are done."""
        try:
            step: Step = next(self._steps)
            while not isinstance(step, Info):
                reply = ""
                if isinstance(step, Send):
                    await self._core.send(step.line)
                elif isinstance(step, Receive):
                    reply = await self._core.receive(self._end, self._what)
                else:
                    self._set_deadline(step)
                step = self._steps.send(reply)
        except StopIteration as stop:
            self.result = stop.value
            return None
        except EngineError:
            await self._core.close()
            raise
        return step

    def _set_deadline(self, step: Deadline) -> None:
        self._end = None if step.seconds is None else time.monotonic() + step.seconds
        self._what = step.waiting_for


def _checked_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """Options to set at the start. Raises InvalidValueError."""
    if options is not None and not isinstance(options, Mapping):
        raise InvalidValueError(
            f"options: expected values by name, not {shown(options)}", "options"
        )
    return dict(options or {})
