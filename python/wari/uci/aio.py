"""Any UCI oware engine, driven from asyncio.

Owns: the process, its pipes, whose turn it is to talk, and time-outs, in an event loop. Must not
know: what is said.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wari._limits import seconds as checked_seconds
from wari._threads import is_refusal
from wari.errors import BusyError, CancelledError
from wari.game import Game
from wari.position import Position
from wari.rules import Rules, rules_of
from wari.uci import process
from wari.uci.client import checked_options
from wari.uci.dialogue import Dialogue, Limits, Receive, Send, Step, Steps, Within
from wari.uci.process import LAST_WORDS, LONGEST_LINE, arguments_of, text_of, told_last, urge
from wari.uci.protocol import Answer, EngineDiedError, EngineError, EngineTimeoutError, Info, Option

T = TypeVar("T")


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
        self.timeout = checked_seconds("timeout", timeout)
        self._command = arguments_of(command)
        self._options = checked_options(options)
        self._cwd, self._env = cwd, env
        self._dialogue = Dialogue()
        self._child: asyncio.subprocess.Process | None = None
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._listener: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # held while the engine's lines are read
        self._leaving = False  # held only until a search that was left has ended
        self._search: object = None  # the one that the lines belong to

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
        try:
            self._child = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._cwd,
                env=self._env,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not is_refusal(error):
                raise
            raise EngineDiedError(f"cannot start {self._command!r}: {error}") from error
        assert self._child.stderr is not None
        self._listener = asyncio.create_task(_listen(self._child.stderr, self._last_words))
        try:
            await self._run(self._dialogue.greet(self.timeout))
            for name, value in self._options.items():
                await self.set_option(name, value)
        except BaseException:
            await self.close()
            raise

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return self._dialogue.name

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine declared, by name."""
        return dict(self._dialogue.options)

    @property
    def pid(self) -> int | None:
        """The number of the process; None before the start and after the end."""
        return None if self._child is None else self._child.pid

    async def is_ready(self) -> None:
        """Waits until the engine has done all that it was told."""
        await self._run(self._dialogue.ready(self.timeout))

    async def new_game(self) -> None:
        """Tells the engine that the next position belongs to another game."""
        await self._run(self._dialogue.new_game(self.timeout))

    async def set_option(self, name: str, value: object) -> None:
        """Sets an option; InvalidValueError for one that the engine does not declare."""
        await self._run(self._dialogue.set_option(name, value, self.timeout))

    def check_rules(self, rules: Rules | str) -> None:
        """Refuses rules that the engine does not know, as far as its options say: EngineError."""
        self._dialogue.check_rules(rules_of(rules))

    async def go(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> Answer:
        """Searches, and returns the move with the last info of every line."""
        search = object()
        async with self._taking_turn():
            try:
                steps = await self._begin(search, position, timeout, limits)
                answer: Answer = await self._finish(steps)
            finally:
                await self._leave(search)
        return answer

    async def stream(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> AsyncGenerator[Info | Answer, None]:
        """Yields each info of a search and, last, the Answer.

        Leaving the loop stops the search, and so does the beginning of another one: what is left
        of the stream then raises CancelledError.
        """
        search = object()
        async with self._taking_turn():
            try:
                items = self._items(await self._begin(search, position, timeout, limits))
                item = await anext(items)
            except BaseException:
                await self._leave(search)
                raise
        try:
            while not isinstance(item, Answer):
                yield item
                async with self._taking_up(search):
                    item = await anext(items)
        finally:
            # Another task that waits for the engine now has ended the search, or will.
            if not self._turn.locked():
                async with self._turn:
                    self._leaving = True
                    try:
                        await self._leave(search)
                    finally:
                        self._leaving = False
        yield item

    async def stop(self) -> None:
        """Makes a search end soon; for other tasks than the one that searches."""
        await self._send("stop")

    async def ponder_hit(self) -> None:
        """The reply pondered on was played; for other tasks than the one that searches."""
        await self._send("ponderhit")

    async def close(self, force: bool = False) -> None:
        """Ends the process, by force if it does not end by itself or with `force`."""
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin is not None
        if child.returncode is None and force:
            urge(child.pid, child, force=True)
        elif child.returncode is None:
            with contextlib.suppress(OSError, RuntimeError):
                child.stdin.write(b"stop\nquit\n")
                await asyncio.wait_for(child.stdin.drain(), process.PATIENCE)
        for harder in (None, False, True):
            if harder is not None:
                urge(child.pid, child, harder)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_drained(child, self._listener), process.PATIENCE)
                break
        if self._listener is not None:
            self._listener.cancel()
        child.stdin.close()

    @contextlib.asynccontextmanager
    async def _taking_turn(self) -> AsyncIterator[None]:
        """Nobody else talks to the engine meanwhile. Raises BusyError while another task does."""
        if self._turn.locked() and not self._leaving:
            raise BusyError("engine: another task waits for its answer")
        async with self._turn:
            yield

    @contextlib.asynccontextmanager
    async def _taking_up(self, search: object) -> AsyncIterator[None]:
        """As soon as nobody else talks. Raises CancelledError where another search has begun."""
        if self._search is search:
            await self._turn.acquire()
        else:
            raise CancelledError("search: another one has begun")
        try:
            if self._search is not search:
                raise CancelledError("search: another one has begun")
            yield
        finally:
            self._turn.release()

    async def _begin(
        self,
        search: object,
        position: Position | Game,
        timeout: float | None,
        limits: Mapping[str, Any],
    ) -> Steps[Answer]:
        """The steps of a search, after the end of one that was left open."""
        steps = self._dialogue.search(position, Limits(**limits), self.timeout, timeout)
        await self._finish(self._dialogue.halt(self.timeout))
        self._search = search
        return steps

    async def _leave(self, search: object) -> None:
        """Ends a search that is not over, unless another one has ended it."""
        if self._search is search and self._dialogue.searching and self._child is not None:
            with contextlib.suppress(EngineError):
                await self._finish(self._dialogue.halt(self.timeout))

    async def _run(self, steps: Steps[Any]) -> None:
        async with self._taking_turn():
            await self._finish(steps)

    async def _finish(self, steps: Steps[Any]) -> Any:
        """Carries out steps without looking at infos; the result."""
        result = None
        async with contextlib.aclosing(self._items(steps)) as items:
            async for item in items:
                result = item
        return result

    async def _items(self, steps: Steps[Any]) -> AsyncGenerator[Any, None]:
        """Carries out steps; gives the infos and then the result, if there is one."""
        loop = asyncio.get_running_loop()
        end: float | None = None
        what = ""
        try:
            step: Step = next(steps)
            while True:
                reply = ""
                if isinstance(step, Send):
                    await self._send(step.line)
                elif isinstance(step, Within):
                    end = None if step.seconds is None else loop.time() + step.seconds
                    what = step.waiting_for
                elif isinstance(step, Receive):
                    reply = await self._receive(end, what)
                else:
                    yield step
                step = steps.send(reply)
        except StopIteration as stop:
            result = stop.value
        except EngineError:
            await self.close()
            raise
        if result is not None:
            yield result

    async def _send(self, line: str) -> None:
        child = self._child
        if child is None:
            raise EngineDiedError("the engine is not running")
        assert child.stdin is not None
        try:
            child.stdin.write(line.encode() + b"\n")
            await child.stdin.drain()
        except (OSError, RuntimeError) as error:
            raise await self._died(child) from error

    async def _receive(self, end: float | None, what: str) -> str:
        child = self._child
        if child is None:
            raise EngineDiedError("the engine is not running")
        assert child.stdout is not None
        left = None if end is None else max(0.0, end - asyncio.get_running_loop().time())
        try:
            data = await asyncio.wait_for(child.stdout.readline(), left)
        except asyncio.TimeoutError:
            raise EngineTimeoutError(
                f"the engine {self._command[0]!r} did not say {what} in time"
            ) from None
        except ValueError as error:  # a line beyond the limit
            raise EngineDiedError(
                f"the engine {self._command[0]!r} wrote a line without end"
            ) from error
        if not data:
            raise await self._died(child)
        return text_of(data)

    async def _died(self, child: asyncio.subprocess.Process) -> EngineDiedError:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(_drained(child, self._listener), process.PATIENCE)
        how = "was closed" if self._child is None else f"has ended (code {child.returncode})"
        return EngineDiedError(
            f"the engine {self._command[0]!r} {how}{told_last(self._last_words)}"
        )

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


async def _listen(pipe: asyncio.StreamReader, words: deque[str]) -> None:
    """Keeps the last lines of a pipe, to its end."""
    rest = b""
    while data := await pipe.read(LONGEST_LINE):
        *lines, rest = (rest + data).split(b"\n")
        words.extend(line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        rest = rest[-LONGEST_LINE:]
    words.append(rest.decode("utf-8", "replace"))


async def _drained(child: asyncio.subprocess.Process, listener: asyncio.Task[None] | None) -> None:
    """Waits for the end of a process; reads the rest of what it said, so that its pipes close."""
    assert child.stdout is not None
    with contextlib.suppress(RuntimeError):  # another task reads there
        while await child.stdout.read(LONGEST_LINE):
            pass
    if listener is not None:
        await asyncio.wait([listener])
    await child.wait()
