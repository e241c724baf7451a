"""Numbers that a program of other authors recomputed, as plain data.

The program shares no code with wari and reproduces Lincke's published tables (tests/data) cell by
cell. OpenSpiel counts the same leaves to depth 9 (test_openspiel.py).
"""

from published import Board, board

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

BOARDS: list[Board] = [
    board("0 1 0 0 1 0 | 0 0 0 0 0 1", 3, "B3 E3"),
    board("1 0 0 0 0 1 | 1 0 0 0 0 0", -3, "A-3"),
    board("11 0 0 0 0 0 | 1 0 0 0 0 1", 3, "A3"),
    board("12 0 0 0 0 0 | 0 0 0 0 0 1", -2, "A-2"),
    board("0 0 0 0 0 2 | 1 2 4 0 0 0", 9, "F9"),
    board("2 0 0 0 0 4 | 1 2 1 2 0 0", -3, "A-3"),
    board("0 4 0 0 0 1 | 0 0 0 0 0 0", -1, "F-1"),
    board("1 1 1 0 0 1 | 0 0 1 1 0 0", 6, "A6 B6 C6 F0"),
    board("1 2 0 2 0 1 | 1 0 0 2 0 0", 9, "A0 B0 D2 F9"),
    board("2 1 0 2 0 0 | 0 2 1 1 2 3", -3, "A-5 B-5 D-3"),
    board("1 2 2 1 0 2 | 1 2 0 0 2 1", 10, "A2 B0 C0 D1 F10"),
    board("3 2 2 1 0 1 | 1 1 2 0 1 0", 6, "A2 B1 C2 D3 F6"),
]
