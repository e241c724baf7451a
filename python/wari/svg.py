"""Boards and score plots as SVG text, made without a plotting stack.

Every picture stands alone (no script, no font, no link), has a title and a description for screen
readers, and marks South and North by place, letter and shape, never by colour alone. The two
colours are distinct for people with any kind of colour blindness. A character that XML does not
allow is drawn as U+FFFD.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, Protocol
from xml.sax.saxutils import escape, quoteattr

from wari import _core
from wari._check import as_items, as_whole, shown
from wari._pits import MAX_SEEDS, PASS, PITS
from wari._repr import evaluable
from wari.errors import InvalidValueError

__all__ = ["Mark", "board", "plot"]

SOUTH = "#005a9c"
NORTH = "#a83c00"
_PANEL = "#f6ecd9"
_RIM = "#8a6a3f"
_HOLLOW = "#dcc294"
_SEED = "#4b3826"
_SEED_RIM = "#f6ecd9"
_TEXT = "#2b2118"
_QUIET = "#6b5a45"
_CHOSEN = "#1d6b3a"

_WIDTH, _HEIGHT = 720, 300
_PIT = 39
_STEP = 88
_LEFT = 140
_ROW_Y = {"N": 98, "S": 202}
_STORE_X = {"N": 54, "S": _WIDTH - 54}
_LARGEST = 1e15
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_GOLDEN = math.pi * (3 - math.sqrt(5))
_NAMES = {"S": "South", "N": "North"}


@evaluable("wari.svg")
class Mark(NamedTuple):
    """A point to stress in a score plot: the ply, and how grave it is.

    >>> "12. F gives away 4" in plot([0.0] * 30, marks=[Mark(23, "blunder", "12. F gives away 4")])
    True
    """

    ply: int
    kind: str
    """inaccuracy, mistake or blunder; each has its own shape."""
    text: str = ""
    """What a pointer resting on it shows."""


class Drawable(Protocol):
    """What a picture needs of a position: a `wari.Position` has it."""

    _core: _core.Position


def board(
    position: Drawable,
    *,
    last_move: str | None = None,
    arrows: Iterable[str] = (),
    values: Mapping[str, float | str] | None = None,
    size: int = 560,
) -> str:
    """A position seen from South's seat, as SVG text.

    `last_move` rings the pit it emptied. An arrow is a move (`C`: to the pit of its last seed) or
    two pits (`Cb`). `values` stand beside the pits, numbers with their sign, the best one in a
    frame. `size` is the width in pixels.

    >>> import wari
    >>> picture = wari.svg.board(wari.Position(), arrows=["C"], values={"C": 1.5, "F": -2})
    >>> picture.startswith("<svg "), "+1.5" in picture
    (True, True)

    Raises InvalidValueError (a ValueError) for a letter that names no pit, a value that is neither
    a number nor text, or a size below 1.
    """
    seen = getattr(position, "_core", None)
    if not isinstance(seen, _core.Position):
        raise InvalidValueError(f"position: expected a Position, not {shown(position)}", "position")
    size = _size(size)
    parts = [_panel(), *_names(seen)]
    for letter, seeds in zip(PITS, seen.pits(), strict=True):
        parts += _pit(letter, seeds)
    for side, seeds in zip("SN", seen.stores(), strict=True):
        parts += _store(side, seeds)
    if last_move is not None and not (isinstance(last_move, str) and last_move == PASS):
        x, y = _place(last_move)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{_PIT + 4}" fill="none" stroke="{_TEXT}" '
            'stroke-width="2.5" stroke-dasharray="7 5"/>'
        )
    parts += _values({} if values is None else values)
    parts += [_arrow(*_ends(seen, arrow)) for arrow in as_items(arrows, "arrows")]
    return _document(_WIDTH, _HEIGHT, size, _title(seen), _description(seen, last_move), parts)


def _size(size: object) -> int:
    width = as_whole(size)
    if width is None or width < 1:
        raise InvalidValueError(
            f"size: expected a whole number, 1 or more, not {shown(size)}", "size"
        )
    return width


def _is_number(value: Any) -> bool:
    """Whether it is finite and real, of Python or of NumPy."""
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    return is_real and bool(abs(value) <= _LARGEST)  # false for what is not a number


def _document(
    width: int, height: int, size: int, title: str, description: str, parts: Sequence[str]
) -> str:
    body = "\n".join(parts)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{size}" '
        f'height="{round(size * height / width)}" role="img" aria-label={quoteattr(title)} '
        f'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n{body}\n</svg>\n"
    )
    return _NOT_XML.sub("\ufffd", picture)


def _title(position: _core.Position) -> str:
    south, north = position.stores()
    outcome = position.outcome()
    if outcome is not None:
        return f"Oware board, the game is over: South {outcome[0]}, North {outcome[1]}"
    return f"Oware board, {_NAMES[position.side()]} to move, South {south}, North {north}"


def _description(position: _core.Position, last_move: str | None) -> str:
    counts = [f"{letter} {seeds}" for letter, seeds in zip(PITS, position.pits(), strict=True)]
    last = "" if last_move is None else f" Last move: {last_move}."
    return f"South: {', '.join(counts[:6])}. North: {', '.join(counts[6:])}.{last}"


def _side_of(letter: str) -> str:
    return "S" if letter.isupper() else "N"


def _place(letter: str) -> tuple[int, int]:
    """The centre of a pit. North's letters run from right to left, as South sees them."""
    number = PITS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if number < 0:
        raise InvalidValueError(f"move: expected the letter of a pit, not {shown(letter)}", "move")
    column = number if number < 6 else 11 - number
    return _LEFT + _STEP * column, _ROW_Y[_side_of(letter)]


def _colour(side: str) -> str:
    return SOUTH if side == "S" else NORTH


def _panel() -> str:
    return (
        f'<rect x="1.5" y="1.5" width="{_WIDTH - 3}" height="{_HEIGHT - 3}" rx="26" '
        f'fill="{_PANEL}" stroke="{_RIM}" stroke-width="3"/>'
    )


def _text(
    x: float, y: float, text: str, size: int, colour: str = _TEXT, *, bold: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle" fill="{colour}"'
        f"{weight}>{escape(text)}</text>"
    )


def _names(position: _core.Position) -> list[str]:
    """The names at the stores; a triangle beside that of the side to move."""
    parts = []
    for side in "SN":
        x = _STORE_X[side]
        y = _HEIGHT - 22 if side == "S" else 32
        moves = position.ending() is None and position.side() == side
        parts.append(_text(x, y, _NAMES[side], 17, _colour(side), bold=moves))
        if moves:
            parts.append(f'<path d="M{x - 45} {y - 12} l10 6 l-10 6 z" fill="{_colour(side)}"/>')
    return parts


def _pit(letter: str, seeds: int) -> list[str]:
    x, y = _place(letter)
    side = _side_of(letter)
    label = y + _PIT + 21 if side == "S" else y - _PIT - 9
    drawn = _seeds(x, y, seeds, _PIT - 7)
    return [
        (
            f'<g><title>{letter}: {seeds}</title><circle cx="{x}" cy="{y}" r="{_PIT}" '
            f'fill="{_HOLLOW}" stroke="{_RIM}" stroke-width="1.5"/>{drawn}</g>'
        ),
        _text(x - 17, label, letter, 15, _colour(side)),
        _text(x + 8, label, str(seeds), 19, _TEXT if seeds else _QUIET, bold=seeds > 0),
    ]


def _store(side: str, seeds: int) -> list[str]:
    x = _STORE_X[side]
    top, height = 62, 152
    return [
        (
            f'<g><title>{_NAMES[side]}: {seeds} captured</title><rect x="{x - 36}" y="{top}" '
            f'width="72" height="{height}" rx="34" fill="{_HOLLOW}" stroke="{_colour(side)}" '
            f'stroke-width="2"/>{_seeds(x, top + height / 2, seeds, 29, stretch=2.1)}</g>'
        ),
        _text(x, top + height + 27 if side == "N" else top - 14, str(seeds), 24, bold=True),
    ]


def _seeds(x: float, y: float, count: int, radius: float, stretch: float = 1.0) -> str:
    """Seeds as a sunflower sets its own: even, whatever their number."""
    size = 5.6 if count <= 24 else 4.6
    step = min(10.5, radius / math.sqrt(max(count, 1) / stretch) * 0.98)
    parts = []
    for number in range(count):
        away = step * math.sqrt((number + (0.5 if count > 1 else 0.0)) / stretch)
        angle = number * _GOLDEN + 0.6
        at_x, at_y = x + away * math.cos(angle), y + stretch * away * math.sin(angle)
        parts.append(f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="{size}"/>')
    group = f'<g fill="{_SEED}" stroke="{_SEED_RIM}" stroke-width="0.9">'
    return f"{group}{''.join(parts)}</g>" if parts else ""


def _values(values: Mapping[str, float | str]) -> list[str]:
    if not isinstance(values, Mapping):
        raise InvalidValueError(f"values: expected them by pit, not {shown(values)}", "values")
    for value in values.values():
        if not isinstance(value, str) and not _is_number(value):
            raise InvalidValueError(
                f"values: expected a number or text, not {shown(value)}", "values"
            )
    numbers = {move: value for move, value in values.items() if not isinstance(value, str)}
    best = max(numbers.values(), default=None)
    parts = []
    for letter, value in values.items():
        if isinstance(letter, str) and letter == PASS:
            continue
        x, y = _place(letter)
        at = y + _PIT + 42 if _side_of(letter) == "S" else y - _PIT - 31
        text = value if isinstance(value, str) else _signed(value)
        chosen = letter in numbers and value == best
        if chosen:
            wide = 9 * len(text) + 14
            parts.append(
                f'<rect x="{x - wide / 2:g}" y="{at - 15}" width="{wide}" height="20" rx="6" '
                f'fill="#ffffff" stroke="{_CHOSEN}" stroke-width="2"/>'
            )
        parts.append(_text(x, at, text, 15, _CHOSEN if chosen else _TEXT, bold=chosen))
    return parts


def _signed(value: float) -> str:
    """A number with its sign and no more places than it needs: +1.5, -2, 0."""
    rounded = round(float(value), 2) or 0.0
    return f"{rounded:+g}".replace("-", "\u2212") if rounded else "0"


def _ends(position: _core.Position, arrow: str) -> tuple[str, str]:
    """The pits an arrow joins."""
    if isinstance(arrow, str) and len(arrow) == 2:
        return arrow[0], arrow[1]
    _place(arrow)
    start = PITS.index(arrow)
    at, step = start, -1 if "clockwise" in position.rules().values() else 1
    for _ in range(position.pits()[start]):
        at = (at + step) % 12
        if at == start:
            at = (at + step) % 12
    return arrow, PITS[at]


def _arrow(begin: str, end: str) -> str:
    """A bent arrow from pit to pit; it bends towards the middle of the board."""
    (x1, y1), (x2, y2) = _place(begin), _place(end)
    middle = (_ROW_Y["S"] + _ROW_Y["N"]) / 2
    across = y1 != y2
    bend_x = (x1 + x2) / 2 + (26 if across else 0)
    bend_y = (y1 + y2) / 2 if across else y1 + (middle - y1) * 1.35
    angle = math.atan2(y2 - bend_y, x2 - bend_x)
    tip_x, tip_y = x2 - 10 * math.cos(angle), y2 - 10 * math.sin(angle)
    neck_x, neck_y = tip_x - 15 * math.cos(angle), tip_y - 15 * math.sin(angle)
    wing_x, wing_y = 9 * math.sin(angle), -9 * math.cos(angle)
    line = f"M{x1} {y1} Q{bend_x:.1f} {bend_y:.1f} {neck_x:.1f} {neck_y:.1f}"
    head = (
        f"M{tip_x:.1f} {tip_y:.1f} L{neck_x + wing_x:.1f} {neck_y + wing_y:.1f} "
        f"L{neck_x - wing_x:.1f} {neck_y - wing_y:.1f} z"
    )
    return (
        f'<g opacity="0.85"><path d="{line}" fill="none" stroke="{_CHOSEN}" stroke-width="6" '
        f'stroke-linecap="round"/><path d="{head}" fill="{_CHOSEN}"/></g>'
    )


_PLOT_LEFT, _PLOT_TOP, _PLOT_RIGHT, _PLOT_BOTTOM = 52, 34, 18, 40
_KINDS = ("inaccuracy", "mistake", "blunder")


def plot(
    scores: Iterable[float | None],
    *,
    marks: Iterable[Mark] = (),
    title: str = "Score over the game",
    size: int = 720,
) -> str:
    """Scores over the plies of a game, as SVG text.

    `scores` are seeds seen from South, one for the start and one after each ply; None leaves a gap.
    What is above the middle line is good for South. `size` is the width in pixels.

    >>> from wari import svg
    >>> picture = svg.plot([0, 0.5, -3], marks=[svg.Mark(2, "blunder", "E loses 3.5 seeds")])
    >>> "E loses 3.5 seeds" in picture
    True

    Raises InvalidValueError (a ValueError) for an unknown kind of mark, a mark where there is no
    score, a score beyond 96, a size below 1, or a value of another type.
    """
    size = _size(size)
    if not isinstance(title, str):
        raise InvalidValueError(f"title: expected text, not {shown(title)}", "title")
    scores = _scores(scores)
    known = [score for score in scores if score is not None]
    frame = _Frame(max(len(scores) - 1, 1), _nice_top(max(map(abs, known), default=1.0)))
    parts = [_panel(), *frame.grid()]
    for run in _runs(scores):
        parts += frame.area(run)
    noted = list(as_items(marks, "marks"))
    for mark in noted:
        parts.append(frame.mark(mark, scores))
    parts += _legend({mark.kind for mark in noted})
    parts.append(_text(_WIDTH / 2, 22, title, 16, bold=True))
    return _document(_WIDTH, _HEIGHT, size, title, _tell(scores, noted), parts)


def _scores(scores: Iterable[float | None]) -> list[float | None]:
    if isinstance(scores, (str, bytes, bytearray)):
        raise InvalidValueError(f"scores: expected numbers, not {shown(scores)}", "scores")
    checked: list[float | None] = []
    for score in as_items(scores, "scores"):
        if score is not None and not (_is_number(score) and abs(score) <= MAX_SEEDS):
            wanted = f"-{MAX_SEEDS} to {MAX_SEEDS}"
            raise InvalidValueError(f"scores: expected {wanted}, not {shown(score)}", "scores")
        checked.append(None if score is None else float(score))
    return checked


class _Frame(NamedTuple):
    """The field of a plot: plies across, seeds up to `top` above and below the middle line."""

    plies: int
    top: float

    def x(self, ply: float) -> float:
        """Where a ply is."""
        return _PLOT_LEFT + ply / self.plies * (_WIDTH - _PLOT_LEFT - _PLOT_RIGHT)

    def y(self, score: float) -> float:
        """Where a score is."""
        height = _HEIGHT - _PLOT_TOP - _PLOT_BOTTOM
        return _PLOT_TOP + (1 - score / self.top) / 2 * height

    def grid(self) -> list[str]:
        """Lines and numbers."""
        parts = []
        for step in (-1, -0.5, 0, 0.5, 1):
            score = step * self.top
            y = self.y(score)
            parts.append(
                f'<path d="M{_PLOT_LEFT} {y:.1f} H{_WIDTH - _PLOT_RIGHT}" stroke="{_RIM}" '
                f'stroke-width="{1.6 if step == 0 else 0.6}" opacity="{1 if step == 0 else 0.5}"/>'
            )
            parts.append(_text(_PLOT_LEFT - 22, y + 5, _signed(score), 13, _QUIET))
        every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if self.plies <= n * 14)
        for ply in range(0, self.plies + 1, every):
            parts.append(_text(self.x(ply), _HEIGHT - 22, str(ply), 13, _QUIET))
        for side, step in (("S", 1), ("N", -1)):
            y = self.y(step * self.top) + (14 if step > 0 else -6)
            parts.append(_text(_PLOT_LEFT + 30, y, _NAMES[side], 14, _colour(side), bold=True))
        return parts

    def area(self, run: list[tuple[float, float]]) -> list[str]:
        """The area between a run of scores and the middle line, and the scores as a line."""
        parts = []
        for side, part in (("S", _upper(run, 1)), ("N", _upper(run, -1))):
            points = " ".join(f"{self.x(ply):.1f},{self.y(score):.1f}" for ply, score in part)
            first, last = self.x(run[0][0]), self.x(run[-1][0])
            zero = self.y(0)
            parts.append(
                f'<polygon points="{first:.1f},{zero:.1f} {points} {last:.1f},{zero:.1f}" '
                f'fill="{_colour(side)}" opacity="0.35"/>'
            )
        points = " ".join(f"{self.x(ply):.1f},{self.y(score):.1f}" for ply, score in run)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{_TEXT}" stroke-width="1.8" '
            'stroke-linejoin="round" stroke-linecap="round"/>'
        )
        return parts

    def mark(self, mark: Mark, scores: Sequence[float | None]) -> str:
        """The sign of a mark on its score."""
        if (
            not isinstance(mark, Mark)
            or as_whole(mark.ply) is None
            or not isinstance(mark.kind, str)
            or not isinstance(mark.text, str)
        ):
            raise InvalidValueError(
                f"marks: expected a ply, a kind and a text in a Mark, not {shown(mark)}", "marks"
            )
        score = scores[mark.ply] if 0 <= mark.ply < len(scores) else None
        if score is None:
            raise InvalidValueError(f"marks: there is no score at ply {mark.ply}", "marks")
        sign = _sign(mark.kind, self.x(mark.ply), self.y(score))
        return f"<g><title>{escape(mark.text or mark.kind)}</title>{sign}</g>"


def _runs(scores: Sequence[float | None]) -> list[list[tuple[float, float]]]:
    """The scores without the gaps: lists of ply and score."""
    runs: list[list[tuple[float, float]]] = [[]]
    for ply, score in enumerate(scores):
        if score is None:
            runs.append([])
        else:
            runs[-1].append((ply, float(score)))
    return [run for run in runs if run]


def _upper(run: list[tuple[float, float]], sign: int) -> list[tuple[float, float]]:
    """What of a run lies on one side of the middle line, with the points where it crosses it."""
    points: list[tuple[float, float]] = []
    for number, (ply, score) in enumerate(run):
        if number and run[number - 1][1] * score < 0:
            before_ply, before = run[number - 1]
            points.append((before_ply + (ply - before_ply) * before / (before - score), 0.0))
        points.append((ply, score if score * sign > 0 else 0.0))
    return points


def _nice_top(largest: float) -> float:
    return next(float(top) for top in (2, 4, 8, 12, 24, 48, MAX_SEEDS) if largest <= top)


def _sign(kind: str, x: float, y: float) -> str:
    if kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise InvalidValueError(f"marks: expected one of {known}, not {kind!r}", "marks")
    style = f'fill="#ffffff" stroke="{_TEXT}" stroke-width="1.8"'
    if kind == "inaccuracy":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>'
    if kind == "mistake":
        return f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10" {style}/>'
    dark = style.replace("#ffffff", _TEXT)
    return f'<path d="M{x:.1f} {y - 8:.1f} l8 14 h-16 z" {dark}/>'


def _legend(kinds: set[str]) -> list[str]:
    parts = []
    x = _WIDTH - 120.0 * len(kinds)
    for kind in _KINDS:
        if kind in kinds:
            parts += [_sign(kind, x, _HEIGHT - 12), _text(x + 48, _HEIGHT - 7, kind, 13)]
            x += 112
    return parts


def _tell(scores: Sequence[float | None], marks: Sequence[Mark]) -> str:
    """The plot in words."""
    known = [score for score in scores if score is not None]
    if not known:
        return "No scores."
    sentences = [
        (
            f"{len(scores)} scores in seeds, seen from South: from {_signed(known[0])} to "
            f"{_signed(known[-1])}, at most {_signed(max(known))}, at least {_signed(min(known))}."
        )
    ]
    sentences += [f"Ply {mark.ply}: {mark.text or mark.kind}." for mark in marks]
    return " ".join(sentences)
