"""The large board of the full screen as styled text lines, and what lies under a point of it.

Owns: where pits, seeds, stores and marks stand. Must not know: Textual, engines, how a game goes.
Every mark is a sign as well as a colour: brackets, borders, signs of sums.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from wari.cli.board import NORTH_LETTERS, SOUTH_LETTERS, Line, Span, side_name

PIT, STORE, HIGH = 9, 12, 5  # the outer width of a pit and of a store, the height of a pit
WIDTH, HEIGHT = 6 * PIT + 2 * STORE, 2 * HIGH + 2
IN_PIT, IN_STORE = PIT - 2, STORE - 2
STORES = {"S": "storeS", "N": "storeN"}  # what `spot` calls them, and the cursor
LETTERS = SOUTH_LETTERS + NORTH_LETTERS
THIN, THICK = "╭─╮│╰╯", "╔═╗║╚╝"


@dataclass(frozen=True)
class Picture:
    """Everything that is seen on the board at a moment."""

    pits: tuple[int, ...]
    stores: tuple[int, int]
    side: str = ""  # to move; "" when nobody is
    view: str = "S"
    clockwise: bool = False
    legal: Collection[str] = ()
    last: str = ""  # the pit that was played last
    cursor: str = ""  # a pit's letter, or a store
    values: Mapping[str, str] = field(default_factory=dict)  # of moves, beside their letters
    taken: Mapping[str, int] = field(default_factory=dict)  # captured from a pit
    gained: Mapping[str, int] = field(default_factory=dict)  # captured by a side
    hand: int = 0  # seeds on their way
    at: str = ""  # the pit they have come to
    clocks: Mapping[str, str] = field(default_factory=dict)


def rows(view: str) -> tuple[str, str]:
    """The letters of the upper and the lower row from left to right."""
    below, above = (SOUTH_LETTERS, NORTH_LETTERS) if view == "S" else (NORTH_LETTERS, SOUTH_LETTERS)
    return above[::-1], below


def draw(picture: Picture) -> list[Line]:
    """The board, HEIGHT lines of WIDTH."""
    above, below = rows(picture.view)
    upper = "N" if picture.view == "S" else "S"
    left = _store(picture, upper)
    right = _store(picture, picture.view)
    pits = _pits(picture, above) + _pits(picture, below)
    middle = [left[i] + pits[i] + right[i] for i in range(2 * HIGH)]
    return [
        _letters(picture, above, forward=picture.clockwise),
        *middle,
        _letters(picture, below, forward=not picture.clockwise),
    ]


def spot(x: int, y: int, view: str) -> str:
    """What lies at a point: a pit's letter, a store, or "" for nothing."""
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        return ""
    above, below = rows(view)
    column = (x - STORE) // PIT
    if 0 <= column < 6:
        return (above if y <= HIGH else below)[column]
    return STORES[view if column >= 6 else "N" if view == "S" else "S"]


def _letters(picture: Picture, letters: str, *, forward: bool) -> Line:
    """The letters of a row: legal ones in brackets, values beside them, the way of sowing."""
    line = [Span(("" if forward else "←").rjust(STORE - 1).ljust(STORE), "arrow")]
    for letter in letters:
        shown = f"[{letter}]" if letter in picture.legal else f" {letter} "
        value = picture.values.get(letter, "")
        left = (PIT - len(shown) + 1) // 2 if not value else 1 if len(value) < 5 else 0
        line += [Span(" " * left), Span(shown, "legal" if letter in picture.legal else "letter")]
        line.append(Span(f" {value}" if value else "", "value"))
        used = left + len(shown) + (len(value) + 1 if value else 0)
        line.append(Span(" " * (PIT - used)))
    return [*line, Span(("→" if forward else "").rjust(1).center(3).ljust(STORE), "arrow")]


def _pits(picture: Picture, letters: str) -> list[Line]:
    """The six boxes of a row side by side."""
    boxes = [_pit(picture, letter) for letter in letters]
    return [[span for box in boxes for span in box[i]] for i in range(HIGH)]


def _pit(picture: Picture, letter: str) -> list[Line]:
    count = picture.pits[LETTERS.index(letter)]
    text, style = f"{count}", "seeds" if count else "empty"
    if letter in picture.taken:
        text, style = f"{count} -{picture.taken[letter]}", "taken"
    elif letter == picture.at:
        text, style = f"{count} ▾{picture.hand}" if picture.hand else f"{count} ▾", "last"
    elif letter == picture.last:
        text, style = f"({count})", "last"
    inside = [[Span(text.center(IN_PIT), style)]]
    inside += [[Span(row, style)] for row in _dots(count, IN_PIT, HIGH - 3)]
    return _boxed(inside, IN_PIT, letter == picture.cursor)


def _store(picture: Picture, side: str) -> list[Line]:
    """A box as high as both rows: whose it is, what it holds, the time that is left."""
    count = picture.stores["SN".index(side)]
    mark = "▶ " if side == picture.side else ""
    gained = f"+{picture.gained[side]}" if side in picture.gained else ""
    inside = [
        [Span(f"{mark}{side_name(side)}".center(IN_STORE), "mover" if mark else "name")],
        [Span(picture.clocks.get(side, "").center(IN_STORE), "name")],
        [Span(f"{count}".center(IN_STORE), "store")],
        [Span(gained.center(IN_STORE), "taken")],
    ]
    inside += [[Span(row, "store")] for row in _dots(count, IN_STORE, 2 * HIGH - 6)]
    return _boxed(inside, IN_STORE, picture.cursor == STORES[side])


def _dots(count: int, width: int, high: int) -> list[str]:
    """So many seeds in rows as even as can be; what does not fit is a plus sign at the end."""
    most = width * high
    seeds = "●" * count if count <= most else "●" * (most - 1) + "+"
    apart = " " if len(seeds) <= (width + 1) // 2 * high else ""
    used = min(high, -(-len(seeds) // (width // 2))) if seeds else 0
    lines = []
    for row in range(high):
        share, more = divmod(len(seeds), used) if row < used else (0, 0)
        take = share + (row < more)
        begin = row * share + min(row, more)
        lines.append(apart.join(seeds[begin : begin + take]).center(width))
    return lines


def _boxed(inside: list[Line], width: int, thick: bool) -> list[Line]:
    nw, flat, ne, wall, sw, se = list(THICK if thick else THIN)
    style = "cursor" if thick else "frame"
    return [
        [Span(nw + flat * width + ne, style)],
        *([Span(wall, style), *line, Span(wall, style)] for line in inside),
        [Span(sw + flat * width + se, style)],
    ]
