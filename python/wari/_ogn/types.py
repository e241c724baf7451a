"""What an OGN file holds: records, lines of moves, comments, variations, notes on what was odd."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from wari import _core
from wari._check import shown
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.position import Position
from wari.rules import PRESETS, Rules

ROSTER = ("Variant", "Event", "Site", "Date", "Round", "South", "North", "Result")
"""The tags that every record has, in the order they are written; the others follow by name."""

UNKNOWN = "?"
UNFINISHED = "*"

_SIDES = {"South": "S", "North": "N"}

GameTextKind = TypeVar("GameTextKind", bound="GameText")


class OgnError(InvalidValueError):
    """An OGN file that cannot be read from a certain place on.

    >>> from wari import ogn
    >>> try:
    ...     ogn.loads("1. F f 2. B x")
    ... except ogn.OgnError as error:
    ...     print(error.line, error.column, "|", error)
    1 13 | line 1, column 13: expected a move, a comment or a result, not 'x'
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}", "ogn")
        self.line = line
        """The line of the fault, from 1."""
        self.column = column
        """The character in that line, from 1."""
        self.reason = message
        """The message without the place."""
        self.records: list[Any] = []
        """The games before the fault, where a whole text was read at once."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.reason, self.line, self.column), self.__dict__)


@evaluable("wari.ogn")
class Note(NamedTuple):
    """Something irregular that was read all the same.

    >>> from wari import ogn
    >>> print(ogn.first("1. F f 2. B b+1 *").notes[0])
    line 1, column 13: b captures 0, not 1
    """

    line: int
    """From 1."""
    column: int
    """The character in that line, from 1."""
    text: str
    """What is irregular, in words."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.text}"


@evaluable("wari.ogn")
@dataclass(slots=True)
class Line:
    """Moves one after the other: the game itself, or a variation.

    >>> from wari import ogn
    >>> ogn.first("{ hello } 1. F f *").line.letters
    'Ff'
    """

    before: list[str] = field(default_factory=list)
    """The comments before the first move."""
    moves: list[Move] = field(default_factory=list)
    result: str | None = None
    """The result token at the end, as it was written; None where there was none."""

    @property
    def letters(self) -> str:
        """The moves as one word."""
        return "".join(move.letter for move in self.moves)

    # Variations may stand inside each other deeper than Python calls functions.

    def __eq__(self, other: object) -> bool:
        return _flat(self) == _flat(other) if isinstance(other, Line) else NotImplemented

    def __deepcopy__(self, memo: object) -> Line:
        return _nested(_flat(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_nested, (_flat(self),))


@evaluable("wari.ogn")
@dataclass(slots=True)
class Move:
    """A move of a line and what was written after it.

    >>> from wari import ogn
    >>> move = ogn.first("1. F { solid } (1. E e) f *").line.moves[0]
    >>> move.comments, [line.letters for line in move.variations]
    (('solid',), ['Ee'])
    """

    letter: str
    """`A` to `f`, or `-` for a pass."""
    captured: int = 0
    """The seeds it captures."""
    marks: tuple[str, ...] = ()
    """Signs such as `!?` or `$4`, as they were read."""
    after: list[str | Line] = field(default_factory=list)
    """Comments (text) and variations (lines that replace this move), in the order of the file."""

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments after the move."""
        return tuple(item for item in self.after if isinstance(item, str))

    @property
    def variations(self) -> tuple[Line, ...]:
        """The lines that replace the move."""
        return tuple(item for item in self.after if isinstance(item, Line))


@dataclass(slots=True)
class GameText:
    """One game of an OGN file; `wari.ogn.Record` is one that knows games."""

    tags: dict[str, str] = field(default_factory=dict)
    """Texts by name, in the order of the file."""
    line: Line = field(default_factory=Line)
    """The game itself."""
    rules: Rules = field(default_factory=Rules)
    """The rules that its tags name."""
    start: Position = field(default_factory=Position)
    """The position before the first move."""
    notes: list[Note] = field(default_factory=list, compare=False)
    """What was irregular: wrong or missing capture counts, results that do not agree, ..."""

    @classmethod
    def of(
        cls: type[GameTextKind],
        game: _core.Game,
        rules: Rules,
        start: Position,
        tags: Mapping[str, str] | None,
    ) -> GameTextKind:
        """The text of a game; tags that say what the game itself says are set from it."""
        check_tags(tags)
        line = Line(result=result_token(game))
        again = _core.Game.begin(start._core)
        line.moves.extend(Move(letter, again.push(letter)) for letter in game.moves())
        kept = {name: value for name, value in (tags or {}).items() if name not in _DERIVED}
        record = cls(kept, line, rules, start)
        record.tags |= missing_tags(record)
        termination = termination_of(game)
        if termination is not None:
            record.tags["Termination"] = termination
        return record

    def play_on(self, game: _core.Game) -> None:
        """Plays the main line, with the ending that the players made, in a game at its start."""
        game.push_all(self.line.letters)
        end_by_players(game, self.tags.get("Termination", ""), self.line.result)


_FlatMove = tuple[str, int, tuple[str, ...], list["str | tuple[int]"]]
_FlatLine = tuple[list[str], list[_FlatMove], "str | None"]


def _flat(line: Line) -> list[_FlatLine]:
    """A line and all variations in it one after the other, named by their place in this list.

    Raises InvalidValueError where a variation stands inside itself.
    """
    lines, around = [line], [-1]
    found: list[_FlatLine] = []
    for place, one in enumerate(lines):  # grows meanwhile
        outer = around[place]
        while outer >= 0:
            if lines[outer] is one:
                raise InvalidValueError("line: a variation stands inside itself", "line")
            outer = around[outer]
        moves: list[_FlatMove] = []
        for move in one.moves:
            after: list[str | tuple[int]] = []
            for item in move.after:
                if isinstance(item, Line):
                    after.append((len(lines),))
                    lines.append(item)
                    around.append(place)
                else:
                    after.append(item)
            moves.append((move.letter, move.captured, move.marks, after))
        found.append((list(one.before), moves, one.result))
    return found


def _nested(flat: list[_FlatLine]) -> Line:
    """The line that was made flat."""
    lines = [Line() for _ in flat]
    for line, (before, moves, result) in zip(lines, flat, strict=True):
        line.before, line.result = list(before), result
        for letter, captured, marks, after in moves:
            items = [lines[item[0]] if isinstance(item, tuple) else item for item in after]
            line.moves.append(Move(letter, captured, marks, items))
    return lines[0]


def _written(line: Line) -> str:
    """A line as its repr would be by nested calls; one that stands inside itself is `...`."""
    done: list[str] = []
    inside: list[Line] = []
    left: list[str | Line | None] = [line]  # the next one last; None: a line ends
    while left:
        item = left.pop()
        if item is None:
            inside.pop()
        elif isinstance(item, str):
            done.append(item)
        elif any(item is one for one in inside):
            done.append("...")
        else:
            inside.append(item)
            pieces: list[str | Line | None] = [f"wari.ogn.Line(before={item.before!r}, moves=["]
            for number, move in enumerate(item.moves):
                comma = ", " if number else ""
                head = f"{comma}wari.ogn.Move(letter={move.letter!r}, captured={move.captured!r}, "
                pieces.append(f"{head}marks={move.marks!r}, after=[")
                for place, inner in enumerate(move.after):
                    pieces.append(", " if place else "")
                    pieces.append(inner if isinstance(inner, Line) else repr(inner))
                pieces.append("])")
            pieces += [f"], result={item.result!r})", None]
            left += reversed(pieces)
    return "".join(done)


Line.__repr__ = _written  # type: ignore[assignment]


def check_tags(tags: object) -> None:
    """Raises InvalidValueError for tags that are no texts by name."""
    if tags is not None and not isinstance(tags, Mapping):
        raise InvalidValueError(f"tags: expected texts by name, not {shown(tags)}", "tags")
    for name, value in (tags or {}).items():
        for text in (name, value):
            if not isinstance(text, str):
                raise InvalidValueError(f"tags: expected text, not {shown(text)}", "tags")


_DERIVED = ("Variant", "Rules", "FEN", "Result", "Termination")


def variant_name(rules: Rules) -> str:
    """The Variant tag of a rule set: the nearest preset's name."""
    name = str(rules).split(",")[0]
    return "Oware Abapa" if name == "abapa" else name.capitalize()


def rules_of_variant(variant: str) -> Rules | None:
    """The preset that a Variant tag names, in any case and with or without "Oware"; or None."""
    words = variant.replace(",", " ").lower().split()
    if words[:1] == ["oware"] and len(words) > 1:
        words = words[1:]
    if words == ["oware"]:
        return Rules.preset("abapa")
    return Rules.preset(words[0]) if len(words) == 1 and words[0] in PRESETS else None


def missing_tags(record: GameText) -> dict[str, str]:
    """The tags that a record lacks: the roster's, and those that state its rules and its start."""
    tags = dict.fromkeys(ROSTER, UNKNOWN)
    tags["Variant"] = variant_name(record.rules)
    tags["Result"] = record.line.result or UNFINISHED
    written = record.tags.get("Variant", tags["Variant"])
    if record.rules != rules_of_variant(written):
        tags["Rules"] = str(record.rules)
    if record.start != Position(record.rules):
        tags["FEN"] = str(record.start)
    return {name: value for name, value in tags.items() if name not in record.tags}


def result_token(game: _core.Game) -> str:
    """`26-22`; `1-0` or `0-1` where a side gave up or lost on time; `*` while the game goes on."""
    outcome = game.outcome()
    if outcome is None:
        return UNFINISHED
    south, north, winner, ending = outcome
    if ending in ("resignation", "time"):
        return "1-0" if winner == "S" else "0-1"
    return f"{south}-{north}"


def termination_of(game: _core.Game) -> str | None:
    """The Termination tag of a game that its players ended; None where the rules ended it."""
    outcome = game.outcome()
    if outcome is None:
        return None
    _, _, winner, ending = outcome
    if ending == "agreement":
        return "agreement"
    if ending in ("resignation", "time"):
        return f"{ending} of {'North' if winner == 'S' else 'South'}"
    return None


def end_by_players(game: _core.Game, termination: str, result: str | None) -> None:
    """Ends an open game as its tag says, or by agreement where only that explains the result."""
    if game.ending() is not None:
        return
    kind, _, loser = termination.partition(" of ")
    if kind in ("resignation", "time") and loser in _SIDES:
        end = game.resign if kind == "resignation" else game.lose_on_time
        end(_SIDES[loser])
    elif termination == "agreement" or (not termination and result not in (None, UNFINISHED)):
        south, north = agreed_shares(game.position())
        if termination or result == f"{south}-{north}":
            game.agree()


def agreed_shares(position: _core.Position) -> tuple[int, int]:
    """The totals if each side took its own row now."""
    (south, north), pits = position.stores(), position.pits()
    return south + sum(pits[:6]), north + sum(pits[6:])
