"""A talk with `wari uci`, as a process or in this one, line by line."""

from __future__ import annotations

import io
import os
import queue
import re
import subprocess
import sys
import threading
import time

from wari.uci import Info, parse_info
from wari.uci.server import Server

PATIENCE = 30.0


class Talk:
    """One process; `heard` holds every line it has said."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "wari", "uci"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.heard: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._child.stdout is not None
        for data in self._child.stdout:
            self._lines.put(data.decode().rstrip("\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        """Lines to the engine, at once."""
        assert self._child.stdin is not None
        for line in lines:
            self._child.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self._child.stdin.flush()

    def until(self, pattern: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first that matches, which must come."""
        end = time.monotonic() + patience
        said: list[str] = []
        while not said or not re.search(pattern, said[-1]):
            line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            assert line is not None, f"the engine ended; it said {said}"
            said.append(line)
            self.heard.append(line)
        return said

    def ask(self, *lines: str | bytes, until: str = "^bestmove") -> list[str]:
        """Sends lines and returns what is said up to a line that matches."""
        self.send(*lines)
        return self.until(until)

    def best(self, *lines: str) -> str:
        """Sends lines, the last a `go`, and returns the move."""
        return self.ask(*lines)[-1].split()[1]

    def silence(self) -> list[str]:
        """What is said until now, proved by `isready`."""
        return self.ask("isready", until="^readyok$")[:-1]

    def end(self) -> tuple[int, list[str]]:
        """Closes the input; the exit code and the lines not read yet. Nothing is left behind."""
        assert self._child.stdin is not None
        assert self._child.stderr is not None
        self._child.stdin.close()
        try:
            code = self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
            raise
        self._reader.join(PATIENCE)
        rest: list[str] = []
        while (line := self._lines.get(timeout=1)) is not None:
            rest.append(line)
        errors = self._child.stderr.read().decode()
        self._child.stderr.close()
        assert self._child.stdout is not None
        self._child.stdout.close()
        assert errors == "", errors
        self.heard += rest
        return code, rest


class Served:
    """A server in this process, and what it has said."""

    def __init__(self) -> None:
        self._heard = io.BytesIO()
        self.server = Server(self._heard)

    def obey(self, *lines: str) -> None:
        """Lines from the GUI."""
        for line in lines:
            assert self.server.obey(line)

    @property
    def heard(self) -> list[str]:
        """All lines."""
        return self._heard.getvalue().decode().splitlines()

    def best(self, count: int) -> list[str]:
        """The best moves, as soon as there are so many."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            found = [line for line in self.heard if line.startswith("bestmove")]
            if len(found) >= count:
                return found
            time.sleep(0.005)
        raise AssertionError(self.heard)


def is_gone(pid: int | None) -> bool:
    """Whether a process has ended and been waited for."""
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def infos(lines: list[str]) -> list[Info]:
    """The infos with a score."""
    return [info for info in map(parse_info, lines) if info.cp is not None]
