"""The large board of the full screen as styled text lines, and what lies under a point of it.

Every mark is a sign as well as a colour: brackets, borders, signs of sums.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isqrt

from wari.cli.board import NORTH_LETTERS, SOUTH_LETTERS, Line, Span, side_name

STORES = {"S": "storeS", "N": "storeN"}  # what `spot` calls them, and the cursor
LETTERS = SOUTH_LETTERS + NORTH_LETTERS
BESIDE = 12  # lines of the screen that are not the board's
THIN, THICK = "╭─╮│╰╯", "╔═╗║╚╝"


LOOSE = ((5, 3), (3, 2), (1, 1), (0, 1))  # columns between two seeds, lines from row to row
FEW = 6  # seeds that must fit where they lie loosely


@dataclass(frozen=True)
class Scale:
    """How large the board is drawn: the outer width of pits and stores, the height of a pit."""

    pit: int = 9
    store: int = 12
    high: int = 5

    @property
    def width(self) -> int:
        """Columns of the whole board."""
        return 6 * self.pit + 2 * self.store

    @property
    def height(self) -> int:
        """Lines of the whole board: two rows of pits, two of letters."""
        return 2 * self.high + 2


SMALL = Scale()  # for a screen of 80x24


def scale_for(columns: int, lines: int) -> Scale:
    """As large as a screen has room for beside the words, and never flat or lanky."""
    rows = max(SMALL.high, (lines - BESIDE - 2) // 2)
    pit = max(SMALL.pit, min(3 * (columns - 2) // 26, rows * 9 // 4))
    return Scale(pit, pit * 4 // 3, min(rows, max(SMALL.high, pit * 3 // 4)))


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


def draw(picture: Picture, scale: Scale = SMALL) -> list[Line]:
    """The board, as many lines and columns as the scale says."""
    above, below = rows(picture.view)
    upper = "N" if picture.view == "S" else "S"
    left = _store(picture, upper, scale)
    right = _store(picture, picture.view, scale)
    pits = _pits(picture, above, scale) + _pits(picture, below, scale)
    middle = [left[i] + pits[i] + right[i] for i in range(2 * scale.high)]
    return [
        _letters(picture, above, scale, forward=picture.clockwise),
        *middle,
        _letters(picture, below, scale, forward=not picture.clockwise),
    ]


def spot(x: int, y: int, view: str, scale: Scale = SMALL) -> str:
    """What lies at a point: a pit's letter, a store, or "" for nothing."""
    if not (0 <= x < scale.width and 0 <= y < scale.height):
        return ""
    above, below = rows(view)
    column = (x - scale.store) // scale.pit
    if 0 <= column < 6:
        return (above if y <= scale.high else below)[column]
    return STORES[view if column >= 6 else "N" if view == "S" else "S"]


def _letters(picture: Picture, letters: str, scale: Scale, *, forward: bool) -> Line:
    """The letters of a row: legal ones in brackets, values beside them, the way of sowing."""
    store, pit = scale.store, scale.pit
    line = [Span(("" if forward else "←").rjust(store - 1).ljust(store), "arrow")]
    for letter in letters:
        shown = f"[{letter}]" if letter in picture.legal else f" {letter} "
        value = picture.values.get(letter, "")
        used = len(shown) + (len(value) + 1 if value else 0)
        left = (pit - used + 1) // 2
        line += [Span(" " * left), Span(shown, "legal" if letter in picture.legal else "letter")]
        line.append(Span(f" {value}" if value else "", "value"))
        line.append(Span(" " * (pit - left - used)))
    return [*line, Span(("→" if forward else "").rjust(1).center(3).ljust(store), "arrow")]


def _pits(picture: Picture, letters: str, scale: Scale) -> list[Line]:
    """The six boxes of a row side by side."""
    boxes = [_pit(picture, letter, scale) for letter in letters]
    return [[span for box in boxes for span in box[i]] for i in range(scale.high)]


def _pit(picture: Picture, letter: str, scale: Scale) -> list[Line]:
    count = picture.pits[LETTERS.index(letter)]
    text, style = f"{count}", "seeds" if count else "empty"
    if letter in picture.taken:
        text, style = f"{count} -{picture.taken[letter]}", "taken"
    elif letter == picture.at:
        text, style = f"{count} ▾{picture.hand}" if picture.hand else f"{count} ▾", "last"
    elif letter == picture.last:
        text, style = f"({count})", "last"
    width, high = scale.pit - 2, scale.high - 2
    above = (high - 3) // 4
    inside = [[Span(" " * width)] for _ in range(above)] + [[Span(text.center(width), style)]]
    inside += [[Span(row, style)] for row in _dots(count, width, high - above - 1)]
    return _boxed(inside, width, letter == picture.cursor)


def _store(picture: Picture, side: str, scale: Scale) -> list[Line]:
    """A box as high as both rows: whose it is, what it holds, the time that is left."""
    count = picture.stores["SN".index(side)]
    mark = "▶ " if side == picture.side else ""
    gained = f"+{picture.gained[side]}" if side in picture.gained else ""
    width = scale.store - 2
    inside = [
        [Span(f"{mark}{side_name(side)}".center(width), "mover" if mark else "name")],
        [Span(picture.clocks.get(side, "").center(width), "name")],
        [Span(f"{count}".center(width), "store")],
        [Span(gained.center(width), "taken")],
    ]
    inside += [[Span(row, "store")] for row in _dots(count, width, 2 * scale.high - 6)]
    return _boxed(inside, width, picture.cursor == STORES[side])


def _dots(count: int, width: int, high: int) -> list[str]:
    """So many seeds in rows as even as can be; what does not fit is a plus sign at the end."""
    most = width * high
    seeds = "●" * count if count <= most else "●" * (most - 1) + "+"
    for apart, step in LOOSE:
        used = width - 2 if step > 1 else width
        columns, rows = (used + apart) // (1 + apart), (high + step - 1) // step
        if columns * rows >= max(len(seeds), FEW):
            break
    used = min(rows, max(-(-len(seeds) // columns), isqrt(len(seeds))))
    lines = [" " * width] * high
    top = (high - (used - 1) * step - 1) // 2
    for row in range(used):
        share, more = divmod(len(seeds), used)
        begin = row * share + min(row, more)
        taken = seeds[begin : begin + share + (row < more)]
        lines[top + row * step] = (" " * apart).join(taken).center(width)
    return lines


def _boxed(inside: list[Line], width: int, thick: bool) -> list[Line]:
    nw, flat, ne, wall, sw, se = list(THICK if thick else THIN)
    style = "cursor" if thick else "frame"
    return [
        [Span(nw + flat * width + ne, style)],
        *([Span(wall, style), *line, Span(wall, style)] for line in inside),
        [Span(sw + flat * width + se, style)],
    ]
