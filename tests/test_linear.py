"""Whatever is read, twice the text costs twice the work: no shape of input makes a reader slow.

Calls are counted exactly; what a call does inside C is seen by the time of the processor, two sizes
within one run.
"""

from __future__ import annotations

import gc
import io
import json
import random
import sys
import time
from collections.abc import Callable
from functools import cache

import pytest
import wari
from fuzz_feeds import TEXT
from wari import ogn
from wari.match import openings
from wari.uci.server import serve

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
RECORD = json.dumps(wari.Game("abapa").to_dict())


@cache
def quiet_game(plies: int) -> str:
    """The letters of a game that captures nothing and repeats nothing: the longest history."""
    game, rng = wari.Game("abapa"), random.Random(1)
    left: list[list[str]] = []
    while len(game) < plies:
        if len(left) == len(game):
            moves = list(game.legal_moves())
            rng.shuffle(moves)
            left.append(moves)
        if not left[-1]:
            left.pop()
            game.pop()
        elif game.push(left[-1].pop()) or game.is_over:
            game.pop()
    return "".join(game.moves)


def repeated(head: str, unit: str, tail: str = "") -> Callable[[int], str]:
    """A text that grows by one unit."""
    return lambda count: head + unit * count + tail


def read_ogn(text: str) -> None:
    """Every game, and what is wrong."""
    ogn.loads(text, errors=[])


def write_ogn(text: str) -> None:
    """The same, and written again."""
    errors: list[ogn.OgnError] = []
    ogn.dumps(ogn.loads(text, errors=errors))
    assert not errors


def read_openings(text: str) -> None:
    """A list of openings, which may be wrong somewhere."""
    try:
        openings.read_openings(io.StringIO(text), "abapa")
    except wari.WariError:
        return


def hear_uci(text: str) -> None:
    """Lines to `wari uci`."""
    serve(io.BytesIO(text.encode() + b"\nquit\n"), io.BytesIO())


OGN = {
    "marks": repeated("F ", "! "),
    "marks at a move": repeated("F", "!", " f *"),
    "marks at no move": repeated("", "! "),
    "marks at a wrong word": repeated("F", "!", "x"),
    "numbered marks": repeated("F ", "$1 "),
    "a mark of digits": repeated("F $", "1", " f *"),
    "marks and comments": repeated("F ", "! {c} "),
    "comments": repeated("F ", "{c}"),
    "comments with nothing in them": repeated("", "{}"),
    "a comment": repeated("F {", "c ", "}"),
    "a comment of brackets": repeated("F {", "[ ", "}"),
    "a comment of per cents": repeated("F {", "% ", "}"),
    "a comment of lines": repeated("F {", "c\n", "}"),
    "a comment of controls": repeated("F {c", "\x1b", "}"),
    "a comment without an end": repeated("F ", "{"),
    "comments to the end of the line": repeated("F ", ";c\n"),
    "semicolons": repeated("", ";"),
    "opening parentheses": repeated("", "("),
    "variations inside each other": repeated("", "F (1. "),
    "closing parentheses": repeated("F ", ")"),
    "variations": repeated("F ", "(E) "),
    "variations of the rules refuse": repeated("F ", "(a (b)) "),
    "empty variations": repeated("F ", "() "),
    "deep variations again and again": repeated("F ", "(E (D (C " + ")))"),
    "a variation at each move": lambda count: " (A) ".join(quiet_game(count)),
    "a long game": lambda count: " ".join(quiet_game(count)),
    "spaces": repeated("F", " ", "f"),
    "tabs": repeated("F", "\t", "f"),
    "empty lines": repeated("F", "\n", "f"),
    "carriage returns": repeated("F", "\r", "f"),
    "marks of the byte order": repeated("", "\ufeff", "F"),
    "lines that are left out": repeated("", "%\n"),
    "digits": repeated("", "1"),
    "numbers": repeated("F ", "1 "),
    "numbers of moves": repeated("F ", "1. "),
    "dots": repeated("F ", "."),
    "dashes": repeated("", "-"),
    "results": repeated("F ", "25-23 "),
    "stars": repeated("", "* "),
    "games": repeated("", "F f *\n"),
    "games without a result": repeated("", "\n1. F f\n"),
    "a tag given again": repeated("", '[A "b"]\n'),
    "tags": lambda count: "".join(f'[A{number} "b"]\n' for number in range(count)),
    "games of a tag": repeated("", '[A "b"]\n\n'),
    "comments between tags": repeated('[A "b"]\n', "\n{ c }\n"),
    "opening brackets": repeated("", "["),
    "lines of an opening bracket": repeated("", "[\n"),
    "spaces in a tag": repeated("[", " ", 'A "b"]'),
    "spaces behind the name of a tag": repeated("[A", " "),
    "spaces behind the value of a tag": repeated('[A "b"', " "),
    "a name of a tag": repeated("[", "A"),
    "escaped quotes": repeated('[A "', '\\"', '"]'),
    "escaped quotes without an end": repeated('[A "', '\\"'),
    "backslashes without an end": repeated('[A "', "\\"),
    "quotes": repeated("[A ", '"'),
}
WRITTEN = (
    "marks",
    "a comment of brackets",
    "a comment of per cents",
    "a comment of controls",
    "variations",
    "deep variations again and again",
    "a variation at each move",
)
MOVES = RECORD.replace('"moves": ""', '"moves": "{}"')
SHAPES: dict[str, tuple[Callable[[str], None], Callable[[int], str]]] = {
    **{f"ogn, {name}": (read_ogn, shape) for name, shape in OGN.items()},
    **{f"ogn written, {name}": (write_ogn, OGN[name]) for name in WRITTEN},
    "json, brackets": (TEXT["record"], repeated("", "[")),
    "json, objects": (TEXT["record"], repeated("", '{"a":')),
    "json, digits": (TEXT["record"], repeated("", "9")),
    "json, a fraction": (TEXT["record"], repeated("0.", "9")),
    "json, numbers": (TEXT["record"], repeated("[", "1,", "1]")),
    "json, spaces": (TEXT["record"], repeated("", " ")),
    "json, escapes": (TEXT["record"], repeated('"', "\\u00e9", '"')),
    "json, escapes without an end": (TEXT["record"], repeated('"', '\\"')),
    "json, other keys": (TEXT["record"], repeated("{", '"a": 1, ', RECORD[1:])),
    "json, a long game": (TEXT["record"], lambda count: MOVES.replace("{}", quiet_game(count))),
    "json, spaces for moves": (TEXT["record"], lambda count: MOVES.replace("{}", " " * count)),
    "json, a move that is refused": (
        TEXT["record"],
        lambda count: MOVES.replace("{}", quiet_game(count) + "AA"),
    ),
    "rules, presets": (TEXT["rules"], repeated("", "wari,")),
    "rules, one axis": (TEXT["rules"], repeated("wari", ",majority=true")),
    "rules, signs": (TEXT["rules"], repeated("", "=")),
    "rules, spaces": (TEXT["rules"], repeated("wari", " ")),
    "rules, digits": (TEXT["rules"], repeated("seeds_per_pit=", "4")),
    "position, fields": (TEXT["position"], repeated("wari\n", "4-")),
    "position, digits": (TEXT["position"], repeated("wari\n", "4")),
    "position, dashes": (TEXT["position"], repeated("wari\n", "-")),
    "position, a long game": (
        TEXT["position"],
        lambda count: f"abapa\n{START}\n{' '.join(quiet_game(count))}",
    ),
    "openings, lines": (read_openings, repeated("", "abapa Ff # b\n")),
    "openings, signs of comments": (read_openings, repeated("abapa Ff", "#", "\n")),
    "openings, spaces": (read_openings, repeated("abapa", " ", "Ff\n")),
    "openings, words": (read_openings, repeated("abapa ", "F ", "\n")),
    "openings, a long game": (read_openings, lambda count: f"abapa {quiet_game(count)}\n"),
    "uci client, words": (TEXT["uci_client"], repeated("", "string ")),
    "uci client, a line of play": (TEXT["uci_client"], repeated("pv ", "F ")),
    "uci client, scores": (TEXT["uci_client"], repeated("", "score cp 1 ")),
    "uci client, choices": (TEXT["uci_client"], repeated("a type combo ", "var b ")),
    "uci client, names": (TEXT["uci_client"], repeated("", "name type ")),
    "uci client, spaces": (TEXT["uci_client"], repeated("a", " ", "b")),
    "uci client, digits": (TEXT["uci_client"], repeated("depth ", "9")),
    "uci server, lines": (hear_uci, repeated("", "isready\n")),
    "uci server, a long line": (hear_uci, repeated("", "x")),
    "uci server, options": (hear_uci, repeated("", "setoption name MultiPV value 2\n")),
}
COPIED = (  # what was copied or compared again and again would cost most here
    "ogn, marks",
    "ogn, marks and comments",
    "ogn written, a comment of per cents",
    "json, a long game",
    "openings, a long game",
    "uci client, words",
)


def calls(read: Callable[[str], None], text: str) -> int:
    """The calls of functions, those written in C included, that reading a text takes."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    gc.disable()  # what it runs is not of the reader
    sys.setprofile(note)
    try:
        read(text)
    finally:
        sys.setprofile(before)
        gc.enable()
    return count


@pytest.mark.parametrize("name", SHAPES)
def test_twice_the_text_takes_twice_the_calls(name: str) -> None:
    read, shape = SHAPES[name]
    read(shape(3))  # what is imported and kept at the first time
    once, twice = (calls(read, shape(count)) for count in (100, 200))
    assert twice <= 2.3 * once + 20, (once, twice)


def growth(name: str, least: int) -> float:
    """How many times as long a text takes that is 16 times as long, by the best of some runs."""
    read, shape = SHAPES[name]
    texts = shape(least), shape(16 * least)
    took = []
    for text, runs in zip(texts, (4, 1), strict=True):
        times = []
        for _ in range(runs):
            gc.disable()
            began = time.process_time()
            read(text)
            times.append(time.process_time() - began)
            gc.enable()
        took.append(max(min(times), 1e-4))
    return took[1] / took[0]


@pytest.mark.parametrize("name", COPIED)
def test_nothing_is_copied_again_and_again(name: str) -> None:
    """16 times as long for a reader that is linear, 256 times for one that is not."""
    least = 1000 if name.startswith("ogn, ") else 4000
    assert growth(name, least) < 40 or growth(name, least) < 40


def test_a_variation_does_not_copy_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plies of games that are copied while variations are read, counted."""
    copied = [0]
    real = wari.Game.copy

    def copy(game: wari.Game) -> wari.Game:
        copied[0] += len(game)
        return real(game)

    monkeypatch.setattr(wari.Game, "copy", copy)
    found = []
    for count in (200, 400):
        copied[0] = 0
        ogn.loads(OGN["a variation at each move"](count), errors=[])
        found.append(copied[0])
    assert found[1] <= 2.3 * found[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_takes_more_than_its_length(name: str) -> None:
    """The same for every shape, long enough that copies would show."""
    least = 2000
    assert growth(name, least) < 40 or growth(name, least) < 40
