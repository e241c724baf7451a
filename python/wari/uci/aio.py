"""Any UCI oware engine, driven from asyncio.

Owns: the process, its pipes, and time-outs, in an event loop. Must not know: what is said.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wari._limits import seconds as checked_seconds
from wari.game import Game
from wari.position import Position
from wari.uci.client import LONGEST_LINE, arguments_of, checked_options
from wari.uci.dialogue import Dialogue, Limits, Receive, Send, Step, Steps, Within
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

    Raises what `Client` raises. A task that is cancelled while it waits stops the search.
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
                stderr=asyncio.subprocess.DEVNULL,
                cwd=self._cwd,
                env=self._env,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError, TypeError) as error:
            raise EngineDiedError(f"cannot start {self._command!r}: {error}") from error
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

    async def go(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> Answer:
        """Searches, and returns the move with the last info of every line."""
        answer: Answer | None = None
        async with contextlib.aclosing(self.stream(position, timeout=timeout, **limits)) as items:
            async for item in items:
                if isinstance(item, Answer):
                    answer = item
        assert answer is not None
        return answer

    async def stream(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> AsyncGenerator[Info | Answer, None]:
        """Yields each info of a search and, last, the Answer. Leaving the loop stops the search."""
        steps = self._dialogue.search(position, Limits(**limits), self.timeout, timeout)
        try:
            async for item in self._items(steps):
                yield item
        finally:
            if self._dialogue.searching and self._child is not None:
                with contextlib.suppress(EngineError):
                    await self._run(self._dialogue.halt(self.timeout))

    async def stop(self) -> None:
        """Makes a search end soon; for other tasks than the one that searches."""
        await self._send("stop")

    async def ponder_hit(self) -> None:
        """The reply pondered on was played; for other tasks than the one that searches."""
        await self._send("ponderhit")

    async def close(self) -> None:
        """Ends the process, by force if it does not end by itself."""
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin is not None
        if child.returncode is None:
            with contextlib.suppress(OSError, RuntimeError):
                child.stdin.write(b"stop\nquit\n")
                await child.stdin.drain()
        for ask in (None, signal.SIGTERM, signal.SIGKILL):
            if ask is not None:
                with contextlib.suppress(OSError):
                    os.killpg(child.pid, ask)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_drained(child), 1.0)
                break
        child.stdin.close()

    async def _run(self, steps: Steps[Any]) -> None:
        async for _ in self._items(steps):
            pass

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
        except (EngineDiedError, EngineTimeoutError):
            await self.close()
            raise
        if result is not None:
            yield result

    async def _send(self, line: str) -> None:
        if self._child is None:
            raise EngineDiedError("the engine is not running")
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(line.encode() + b"\n")
            await self._child.stdin.drain()
        except (OSError, RuntimeError) as error:
            raise EngineDiedError(f"the engine {self._command[0]!r} has ended") from error

    async def _receive(self, end: float | None, what: str) -> str:
        if self._child is None:
            raise EngineDiedError("the engine is not running")
        assert self._child.stdout is not None
        left = None if end is None else max(0.0, end - asyncio.get_running_loop().time())
        try:
            data = await asyncio.wait_for(self._child.stdout.readline(), left)
        except asyncio.TimeoutError:
            raise EngineTimeoutError(
                f"the engine {self._command[0]!r} did not say {what} in time"
            ) from None
        except ValueError as error:  # a line beyond the limit
            raise EngineDiedError(
                f"the engine {self._command[0]!r} wrote a line without end"
            ) from error
        if not data:
            raise EngineDiedError(f"the engine {self._command[0]!r} has ended")
        return data.decode("utf-8", "replace").rstrip("\r\n")

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


async def _drained(child: asyncio.subprocess.Process) -> None:
    """Waits for the end of a process; reads the rest of what it said, so that its pipe closes."""
    assert child.stdout is not None
    while await child.stdout.read(LONGEST_LINE):
        pass
    await child.wait()
