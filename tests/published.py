"""Numbers that others have published, as plain data.

Numbers that an independent program recomputed stand in recomputed.py, those that wari itself
printed once, and must go on printing, in benchmarks/signature.txt.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Board:
    """A board under `awari`: own pits, then the opponent's, in sowing order, and what is known."""

    pits: tuple[int, ...]
    value: int | None  # net seeds still to come for the side to move
    moves: dict[str, int]  # the value of each legal move; empty where only those are known
    legal: str
    captures: dict[str, int]  # seeds captured by a move, where that is published


def board(text: str, value: int | None, moves: str, legal: str = "", captures: str = "") -> Board:
    """A board from `1 1 1 1 1 2 | 4 2 3 0 0 0` and moves such as `A-1 F0`."""
    pits = tuple(int(count) for count in text.replace("|", " ").split())
    values = {word[0]: int(word[1:]) for word in moves.split()}
    taken = {word[0]: int(word[1:]) for word in captures.split()}
    return Board(pits, value, values, legal or "".join(values), taken)


BOARDS: list[Board] = [
    # The readme of the Vrije Universiteit's database of Awari, DOI 10.48338/vu01-11wjke.
    board("1 1 1 1 1 2 | 4 2 3 0 0 0", 0, "A-1 B-1 C-2 D-2 E-2 F0"),
    # T. R. Lincke, Diss. ETH 14701, 2002; L. V. Allis, PhD thesis, 1994.
    board("0 0 6 0 3 5 | 1 2 1 0 0 0", -2, "", legal="EF"),
    board("1 0 4 19 4 2 | 1 1 3 1 0 0", None, "", legal="ACDEF", captures="A0 C2 D7 E0 F4"),
]
