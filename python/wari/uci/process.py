"""A child process that speaks in lines: started, written to, heard within a time, ended.

Owns: its pipes, the threads that read them, its end on every system. Must not know: what is said.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any

from wari._check import shown
from wari._escape import escape_control
from wari._threads import NoThreadError, started
from wari.errors import InvalidValueError
from wari.uci.protocol import EngineDiedError, EngineTimeoutError

LONGEST_LINE = 1 << 16
LAST_WORDS = 20
"""Lines of standard error kept for the message."""
MOST_LAST_WORDS = 1000
"""Characters of them that a message has."""
PATIENCE = 1.0
"""Seconds for a process to end by itself, and again after a signal."""
_MOST_WAITING = 1 << 20
"""Characters that may wait to be read; a process that says more has to wait itself."""


def arguments_of(command: str | Sequence[str]) -> list[str]:
    """A command line as a list. Raises InvalidValueError for what is none."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [*map(os.fspath, command)]
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"command: {shown(command)}: {error}", "command") from error
    if not all(isinstance(word, str) for word in words):
        raise InvalidValueError(f"command: expected text, not {shown(command)}", "command")
    return words


class _Letterbox:
    """Lines on their way from a thread to another, never more than a bounded amount."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[tuple[float, str]] = deque()
        self._size = 0
        self._at_end = False
        self._shut = False

    def put(self, line: str | None) -> None:
        """Adds a line, when there is room for it; None is the end."""
        now = time.monotonic()
        with self._changed:
            while self._size > _MOST_WAITING and not self._shut:
                self._changed.wait()
            if line is None:
                self._at_end = True
            elif not self._shut:
                self._lines.append((now, line))
                self._size += len(line) + 1
            self._changed.notify_all()

    def shut(self) -> None:
        """What is put from now on is thrown away."""
        with self._changed:
            self._shut = True
            self._changed.notify_all()

    def get(self, end: float | None) -> str | None:
        """The next line, or None after the last.

        Raises TimeoutError for one that has not come until `end` of the monotonic clock, however
        many came before.
        """
        with self._changed:
            while not self._lines:
                if self._at_end or self._shut:
                    return None
                left = None if end is None else min(end - time.monotonic(), threading.TIMEOUT_MAX)
                if left is not None and left <= 0:
                    raise TimeoutError
                self._changed.wait(left)
            came, line = self._lines.popleft()
            self._size -= len(line) + 1
            self._changed.notify_all()
        if end is not None and came > end:
            raise TimeoutError
        return line


class LineProcess:
    """A child process and the threads that read from it."""

    def __init__(self, command: list[str], cwd: str | None, env: Mapping[str, str] | None) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._lines = _Letterbox()
        self._readers: list[tuple[IO[bytes], threading.Thread]] = []
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
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
        readers = self._readers
        self._end = weakref.finalize(self, _end_process, self._child, readers, self._lines.shut)
        try:
            for pipe, sink in (
                (self._child.stdout, self._lines.put),
                (self._child.stderr, self._last_words.append),
            ):
                readers.append((pipe, started(_read_lines, pipe, sink)))
        except NoThreadError as error:
            self._end()
            raise EngineDiedError(f"cannot start {command[0]!r}: {error}") from error

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
        try:
            line = self._lines.get(end)
        except TimeoutError:
            raise EngineTimeoutError(
                f"the engine {self._command[0]!r} did not say {what} in time"
            ) from None
        if line is None:
            raise self._died()
        return line

    def end(self, force: bool = False) -> None:
        """Ends the process and waits for its end; with `force` it is not asked before."""
        if force and self.is_running:
            urge(self._child.pid, self._child, force=True)
        self._end()

    def _died(self) -> EngineDiedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(PATIENCE)
            self._readers[-1][1].join(PATIENCE)  # to have its last words
        how = "was closed" if not self._end.alive else f"has ended (code {self._child.poll()})"
        return EngineDiedError(
            f"the engine {self._command[0]!r} {how}{told_last(self._last_words)}"
        )


def told_last(words: deque[str]) -> str:
    """The end of a message with what a process said last; it may go on to speak."""
    text = escape_control(" | ".join(line for line in tuple(words) if line))
    return f"; its last words: {text[-MOST_LAST_WORDS:]}" if text else ""


def urge(pid: int, child: Any, force: bool) -> None:
    """Asks a process and its children to end, or makes them; elsewhere than on POSIX only itself.

    `child` has `terminate` and `kill`, as in `subprocess` and `asyncio.subprocess`.
    """
    number = getattr(signal, "SIGKILL" if force else "SIGTERM", None)
    kill_group = getattr(os, "killpg", None)
    with contextlib.suppress(OSError):
        if kill_group is not None and number is not None:
            kill_group(pid, number)
        elif force:
            child.kill()
        else:
            child.terminate()


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
            sink(text_of(data))
    sink(None)


def text_of(data: bytes) -> str:
    """A line as text, without its end and without a byte-order mark before it."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")


def _end_process(
    child: subprocess.Popen[bytes],
    readers: list[tuple[IO[bytes], threading.Thread]],
    shut: Callable[[], None],
) -> None:
    """`quit`, then a signal, then the signal that cannot be refused; no zombie is left."""
    shut()
    if child.poll() is None:
        with contextlib.suppress(OSError, ValueError), _without_signal():
            assert child.stdin is not None
            child.stdin.write(b"stop\nquit\n")
            child.stdin.flush()
        for force in (None, False, True):
            if force is not None:
                urge(child.pid, child, force)
            try:
                child.wait(PATIENCE)
                break
            except subprocess.TimeoutExpired:
                continue
    for _, reader in readers:
        reader.join(0.5)
    if any(reader.is_alive() for _, reader in readers):  # a process of its own holds the pipes
        urge(child.pid, child, force=True)
        for _, reader in readers:
            reader.join(0.5)
    alive = [pipe for pipe, reader in readers if reader.is_alive()]
    for pipe in (child.stdout, child.stderr):
        if pipe is not None and pipe not in alive:
            pipe.close()
    if child.stdin is not None:
        with contextlib.suppress(OSError, ValueError), _without_signal():
            child.stdin.close()
