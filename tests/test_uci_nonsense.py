"""`wari uci` through a real process: nonsense, lines without end, the end of the input."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import wari
from uci_talk import Talk
from wari.cli import main
from wari.uci.server import serve

pytestmark = pytest.mark.process

WORDS = re.split(
    " ",
    "uci debug on off isready setoption name value Hash Threads 1 8 Rules abapa wari MultiPV 3 "
    "ucinewgame position startpos fen moves FfEd a - 0000 go depth nodes movetime wtime btime "
    "infinite ponder searchmoves ponderhit stop A x 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S -1 1e9 0x1 "
    "99999999999999999999 \u00f1 \x00 %s %n {} \\ ' \" ; grand_slam forbidden Level 2",
)
BANNED = re.compile(rb"\bquit")


def hostile(rng: random.Random) -> bytes:
    """A line of random words, of random bytes, of one word many times, or nothing."""
    kind = rng.randrange(10)
    if kind == 0:
        line = bytes(rng.choices(range(256), k=rng.randrange(200))).replace(b"\n", b" ")
    elif kind == 1:
        line = (rng.choice(WORDS) + " ").encode() * rng.randrange(3000)
    elif kind == 2:
        name, most = rng.choice((("Hash", 2500), ("Threads", 64)))
        line = f"setoption name {name} value {rng.randrange(-1, most + 1)}".encode()
    else:
        line = " ".join(rng.choices(WORDS, k=rng.randrange(1, 9))).encode()
    return (b"" if BANNED.search(line) else line) + rng.choice((b"\n", b"\r\n"))


def endure(seed: int, count: int) -> None:
    """Nonsense to a process of its own, which must answer `isready` all along and end well."""
    rng = random.Random(seed)
    talk = Talk()
    goes = 0
    for number in range(count):
        line = hostile(rng)
        goes += line.split()[:1] == [b"go"]
        talk.send(line)
        if number % 10 == 0:
            talk.ask("isready", until="^readyok$")
    talk.send("stop", "ponderhit", "stop", "quit")
    code, _ = talk.end()
    assert code == 0
    assert sum(said.startswith("bestmove") for said in talk.heard) == goes


def test_hostile_lines() -> None:
    """A sample."""
    endure(seed=1, count=100)


@pytest.mark.slow
def test_a_thousand_hostile_lines() -> None:
    """The whole."""
    endure(seed=1, count=1000)


def test_unknown_commands_are_told_in_one_line(talk: Talk) -> None:
    """Whatever they hold."""
    talk.send("hello world", "UCI", b"\x00\xff\x1b[31m\n", "x" * 500)
    said = talk.silence()
    assert said[0] == "info string unknown command 'hello'"
    assert len(said) == 4
    assert all(line.isprintable() and len(line) < 250 for line in said)


def test_a_line_that_is_too_long_is_left_out(talk: Talk) -> None:
    """The next one is obeyed."""
    talk.send("position startpos moves " + "Ff" * 100_000)
    assert talk.silence() == ["info string a line of more than 65536 bytes is left out"]
    assert talk.best("go depth 1") in "ABCDEF"


@pytest.mark.parametrize("last", ["go infinite", "go ponder", "go depth 80", "go movetime 60000"])
def test_the_end_of_the_input_ends_the_search_with_its_move(last: str) -> None:
    """As `quit` does."""
    talk = Talk()
    talk.send("position startpos", last)
    talk.until("^info depth 3")
    code, rest = talk.end()
    assert code == 0
    assert [line.split()[0] for line in rest].count("bestmove") == 1


def test_a_command_without_a_newline_at_the_end_is_obeyed() -> None:
    """As editors leave files."""
    talk = Talk()
    talk.send(b"isready\nuci")
    code, said = talk.end()
    assert (code, said[0], said[-1]) == (0, "readyok", "uciok")


def test_an_endless_line_is_the_end_of_the_input() -> None:
    """Such as /dev/zero is: nobody who speaks the protocol is there; an error says so."""

    class Endless(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert size > 0
            return b"\0" * size

    heard = io.BytesIO()
    words = "input: 67108864 bytes without the end of a line"
    with pytest.raises(wari.InvalidValueError, match=words) as caught:
        serve(Endless(), heard)
    assert caught.value.field == "input"
    assert heard.getvalue().decode() == f"info string {words}; this is the end\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/zero")
def test_a_device_without_end_is_bad_input() -> None:
    """One line on standard error and exit code 2."""
    with Path("/dev/zero").open("rb") as zero:
        done = subprocess.run(
            [sys.executable, "-m", "wari", "uci"], stdin=zero, capture_output=True, text=True
        )
    words = "input: 67108864 bytes without the end of a line"
    assert (done.returncode, done.stderr) == (2, f"wari: error: {words}\n")
    assert done.stdout == f"info string {words}; this is the end\n"


@pytest.mark.parametrize("command", ["go depth 3", "go infinite"])
def test_a_search_without_a_thread_ends_the_engine_with_a_message(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system grants none: nothing could be searched, and nothing be stopped."""

    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    heard = io.BytesIO()
    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(wari.NotEnoughMemoryError, match="thread: the system grants no more"):
        serve(io.BytesIO(f"isready\n{command}\nisready\n".encode()), heard)
    said = heard.getvalue().decode().splitlines()
    assert said[0] == "readyok"
    assert said[1].startswith("info string thread: the system grants no more of them")
    assert len(said) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory")
def test_too_little_memory_for_a_thread_is_an_exit_code() -> None:
    """No traceback at any size between too little for Python and enough."""
    program = (
        "import resource, sys, wari, wari.cli.uci, wari.uci.server, wari.cli\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "most = used + (1 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
        "sys.exit(wari.cli.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "uci"], input="go depth 3\n", capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("wari: error: thread: the system grants no more of them")


@pytest.mark.parametrize("place", [0, 1])
def test_a_byte_order_mark_is_no_word(place: int) -> None:
    """As editors put it before a text; also where texts were put together."""
    heard = io.BytesIO()
    serve(io.BytesIO(b"isready\n" * place + b"\xef\xbb\xbfuci\r\nquit\n"), heard)
    said = heard.getvalue().decode().splitlines()
    assert said[-1] == "uciok"
    assert not any("unknown" in line for line in said)


def test_a_refused_thread_is_one_line_in_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where another package starts it; any other RuntimeError is a fault of ours."""
    for words, code in (("can't start new thread", 2), ("something else", None)):

        def fail(*_: object, words: str = words, **__: object) -> None:
            raise RuntimeError(words)

        monkeypatch.setattr("wari.uci.server.serve", fail)
        if code is None:
            with pytest.raises(RuntimeError, match="something else"):
                main(["uci"])
        else:
            assert main(["uci"]) == code
            assert capsys.readouterr().err == (
                "wari: error: thread: the system grants no more of them\n"
            )
