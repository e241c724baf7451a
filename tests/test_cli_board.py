"""The drawing of the board: who is where, at a glance and in 80 columns."""

import io
import re
from typing import NamedTuple

import pytest
from wari.cli.board import draw, plain
from wari.cli.screen import STYLES, Screen


class Board(NamedTuple):
    """The least a drawing needs."""

    pits: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    stores: tuple[int, int] = (20, 13)
    side: str = "S"


def drawn(*args: object, **options: object) -> list[str]:
    """The plain lines of a drawing."""
    return plain(draw(*args, **options))  # type: ignore[arg-type]


def numbers(line: str) -> list[int]:
    """The counts in a line."""
    return [int(word) for word in re.findall(r"\d+", line)]


def test_south_sees_its_row_below_from_left_to_right() -> None:
    lines = drawn(Board())
    assert lines[0].split() == ["North", "←", *"fedcba"]
    assert lines[-1].split() == [*"ABCDEF", "→", "South"]
    assert numbers(lines[2]) == [12, 11, 10, 9, 8, 7]
    assert numbers(lines[3]) == [13, 20]
    assert numbers(lines[4]) == [1, 2, 3, 4, 5, 6]


def test_north_sees_its_own_row_below() -> None:
    lines = drawn(Board(), view="N")
    assert lines[0].split() == ["South", "←", *"FEDCBA"]
    assert lines[-1].split() == [*"abcdef", "→", "North"]
    assert numbers(lines[2]) == [6, 5, 4, 3, 2, 1]
    assert numbers(lines[3]) == [20, 13]
    assert numbers(lines[4]) == [7, 8, 9, 10, 11, 12]


def test_every_count_stands_under_its_letter() -> None:
    for view in "SN":
        lines = drawn(Board(pits=(96, 1, 1, 48, 1, 1, 0, 10, 1, 1, 1, 77)), view=view)
        for letters, row in ((lines[0], lines[2]), (lines[-1], lines[4])):
            for letter in re.findall(r"\b[a-fA-F]\b", letters):
                place = letters.index(f" {letter}", 8) + 1
                count = Board(pits=(96, 1, 1, 48, 1, 1, 0, 10, 1, 1, 1, 77)).pits[
                    "ABCDEFabcdef".index(letter)
                ]
                assert row[place - 1 : place + 1].strip() == str(count), (view, letter)


@pytest.mark.parametrize(("side", "row"), [("S", 4), ("N", 2)])
def test_an_arrow_points_at_the_row_to_move(side: str, row: int) -> None:
    marked = [number for number, line in enumerate(drawn(Board(side=side))) if "▶" in line]
    assert marked == [row]
    assert not any("▶" in line for line in drawn(Board(side=side), over=True))


def test_clockwise_turns_the_arrows_only() -> None:
    usual, mirror = drawn(Board()), drawn(Board(), clockwise=True)
    assert usual[1:-1] == mirror[1:-1]
    assert mirror[0].split() == ["North", *"fedcba", "→"]
    assert mirror[-1].split() == ["←", *"ABCDEF", "South"]


@pytest.mark.parametrize("letter", "ABCDEFabcdef")
def test_the_last_move_is_marked(letter: str) -> None:
    pits = [5] * 12
    pits["ABCDEFabcdef".index(letter)] = 0
    lines = drawn(Board(pits=tuple(pits)), last=letter)
    assert "".join(lines).count("(0)") == 1
    assert ("(0)" in lines[4]) == letter.isupper()


def test_counts_to_96_fit_and_keep_the_width() -> None:
    for count in (0, 9, 10, 96):
        for last in ("", "A", "f"):
            lines = drawn(Board(pits=(count,) * 12, stores=(count, count)), last=last)
            assert max(map(len, lines)) <= 80
            assert len({len(line) for line in lines[1:-1]}) == 1


def test_legal_letters_have_a_style_of_their_own_and_every_style_is_known() -> None:
    spans = [span for line in draw(Board(), legal=("A", "C"), last="e") for span in line]
    assert [span.text for span in spans if span.style == "legal"] == ["A", "C"]
    assert {span.style for span in spans} <= set(STYLES)


class AsciiStream(io.StringIO):
    """A stream that cannot write Unicode."""

    encoding = "ascii"


def test_a_stream_without_unicode_gets_other_characters_of_the_same_width() -> None:
    stream = AsciiStream()
    Screen(stream).lines(draw(Board()))
    shown = stream.getvalue().splitlines()
    assert all(line.isascii() for line in shown)
    assert [len(line) for line in shown] == [len(line) for line in drawn(Board())]
    assert shown[4].startswith("> |")
