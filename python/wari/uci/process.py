"""A child process that speaks in lines: started, written to, read, ended."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import IO, Any

from wari._check import shown
from wari._escape import escape_control
from wari._threads import NoThreadError, started
from wari.errors import InvalidValueError
from wari.uci.protocol import EngineDiedError

LONGEST_LINE = 1 << 16
LAST_WORDS = 20
"""Lines of standard error kept for the message."""
MAX_LAST_WORDS = 1000
"""Characters of them that a message has."""
PATIENCE = 1.0
"""Seconds for a process to end by itself, and again after a signal."""
_PIECE = 1 << 12
"""Bytes that are read at once."""
_MAX_WAITING = 1 << 20
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


class Pending(Enum):
    """What a queue says where a line may still come."""

    PENDING = 1


PENDING = Pending.PENDING


class LineQueue:
    """Lines on their way from a thread to another, never more than a bounded amount."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[tuple[float, str]] = deque()
        self._size = 0
        self._at_end = False
        self._shut = False
        self._wake: Callable[[], object] | None = None

    def put(self, line: str | None) -> None:
        """Adds a line, when there is room for it; None is the end."""
        now = time.monotonic()
        with self._changed:
            while self._size > _MAX_WAITING and not self._shut:
                self._changed.wait()
            if line is None:
                self._at_end = True
            elif not self._shut:
                self._lines.append((now, line))
                self._size += len(line) + 1
            self._notify()

    def shut(self) -> None:
        """What is put from now on is thrown away."""
        with self._changed:
            self._shut = True
            self._notify()

    def get(self, end: float | None) -> str | None:
        """The next line, or None after the last.

        Raises TimeoutError for one that has not come until `end` of the monotonic clock, however
        many came before.
        """
        with self._changed:
            while (line := self._taken(end)) is PENDING:
                left = None if end is None else min(end - time.monotonic(), threading.TIMEOUT_MAX)
                self._changed.wait(left)
            return line

    def take(self, end: float | None, wake: Callable[[], object]) -> str | Pending | None:
        """As `get`, without waiting: where PENDING is given, `wake` is called at the next change.

        It is called once, from another thread, and must not block.
        """
        with self._changed:
            line = self._taken(end)
            self._wake = wake if line is PENDING else None
            return line

    def _taken(self, end: float | None) -> str | Pending | None:
        """The next line, taken out; the lock is held."""
        if not self._lines:
            if self._at_end or self._shut:
                return None
            if end is not None and time.monotonic() >= end:
                raise TimeoutError
            return PENDING
        came, line = self._lines.popleft()
        self._size -= len(line) + 1
        self._changed.notify_all()
        if end is not None and came > end:
            raise TimeoutError
        return line

    def _notify(self) -> None:
        """Something has changed; the lock is held."""
        self._changed.notify_all()
        wake, self._wake = self._wake, None
        if wake is not None:
            wake()


class LineProcess:
    """A child process and the threads that read from it."""

    def __init__(self, command: list[str], cwd: str | None, env: Mapping[str, str] | None) -> None:
        self._command = command
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self.lines = LineQueue()
        self._readers: list[tuple[IO[bytes], threading.Thread]] = []
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._endless: list[bool] = []  # an entry: it wrote a line that is too long
        if not command:
            raise EngineDiedError("the command of the engine is empty")
        try:
            self._child = subprocess.Popen(
                command,
                bufsize=0,  # a buffer has a lock, which a fork may leave held for ever
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
        self._end = weakref.finalize(
            self, _end_process, self._owner, self._child, readers, self.lines.shut
        )
        try:
            out, errors = self._child.stdout, self._child.stderr
            readers.append((out, started(_read_lines, out, self.lines.put, self._endless)))
            readers.append((errors, started(_read_lines, errors, self._last_words.append)))
        except NoThreadError as error:
            self._end()
            raise EngineDiedError(f"cannot start {command[0]!r}: {error}") from error

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._end.alive and self._child.poll() is None

    def write(self, line: str) -> None:
        """Writes a line; waits while the process does not read. Raises OSError, ValueError."""
        self._check_owner()
        with self._lock:
            _write_all(self._child, line.encode() + b"\n")

    def write_now(self, line: str) -> bool:
        """Writes a line if that needs no waiting; whether it did. Raises OSError, ValueError."""
        self._check_owner()
        data = line.encode() + b"\n"
        if not hasattr(select, "poll") or len(data) > select.PIPE_BUF:
            return False
        if not self._lock.acquire(blocking=False):
            return False
        try:
            assert self._child.stdin is not None
            room = select.poll()
            room.register(self._child.stdin.fileno(), select.POLLOUT)
            if not room.poll(0):
                return False
            _write_all(self._child, data)
            return True
        finally:
            self._lock.release()

    def _check_owner(self) -> None:
        if os.getpid() != self._owner:
            raise ValueError("a forked process has no engine of its parent's")

    def end(self, force: bool = False) -> None:
        """Ends the process and waits for its end; with `force` it is not asked before."""
        if force and self.is_running:
            terminate(self._child.pid, self._child, force=True)
        self._end()

    @property
    def is_closed(self) -> bool:
        """Whether `end` was called."""
        return not self._end.alive

    def died(self) -> EngineDiedError:
        """The error for a process that says nothing more; waits a moment for its last words."""
        if os.getpid() != self._owner:
            return EngineDiedError(f"the engine {self._command[0]!r} belongs to another process")
        if self._endless and not self.is_closed:
            return EngineDiedError(f"the engine {self._command[0]!r} wrote a line without end")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(PATIENCE)
            self._readers[-1][1].join(PATIENCE)  # to have its last words
        how = "was closed" if not self._end.alive else f"has ended (code {self._child.poll()})"
        return EngineDiedError(f"the engine {self._command[0]!r} {how}{_quoted(self._last_words)}")


def _quoted(words: deque[str]) -> str:
    """The end of a message with what a process said last; it may go on to speak."""
    text = escape_control(" | ".join(line for line in tuple(words) if line))
    return f"; its last words: {text[-MAX_LAST_WORDS:]}" if text else ""


def terminate(pid: int, child: Any, force: bool) -> None:
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


def _write_all(child: subprocess.Popen[bytes], data: bytes) -> None:
    """Writes to the standard input of a process, which takes as much at a time as it likes."""
    assert child.stdin is not None
    with _without_signal():
        while data:
            data = data[child.stdin.write(data) :]


def _read_lines(
    pipe: IO[bytes], sink: Callable[[str | None], object], endless: list[bool] | None = None
) -> None:
    """Hands on every line of a pipe, and None at its end.

    What is too long for a line is the end where `endless` is given, which gets an entry; else it
    is cut.
    """
    rest = b""
    with contextlib.suppress(OSError, ValueError):
        while data := pipe.read(_PIECE):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if endless is not None and len(line) > LONGEST_LINE:
                    rest = line
                    break
                sink(text_of(line))
            if len(rest) > LONGEST_LINE:
                if endless is not None:
                    endless.append(True)
                    break
                sink(text_of(rest))
                rest = b""
    if rest and not endless:
        sink(text_of(rest))
    sink(None)


def text_of(data: bytes) -> str:
    """A line as text, without its end and without a byte-order mark before it."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")


def _end_process(
    owner: int,
    child: subprocess.Popen[bytes],
    readers: list[tuple[IO[bytes], threading.Thread]],
    shut: Callable[[], None],
) -> None:
    """`quit`, then a signal, then the signal that cannot be refused; no zombie is left.

    A process that was forked ends nothing: the engine belongs to the `owner`.
    """
    if os.getpid() != owner:
        return
    shut()
    if child.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            _write_all(child, b"stop\nquit\n")
        for force in (None, False, True):
            if force is not None:
                terminate(child.pid, child, force)
            try:
                child.wait(PATIENCE)
                break
            except subprocess.TimeoutExpired:
                continue
    for _, reader in readers:
        reader.join(0.5)
    if any(reader.is_alive() for _, reader in readers):  # a process of its own holds the pipes
        terminate(child.pid, child, force=True)
        for _, reader in readers:
            reader.join(0.5)
    alive = [pipe for pipe, reader in readers if reader.is_alive()]
    for pipe in (child.stdout, child.stderr):
        if pipe is not None and pipe not in alive:
            pipe.close()
    if child.stdin is not None:
        with contextlib.suppress(OSError):
            child.stdin.close()
