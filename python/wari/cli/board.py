"""The drawing of a board as styled text lines."""

from collections.abc import Collection
from typing import NamedTuple, Protocol

from wari.cli.language import mark, tr

SOUTH_LETTERS = "ABCDEF"
NORTH_LETTERS = "abcdef"
SIDE_NAMES = {"S": mark("South"), "N": mark("North")}
CELL = 5  # the width of a pit or store: room for a count to 96 between two marks


class Span(NamedTuple):
    """A piece of text and the name of its style ("" is plain)."""

    text: str
    style: str = ""


Line = list[Span]


def side_name(side: str, *, english: bool = False) -> str:
    """What a side is called, in the language in use or, for files, in English."""
    return SIDE_NAMES[side] if english else tr(SIDE_NAMES[side])


class Board(Protocol):
    """What the drawing needs of a position."""

    @property
    def pits(self) -> tuple[int, ...]:
        """Twelve counts, A..F then a..f."""

    @property
    def stores(self) -> tuple[int, int]:
        """South's store, North's store."""

    @property
    def side(self) -> str:
        """The side to move, "S" or "N"."""


def draw(
    board: Board,
    *,
    last: str = "",
    legal: Collection[str] = (),
    view: str = "S",
    clockwise: bool = False,
    over: bool = False,
) -> list[Line]:
    """Draw the board as `view` sees it: its own row below, from left to right in letter order.

    The pit of the move `last` stands in brackets, the letters in `legal` have a style of their own,
    an arrow points at the row to move unless the game is over, two more show the way of sowing.
    """
    south_below = view == "S"
    below = SOUTH_LETTERS if south_below else NORTH_LETTERS
    above = (NORTH_LETTERS if south_below else SOUTH_LETTERS)[::-1]
    above_side = "N" if south_below else "S"
    left, right = board.stores[::-1] if south_below else board.stores
    to_move = "" if over else board.side
    return [
        _letters(above, above_side, legal, above=True, forward=clockwise),
        [Span("  ╭"), *_rule("┬"), Span("╮")],
        _row(board, above, last, marked=to_move == above_side),
        [_side(left, "  │"), Span("├"), *_rule("┼", 6), Span("┤"), _side(right), Span("│")],
        _row(board, below, last, marked=to_move == view),
        [Span("  ╰"), *_rule("┴"), Span("╯")],
        _letters(below, view, legal, above=False, forward=not clockwise),
    ]


def _rule(joint: str, cells: int = 8) -> Line:
    return [Span(joint.join(["─" * CELL] * cells), "frame")]


def _side(count: int, before: str = "") -> Span:
    return Span(before + _cell(f"{count}"), "store")


def _cell(count: str) -> str:
    """A count in its cell, units under units."""
    return f"{count:>{CELL // 2 + 1}}".ljust(CELL)


def _row(board: Board, letters: str, last: str, *, marked: bool) -> Line:
    """One row of pits between the walls of the two stores."""
    line = [Span("▶ " if marked else "  ", "mover"), Span("│" + " " * CELL + "│", "frame")]
    for letter in letters:
        count = board.pits[(SOUTH_LETTERS + NORTH_LETTERS).index(letter)]
        if letter == last:
            line.append(Span(f"({count})".rjust(CELL - 1).ljust(CELL), "last"))
        else:
            line.append(Span(_cell(f"{count}"), "seeds" if count else "empty"))
        line.append(Span("│", "frame"))
    return [*line, Span(" " * CELL + "│", "frame")]


def _letters(
    letters: str, side: str, legal: Collection[str], *, above: bool, forward: bool
) -> Line:
    """The letters of a row, the side's name beside its store, the way of sowing."""
    name = Span(side_name(side).center(CELL + 2), "name")
    line = [Span("  "), name if above else Span(" " * len(name.text))]
    line.append(Span("  " if forward else "← ", "arrow"))
    for letter in letters:
        line.append(Span(letter, "legal" if letter in legal else "letter"))
        line.append(Span(" " * CELL))
    line[-1] = Span(" →" if forward else "  ", "arrow")
    return line if above else [*line, Span(" "), name]


def plain(lines: list[Line]) -> list[str]:
    """The text of the lines without styles or trailing spaces."""
    return ["".join(span.text for span in line).rstrip() for line in lines]
