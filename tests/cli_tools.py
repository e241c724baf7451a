"""Running the command line: as a process, in this process, and in a terminal."""

import contextlib
import io
import os
import re
import select
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

WARI = str(Path(sysconfig.get_path("scripts")) / "wari")
# The environment of every run: no colours forced, no settings of the person who runs the tests.
COLOURS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "LINES")
LANGUAGES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
CLEAN = {key: text for key, text in os.environ.items() if key not in COLOURS + LANGUAGES} | {
    "PYTHONIOENCODING": "utf-8"
}
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")


class Run(NamedTuple):
    """What a run left behind."""

    code: int
    out: str
    err: str


def run(*arguments: str, typed: str | bytes = "", first: Callable[[], object] | None = None) -> Run:
    """The installed `wari` in a process of its own, which does `first` before anything else."""
    done = subprocess.run(
        [WARI, *arguments],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env=CLEAN,
        timeout=120,
        preexec_fn=first,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def call(*arguments: str, typed: str = "") -> Run:
    """The same in this process: faster, and open to patches."""
    from wari.cli import main

    out, err, stdin = (
        io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n", write_through=True)
        for data in (b"", b"", typed.encode())
    )
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", stdin),
        mock.patch.dict(os.environ, dict.fromkeys(LANGUAGES, "")),
    ):
        code = main(arguments)
    shown, complaint = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Run(code, shown, complaint)


def let_work(process: subprocess.Popen[Any], seconds: float) -> None:
    """Wait until a process has used so much processor time, however slow the machine is."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():  # another system than Linux
        time.sleep(4 * seconds)
        return
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        user, system = map(int, stat.read_text().rpartition(")")[2].split()[11:13])
        if user + system >= ticks:
            return
        time.sleep(0.01)


class Terminal:
    """The installed `wari` in a pseudo-terminal, driven by what it shows.

    A Ctrl-C throws nothing away (NOFLSH): else the system drops what was shown and not yet read.
    """

    def __init__(self, *arguments: str, **variables: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        modes = termios.tcgetattr(slave)
        modes[3] |= termios.NOFLSH
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        self.process = subprocess.Popen(
            [WARI, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**CLEAN, "TERM": "xterm", **variables},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.raw = ""
        self._seen = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        """Everything shown so far, without escape sequences."""
        return ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def expect(self, words: str, seconds: float = 30.0) -> None:
        """Wait until `words` are shown behind what was waited for before."""
        end = time.monotonic() + seconds
        while words not in self.text[self._seen :]:
            assert self._read(end - time.monotonic()), f"{words!r} is not in:\n{self.text}"
        self._seen = self.text.index(words, self._seen) + len(words)

    def type(self, keys: str) -> None:
        """Press keys: a line ends with a return, "\\x03" is Ctrl-C, "\\x04" Ctrl-D."""
        os.write(self.master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Make the window larger or smaller."""
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def colours(self) -> set[int]:
        """The codes of colours that were sent: 30 to 49, 90 to 107."""
        codes = set()
        for sent in re.findall(r"\x1b\[([\d;:]*)m", self.raw):
            codes |= {int(code) for code in re.split("[;:]", sent) if code}
        return {code for code in codes if 30 <= code <= 49 or 90 <= code <= 107}

    def code(self, seconds: float = 30.0) -> int:
        """Wait for the end and return the exit code."""
        end = time.monotonic() + seconds
        while self._read(end - time.monotonic()):
            pass
        return self.process.wait(max(0.1, end - time.monotonic()))

    def _read(self, seconds: float) -> bool:
        """Take in what is shown next; False at the end of the output or of the time."""
        if seconds <= 0 or not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux: the last process with the terminal open has gone
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)
