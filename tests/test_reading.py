"""How text comes in: its encoding, its bounds, standard input, pipes that never end.

The formats themselves have tests of their own.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN, WARI, call
from wari import ogn
from wari._ogn import tokens
from wari._reading import LONGEST_WHOLE, text_of
from wari.match import read_openings

GAME = '[South "Úrsula"]\n\n1. F f *\n'
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
RECORD = wari.Game.replay("Ff", "abapa").to_json()
UTF16 = ("utf-16", "utf-16-le", "utf-16-be")


def bytes_of(text: str, encoding: str) -> bytes:
    """With a mark of the byte order, whatever the encoding."""
    mark = "" if encoding in ("utf-16", "utf-32", "utf-8-sig") else "\ufeff"
    return (mark + text).encode(encoding)


def openings(path: Path) -> object:
    """The openings for one set of rules."""
    return read_openings(path, "abapa")


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "ogn": (lambda path: list(ogn.read(path)), GAME),
    "json": (wari.Game.load, RECORD),
    "openings": (openings, "abapa Ff\n"),
}


# --- encodings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", *UTF16])
def test_the_mark_of_the_byte_order_tells_the_encoding(
    name: str, encoding: str, tmp_path: Path
) -> None:
    read, text = READERS[name]
    plain, marked = tmp_path / "plain", tmp_path / "marked"
    plain.write_bytes(text.encode())
    marked.write_bytes(bytes_of(text.replace("\n", "\r\n"), encoding))
    assert read(marked) == read(plain)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32_is_named(name: str, encoding: str, tmp_path: Path) -> None:
    read, text = READERS[name]
    (tmp_path / "x").write_bytes(bytes_of(text, encoding))
    with pytest.raises(wari.InvalidValueError, match=r"x is UTF-32; save it as UTF-8$"):
        read(tmp_path / "x")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(name: str, encoding: str, tmp_path: Path) -> None:
    read, text = READERS[name]
    (tmp_path / "x").write_bytes(text.encode(encoding))
    with pytest.raises(wari.InvalidValueError, match="is UTF-16 without a mark of the byte order"):
        read(tmp_path / "x")


@pytest.mark.parametrize("name", READERS)
def test_utf_16_that_is_cut_in_a_character_is_a_fault(name: str, tmp_path: Path) -> None:
    read, text = READERS[name]
    (tmp_path / "x").write_bytes(bytes_of(text, "utf-16-le") + b"A")
    with pytest.raises(wari.InvalidValueError, match=r"no text"):
        read(tmp_path / "x")


def test_the_games_before_bytes_that_are_no_text_are_read(tmp_path: Path) -> None:
    """Also from a file that its reader has opened."""
    path = tmp_path / "x.ogn"
    path.write_bytes(bytes_of(2 * GAME, "utf-16") + b"A")
    errors: list[ogn.OgnError] = []
    assert len(list(ogn.read(path, errors=errors))) == 2
    assert [error.line for error in errors] == [7]
    path.write_bytes(GAME.encode() + b"\n" * 10_000 + b"[South \xff")
    with path.open(encoding="utf-8") as file:
        games = ogn.read(file)
        with pytest.raises(ogn.OgnError, match="no text"):
            list(games)


def test_half_a_character_of_utf_16_stands_out(tmp_path: Path) -> None:
    """In a word it is a fault; in a tag or a comment it is written as what it is."""
    path = tmp_path / "x.ogn"
    text = '[South "\ud83d"]\n\n1. F { \ude00 } f *\n'
    path.write_bytes(("\ufeff" + text).encode("utf-16-le", "surrogatepass"))
    (record,) = ogn.read(path)
    assert (record.tags["South"], record.line.moves[0].after) == (r"\ud83d", [r"\ude00"])
    path.write_bytes("\ufeff1. F \ud83d *".encode("utf-16-le", "surrogatepass"))
    with pytest.raises(ogn.OgnError, match="line 1, column 6: expected a move"):
        list(ogn.read(path))


# --- bounds -------------------------------------------------------------------------------------


class Endless(io.RawIOBase):
    """A stream that goes on for ever, and says how much of it was read."""

    def __init__(self, begin: bytes, unit: bytes) -> None:
        self.given = 0
        self._left = begin
        self._unit = unit * (1 << 12)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """As much as is wanted, at most one block."""
        self._left = self._left or self._unit
        data, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(data)] = data
        self.given += len(data)
        return len(data)


ENDLESS = {
    "nothing": (b"", b"\0"),
    "spaces": (b"", b" "),
    "lines": (b"", b"\n"),
    "json": (b'{"a": "', b"x"),
    "json of spaces": (b'{"a": ', b" \n"),
    "an ogn comment": (b"1. F {", b"x\n"),
    "ogn lines that are left out": (b"", b"%\n"),
    "ogn tags": (b"", b'[A "b"]\n'),
    "a game": (b"", b"F f\n"),
    "games": (b"", b'*\n\n[A "b"]\n'),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_review_ends_where_the_input_does_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a smaller bound than the true one, so that it takes no longer than it must."""
    from wari.cli import review

    monkeypatch.setattr(review, "LONGEST_WHOLE", 1 << 17)
    endless = Endless(*ENDLESS[name])
    stdin = io.TextIOWrapper(io.BufferedReader(endless))
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(wari.InvalidValueError, match=r"^file: ") as raised:
        review.read_games(Path("-"))
    assert len(str(raised.value)) < 200
    assert endless.given <= (1 << 17) + (1 << 16)


def test_no_more_games_are_reviewed_than_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from wari.cli import review

    monkeypatch.setattr(review, "MOST_GAMES", 3)
    for count, fits in ((3, True), (4, False)):
        stdin = io.TextIOWrapper(io.BytesIO(b"1. F f *\n" * count))
        monkeypatch.setattr(sys, "stdin", stdin)
        if fits:
            assert len(review.read_games(Path("-"))[0]) == count
        else:
            with pytest.raises(wari.InvalidValueError, match="more than 3 games; --game N"):
                review.read_games(Path("-"))


def test_one_game_of_an_endless_stream_can_be_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    from wari.cli import review

    endless = Endless(b"", b"1. F f *\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(endless)))
    records, fault = review.read_games(Path("-"), 3)
    assert ([record.line.letters for record in records], fault) == (["Ff"], "")
    assert endless.given < 1 << 18


@pytest.mark.parametrize("unit", [b"\n", b" \n", b"%\n", b"{}\n", b'[A "b"]\n', b"F f\n", b"{\n"])
def test_ogn_without_an_end_is_given_up(unit: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lines are, as long as they are of one game; with smaller bounds."""
    monkeypatch.setattr(tokens, "LONGEST_GAME", 40_000)
    monkeypatch.setattr(tokens, "LONGEST_COMMENT", 10_000)
    endless = Endless(b"1. F\n", unit)
    file = text_of(io.BufferedReader(endless), "endless", errors="surrogateescape")
    with pytest.raises(ogn.OgnError, match=r"more than|not legal|never closed"):
        next(itertools.islice(ogn.read(file), 1, None))
    assert endless.given < 80_000


def test_lines_without_an_end_are_given_up() -> None:
    """Of files that their reader has opened, too."""
    endless = Endless(b"1. F *\n", b"x")
    file = io.TextIOWrapper(io.BufferedReader(endless))
    with pytest.raises(ogn.OgnError, match="line of more than 4000000 characters"):
        list(ogn.read(file))
    assert endless.given < 5_000_000
    endless = Endless(b"abapa Ff\n", b"x")
    with pytest.raises(wari.InvalidValueError, match="openings: line 2 is longer than 100000"):
        read_openings(io.TextIOWrapper(io.BufferedReader(endless)), "abapa")
    assert endless.given < 1_000_000


def test_lists_without_an_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of openings; those of positions are answered one by one."""
    endless = Endless(b"", b"# none\n")
    file = text_of(io.BufferedReader(endless), "x", "openings", most=1 << 20)
    with pytest.raises(wari.InvalidValueError, match=r"^openings: x is longer than 1048576 bytes"):
        read_openings(file, "abapa")
    assert endless.given <= (1 << 20) + (1 << 17)


@contextlib.contextmanager
def fed(path: Path, data: bytes, times: int) -> Iterator[None]:
    """A named pipe into which data is written as long as somebody reads it."""

    def feed() -> None:
        with contextlib.suppress(BrokenPipeError), path.open("wb", buffering=0) as pipe:
            for _ in range(times):
                pipe.write(data)

    os.mkfifo(path)
    thread = threading.Thread(target=feed)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("name", READERS)
def test_named_pipes_are_read_and_bounded(name: str, tmp_path: Path) -> None:
    read, text = READERS[name]
    (tmp_path / "file").write_text(text, encoding="utf-8")
    with fed(tmp_path / "pipe", text.encode(), 1):
        assert read(tmp_path / "pipe") == read(tmp_path / "file")
    with (
        fed(tmp_path / "long", b" " * (1 << 20), 64),
        pytest.raises(wari.InvalidValueError, match="longer than|more than"),
    ):
        read(tmp_path / "long")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device that never ends")
@pytest.mark.parametrize("name", READERS)
def test_a_device_that_never_ends_is_refused(name: str) -> None:
    with pytest.raises(wari.InvalidValueError, match="is a device|longer than any"):
        READERS[name][0](Path("/dev/zero"))


# --- standard input -----------------------------------------------------------------------------


FEW = ("--depth", "1", "--threads", "1", "--hash", "4")


def test_review_reads_standard_input() -> None:
    """OGN and JSON, UTF-16 too; `--output -` is standard output."""
    done = call("review", "-", *FEW, typed=GAME)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("South (Úrsula) against North")
    assert call("review", "-", *FEW, typed=RECORD).out.startswith("South against North, abapa")
    shown = call("review", "-", *FEW, "--output", "-", "--format", "ogn", typed=GAME)
    assert ogn.first(shown.out).tags["South"] == "Úrsula"
    assert not Path("-").exists()


def test_review_says_what_is_wrong_with_standard_input() -> None:
    for typed, message in (
        ("", "file: standard input holds no game"),
        ("1. F x", "file: standard input: line 1, column 6: expected a move"),
        ('{"format": 1}', "format: expected 'wari-game', not 1"),
        ('{"format": "' + "\x00" * 9, "record: not JSON"),
    ):
        done = call("review", "-", typed=typed)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"wari: error: {message}")
        assert done.err.count("\n") == 1
    done = call("review", "-", "--game", "3", typed=2 * GAME)
    assert (done.code, done.err) == (2, "wari: error: game: there are 2, not 3\n")


@pytest.mark.process
def test_pipes_of_utf_16_and_of_any_length_are_reviewed(tmp_path: Path) -> None:
    """As standard input; the file that it comes from is not written over."""

    def piped(data: bytes, *more: str) -> subprocess.CompletedProcess[bytes]:
        words = [WARI, "review", "-", *FEW, *more]
        return subprocess.run(words, input=data, capture_output=True, env=CLEAN, check=False)

    done = piped(bytes_of(GAME, "utf-16"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("South (Úrsula) against North")
    done = piped(b'{"a": "' + b"x" * (LONGEST_WHOLE + 1))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"longer than" in done.stderr
    path = tmp_path / "game.ogn"
    path.write_text(GAME, encoding="utf-8")
    with path.open("rb") as file:
        words = [WARI, "review", "-", *FEW, "--output", str(path)]
        refused = subprocess.run(words, stdin=file, capture_output=True, env=CLEAN, check=False)
    assert (refused.returncode, path.read_text(encoding="utf-8")) == (2, GAME)
    assert b"is the file that is reviewed" in refused.stderr


def test_positions_from_standard_input_may_begin_with_a_mark() -> None:
    """And bytes that are no text are an error of their line alone."""
    done = call("analyse", "-", "--depth", "1", "--json", typed=f"\ufeff{START}\n\n{START} F\n")
    assert (done.code, done.err) == (0, "")
    assert [json.loads(line)["line"] for line in done.out.splitlines()] == [1, 3]


@pytest.mark.process
def test_each_position_is_answered_before_the_next_one_is_written() -> None:
    words = [WARI, "analyse", "-", "--depth", "1", "--json"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=CLEAN) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for number in (1, 2):
            child.stdin.write(f"{START}\n".encode())
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["line"] == number
        child.stdin.close()
        assert child.wait(60) == 0


def test_openings_of_a_match_may_come_from_standard_input() -> None:
    """The list is read and checked before an engine is started."""
    done = call("match", "no-such-engine", "no-such", "--openings", "-", typed="abapa Fx\n")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("wari: error: openings: line 1: ")


# --- numbers ------------------------------------------------------------------------------------

ODD = ["\u00b2", "\u0663", "1_0", "\uff11", "9" * 5000, "1e", "0x1", "--1", "nan", "inf", "1 0"]


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "--time"),
        ("analyse", "--depth"),
        ("analyse", "--nodes"),
        ("play", "--clock"),
        ("play", "--level"),
        ("match", "x", "y", "--clock"),
        ("match", "x", "y", "--sprt"),
        ("match", "x", "y", "--games"),
        ("tb", "build", "--memory"),
        ("tb", "build", "--seeds"),
        ("review", "-", "--game"),
        ("perft", "--depth"),
    ],
    ids=" ".join,
)
def test_numbers_are_plain_digits(words: tuple[str, ...]) -> None:
    """Whatever else Python takes for digits or for a number is bad input, never a traceback."""
    for odd in ODD:
        value = f"0,{odd}" if "--sprt" in words else odd
        done = call(*words, value)
        assert (done.code, done.out) == (2, ""), odd
        assert done.err.startswith(f"wari: error: {words[-1].lstrip('-')}: expected "), odd
        assert done.err.count("\n") == 1
        assert len(done.err) < 300


@pytest.mark.parametrize("odd", ["\u00b2", "\u0663", "\uff11"])
def test_digits_of_ogn_are_plain(odd: str) -> None:
    """In numbers, captures, results and marks."""
    for text in (f"{odd}. F", f"F+{odd}", f"F ${odd}", f"F 2{odd}-23"):
        with pytest.raises(ogn.OgnError, match="expected a move"):
            ogn.loads(text)
