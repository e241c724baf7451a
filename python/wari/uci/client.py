"""Any UCI oware engine, driven from Python.

Owns: the process, its pipes, and time-outs. Must not know: what is said (see dialogue).
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import IO, Any, TypeVar

from wari._check import shown
from wari._limits import seconds as checked_seconds
from wari.errors import InvalidValueError
from wari.game import Game
from wari.position import Position
from wari.uci.dialogue import Dialogue, Limits, Receive, Send, Step, Steps, Within
from wari.uci.protocol import Answer, EngineDiedError, EngineError, EngineTimeoutError, Info, Option

T = TypeVar("T")

LONGEST_LINE = 1 << 16
_LAST_WORDS = 20  # lines of standard error kept for the message


def arguments_of(command: str | Sequence[str]) -> list[str]:
    """A command line as a list. Raises InvalidValueError for what is none."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [*map(os.fspath, command)]
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"command: {shown(command)}: {error}", "command") from error
    if not all(isinstance(word, str) for word in words):
        raise InvalidValueError(f"command: expected text, not {shown(command)}", "command")
    return words


def checked_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """Options to set at the start. Raises InvalidValueError."""
    if options is not None and not isinstance(options, Mapping):
        raise InvalidValueError(
            f"options: expected values by name, not {shown(options)}", "options"
        )
    return dict(options or {})


class Client:
    """A UCI engine in a process of its own. Close it, or use it in a `with` block.

    `command` is a command line or a list of its words. `timeout` is the time in seconds that the
    engine has for what should be at once, and beyond a limit of time in a search. `options` are set
    at the start.

    >>> import sys, wari
    >>> with wari.uci.Client([sys.executable, "-m", "wari", "uci"]) as engine:
    ...     answer = engine.go(wari.Game("abapa"), depth=6)
    >>> answer.best_move in "ABCDEF", answer.info.depth
    (True, 6)

    >>> with wari.uci.Client([sys.executable, "-m", "wari", "uci"], options={"Hash": 8}) as engine:
    ...     engine.new_game()
    ...     engine.set_option("MultiPV", 2)
    ...     engine.is_ready()
    ...     len(engine.go(wari.Game("abapa"), depth=4).lines)
    ...     engine.name.split()[0], engine.options["Hash"].type, engine.pid > 0
    2
    ('wari', 'spin', True)
    >>> engine.close()

    Raises EngineDiedError when the process cannot be started or ends, EngineTimeoutError when it
    does not answer in time, EngineError for an answer that makes no sense; InvalidValueError for an
    argument that cannot be, and then the engine has been told nothing.
    Source: docs/uci.md.
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
        wanted = checked_options(options)
        self._dialogue = Dialogue()
        self._process = _Process(arguments_of(command), cwd, env)
        try:
            self._run(self._dialogue.greet(timeout))
            for name, value in wanted.items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return self._dialogue.name

    @property
    def author(self) -> str:
        """Who the engine says wrote it.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.author
        'the wari authors'
        """
        return self._dialogue.author

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine declared, by name."""
        return dict(self._dialogue.options)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def is_ready(self) -> None:
        """Waits until the engine has done all that it was told. Raises EngineError."""
        self._run(self._dialogue.ready(self.timeout))

    def new_game(self) -> None:
        """Tells the engine that the next position belongs to another game. Raises EngineError."""
        self._run(self._dialogue.new_game(self.timeout))

    def set_option(self, name: str, value: object) -> None:
        """Sets an option.

        Raises InvalidValueError for one that the engine does not declare; EngineError.
        """
        self._run(self._dialogue.set_option(name, value, self.timeout))

    def go(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> Answer:
        """Searches, and returns the move with the last info of every line.

        A Game is told with its moves, so that the engine knows its history. The limits are those of
        `wari.uci.Limits`; without any, the engine searches until `stop()` from another thread.
        `timeout` is the time in seconds the whole search may take; without it, one with a limit of
        time has `self.timeout` more than that, and others have as long as they need.

        Raises EngineError; InvalidValueError, before anything is sent, for a position, a limit or
        a time-out that cannot be.
        """
        answer: Answer | None = None
        for item in self.stream(position, timeout=timeout, **limits):
            answer = item if isinstance(item, Answer) else answer
        assert answer is not None
        return answer

    def stream(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> Iterator[Info | Answer]:
        """Yields each info of a search and, last, the Answer; takes what `go` takes.

        Leaving the loop stops the search.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     *infos, answer = engine.stream(Position("abapa"), depth=6)
        >>> infos[-1].depth, answer.best_move == infos[-1].pv[0]
        (6, True)

        Raises as `go` does.
        """
        steps = self._dialogue.search(position, Limits(**limits), self.timeout, timeout)
        try:
            answer = yield from self._infos(steps)
        finally:
            if self._dialogue.searching and self._process.is_running:
                with contextlib.suppress(EngineError):
                    self._run(self._dialogue.halt(self.timeout))
        yield answer

    def stop(self) -> None:
        """Makes a search end soon; for other threads than the one that searches.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     for item in engine.stream(Position("abapa"), infinite=True):
        ...         if isinstance(item, Info):
        ...             engine.stop()
        >>> item.best_move in Position().legal_moves()
        True

        Raises EngineDiedError.
        """
        self._process.send("stop")

    def ponder_hit(self) -> None:
        """The reply pondered on was played; for other threads than the one that searches.

        >>> import sys
        >>> command = [sys.executable, "-m", "wari", "uci"]
        >>> with Client(command, options={"Ponder": "true"}) as engine:
        ...     for item in engine.stream(Position("abapa"), time=0.01, ponder=True):
        ...         if isinstance(item, Info):
        ...             engine.ponder_hit()
        >>> item.best_move in Position().legal_moves()
        True

        Raises EngineDiedError.
        """
        self._process.send("ponderhit")

    def close(self) -> None:
        """Ends the process, by force if it does not end by itself. Closing twice does no harm."""
        self._process.end()

    def _run(self, steps: Steps[T]) -> T:
        """Carries out steps without looking at infos."""
        infos = self._infos(steps)
        while True:
            try:
                next(infos)
            except StopIteration as end:
                result: T = end.value
                return result

    def _infos(self, steps: Steps[T]) -> Generator[Info, None, T]:
        """Carries out steps; gives the infos. An engine that fails is ended."""
        end: float | None = None
        what = ""
        try:
            step: Step = next(steps)
            while True:
                reply = ""
                if isinstance(step, Send):
                    self._process.send(step.line)
                elif isinstance(step, Within):
                    end = None if step.seconds is None else time.monotonic() + step.seconds
                    what = step.waiting_for
                elif isinstance(step, Receive):
                    reply = self._process.receive(end, what)
                else:
                    yield step
                step = steps.send(reply)
        except StopIteration as stop:
            result: T = stop.value
            return result
        except (EngineDiedError, EngineTimeoutError):
            self._process.end()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<wari.uci.Client {self.name!r}, process {self.pid}>"


class _Process:
    """A child process and the threads that read from it."""

    def __init__(self, command: list[str], cwd: str | None, env: Mapping[str, str] | None) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        if not command:
            raise EngineDiedError("the command of the engine is empty")
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=None if env is None else dict(env),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineDiedError(f"cannot start {command[0]!r}: {error}") from error
        self.pid = self._child.pid
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        readers = [
            threading.Thread(target=_read_lines, args=(pipe, sink), daemon=True)
            for pipe, sink in (
                (self._child.stdout, self._lines.put),
                (self._child.stderr, self._last_words.append),
            )
        ]
        for reader in readers:
            reader.start()
        self._end = weakref.finalize(self, _end_process, self._child, readers)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._end.alive and self._child.poll() is None

    def send(self, line: str) -> None:
        """A line to the process. Raises EngineDiedError where nobody reads it."""
        assert self._child.stdin is not None
        try:
            with self._lock, _without_signal():
                self._child.stdin.write(line.encode() + b"\n")
                self._child.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._died() from error

    def receive(self, end: float | None, what: str) -> str:
        """The next line of the process, until a moment of the monotonic clock.

        Raises EngineTimeoutError after it, EngineDiedError when there will be no line.
        """
        left = None if end is None else max(0.0, end - time.monotonic())
        if left is not None:
            left = min(left, threading.TIMEOUT_MAX)
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise EngineTimeoutError(
                f"the engine {self._command[0]!r} did not say {what} in time"
            ) from None
        if line is None:
            raise self._died()
        return line

    def end(self) -> None:
        """Ends the process and waits for its end."""
        self._end()

    def _died(self) -> EngineDiedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(1)
        code = self._child.poll()
        words = " | ".join(line for line in self._last_words if line)
        told = f"; its last words: {words}" if words else ""
        how = "was closed" if not self._end.alive else f"has ended (code {code})"
        return EngineDiedError(f"the engine {self._command[0]!r} {how}{told}")


@contextlib.contextmanager
def _without_signal() -> Iterator[None]:
    """Writing to an engine that has ended is an error, never the end of this process.

    A program may have set SIGPIPE to its default, to end when nobody reads its own output.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    was_pending = signal.SIGPIPE in signal.sigpending()
    try:
        yield
    finally:
        if not was_pending and signal.SIGPIPE in signal.sigpending():
            signal.sigwait({signal.SIGPIPE})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _read_lines(pipe: IO[bytes], sink: Any) -> None:
    """Hands on every line of a pipe, and None at its end; what is too long for a line is cut."""
    with contextlib.suppress(OSError, ValueError):
        while data := pipe.readline(LONGEST_LINE):
            sink(data.decode("utf-8", "replace").rstrip("\r\n"))
    sink(None)


def _end_process(child: subprocess.Popen[bytes], readers: list[threading.Thread]) -> None:
    """`quit`, then a signal, then the signal that cannot be refused; no zombie is left."""
    if child.poll() is None:
        with contextlib.suppress(OSError, ValueError), _without_signal():
            assert child.stdin is not None
            child.stdin.write(b"stop\nquit\n")
            child.stdin.flush()
        for ask in (None, signal.SIGTERM, signal.SIGKILL):
            if ask is not None:
                with contextlib.suppress(OSError):
                    os.killpg(child.pid, ask)
            try:
                child.wait(1.0)
                break
            except subprocess.TimeoutExpired:
                continue
    for reader in readers:
        reader.join(0.5)
    if any(reader.is_alive() for reader in readers):  # a process of its own holds the pipes
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        for reader in readers:
            reader.join(0.5)
    for pipe, reader in zip((child.stdout, child.stderr), readers, strict=True):
        if pipe is not None and not reader.is_alive():
            pipe.close()
    if child.stdin is not None:
        with contextlib.suppress(OSError, ValueError), _without_signal():
            child.stdin.close()
