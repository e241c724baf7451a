"""`wari uci` through a real process: nonsense, lines without end, the end of the input."""

from __future__ import annotations

import io
import random
import re

import pytest
from uci_talk import Talk
from wari.uci.server import serve

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
    endure(seed=1, count=200)


@pytest.mark.slow
def test_a_thousand_hostile_lines() -> None:
    """The whole."""
    endure(seed=2, count=1000)


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
    """Such as /dev/zero is: nobody who speaks the protocol is there."""

    class Endless(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert size > 0
            return b"\0" * size

    heard = io.BytesIO()
    serve(Endless(), heard)
    assert heard.getvalue() == b"info string a line of more than 65536 bytes is left out\n"
