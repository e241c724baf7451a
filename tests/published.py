"""Published numbers, as plain data: leaf counts and values of single positions.

Owns: the numbers and where they come from. Must not know: any implementation.
Sources: J. W. Romein, H. E. Bal, "Awari is solved", ICGA Journal 25(3), 2002; T. R. Lincke, Diss.
ETH 14701, 2002; L. V. Allis, PhD thesis, 1994; leaf counts and small positions recomputed by an
independent program.
"""

from dataclasses import dataclass

# preset -> leaves from the start at depths 1, 2, ...
_COMMON = (6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872, 18137964, 91558687)
_RESTRICTED = (6, 36, 180, 900, 3767, 16126)
PERFT: dict[str, tuple[int, ...]] = {
    "abapa": (*_COMMON, 460005710, 2321778610),
    "wari": _COMMON,
    "cairo": (*_COMMON, 460000575),
    "awari": (*_COMMON, 460000575),
    "nostarve": (*_COMMON, 460000575),
    "singles": _RESTRICTED,
    "ouri": _RESTRICTED,
}

# abapa from the start, 9 plies
DIVIDE_9 = {"A": 660046, "B": 635519, "C": 596297, "D": 571137, "E": 547441, "F": 582432}


@dataclass(frozen=True)
class Board:
    """A board under `awari`: own pits, then the opponent's, in sowing order, and what is known."""

    pits: tuple[int, ...]
    value: int | None  # net seeds still to come for the side to move
    moves: dict[
        str, int
    ]  # the value of each legal move; empty where only the legal moves are known
    legal: str
    captures: dict[str, int]  # seeds captured by a move, where that is published


def _board(text: str, value: int | None, moves: str, legal: str = "", captures: str = "") -> Board:
    """A board from `1 1 1 1 1 2 | 4 2 3 0 0 0` and moves such as `A-1 F0`."""
    pits = tuple(int(count) for count in text.replace("|", " ").split())
    values = {word[0]: int(word[1:]) for word in moves.split()}
    taken = {word[0]: int(word[1:]) for word in captures.split()}
    return Board(pits, value, values, legal or "".join(values), taken)


BOARDS: list[Board] = [
    _board("1 1 1 1 1 2 | 4 2 3 0 0 0", 0, "A-1 B-1 C-2 D-2 E-2 F0"),
    _board("0 0 6 0 3 5 | 1 2 1 0 0 0", -2, "", legal="EF"),
    _board("1 0 4 19 4 2 | 1 1 3 1 0 0", None, "", legal="ACDEF", captures="A0 C2 D7 E0 F4"),
    _board("0 1 0 0 1 0 | 0 0 0 0 0 1", 3, "B3 E3"),
    _board("1 0 0 0 0 1 | 1 0 0 0 0 0", -3, "A-3"),
    _board("11 0 0 0 0 0 | 1 0 0 0 0 1", 3, "A3"),
    _board("12 0 0 0 0 0 | 0 0 0 0 0 1", -2, "A-2"),
    _board("0 0 0 0 0 2 | 1 2 4 0 0 0", 9, "F9"),
    _board("2 0 0 0 0 4 | 1 2 1 2 0 0", -3, "A-3"),
    _board("0 4 0 0 0 1 | 0 0 0 0 0 0", -1, "F-1"),
    _board("1 1 1 0 0 1 | 0 0 1 1 0 0", 6, "A6 B6 C6 F0"),
    _board("1 2 0 2 0 1 | 1 0 0 2 0 0", 9, "A0 B0 D2 F9"),
    _board("2 1 0 2 0 0 | 0 2 1 1 2 3", -3, "A-5 B-5 D-3"),
    _board("1 2 2 1 0 2 | 1 2 0 0 2 1", 10, "A2 B0 C0 D1 F10"),
    _board("3 2 2 1 0 1 | 1 1 2 0 1 0", 6, "A2 B1 C2 D3 F6"),
]
