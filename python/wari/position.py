"""A position as an immutable value, and the result of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast, final

from wari import _core
from wari._check import as_text, as_whole, shown
from wari._literals import EndingReason, RefusalReason, Side
from wari._pits import MAX_SEEDS
from wari._pits import PASS as PASS
from wari._pits import PITS as PITS
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.rules import Rules, rules_of

REFUSALS: dict[str, str] = _core.refusal_words()
"""The code of every reason to refuse a move, with a sentence for people."""

ENDINGS: dict[str, str] = _core.ending_words()
"""The code of every reason for the end of a game, with a sentence for people."""


@evaluable("wari")
@dataclass(frozen=True)
class Result:
    """The end of a game: the seeds of both sides, the winner and the reason.

    >>> import wari
    >>> result = wari.Position.parse("5-2-3-2-1-0-0-0-0-0-0-0-17-18-S").result
    >>> str(result), result.winner, result.ending
    ('30-18', 'S', 'stuck')
    """

    south: int
    """South's seeds."""
    north: int
    """North's seeds."""
    winner: Side | None
    """"S", "N", or None for a draw."""
    ending: EndingReason
    """The code of the reason; `wari.ENDINGS` has the words."""

    def margin(self, side: str) -> int:
        """How many seeds more than the other side a side has.

        >>> Result(26, 22, "S", "majority").margin("N")
        -4

        Raises InvalidValueError when `side` is neither "S" nor "N".
        """
        if not isinstance(side, str) or side not in ("S", "N"):
            raise InvalidValueError(f"side: expected 'S' or 'N', not {shown(side)}", "side")
        return self.south - self.north if side == "S" else self.north - self.south

    def __str__(self) -> str:
        """South's seeds and North's: `26-22`."""
        return f"{self.south}-{self.north}"


def result_from(outcome: tuple[int, int, str | None, str] | None) -> Result | None:
    """The Python value of a core one."""
    if outcome is None:
        return None
    south, north, winner, ending = outcome
    return Result(south, north, cast("Side | None", winner), cast(EndingReason, ending))


@final
class Position:
    """The seeds, the side to move and the rules: an immutable value without history.

    `Position()` is the start of the default rules. Every method that needs history (repetition,
    agreement, resignation) is on `Game`.

    >>> from wari import Position
    >>> Position(rules="abapa")
    wari.Position.parse('4-4-4-4-4-4-4-4-4-4-4-4-0-0-S', rules='abapa')
    >>> Position().play("C").play("e").pits
    (5, 5, 1, 5, 5, 5, 5, 4, 4, 4, 0, 5)

    Raises InvalidValueError (a ValueError) for unknown rules.
    Source: R1 to R6 of docs/rules.md.
    """

    __slots__ = ("_core", "_rules")
    _core: _core.Position
    _rules: Rules

    def __init__(self, rules: Rules | str = "wari") -> None:
        chosen = rules_of(rules)
        _set(self, _core.Position.start(chosen._core), chosen)

    @classmethod
    def parse(cls, text: str, rules: Rules | str = "wari") -> Position:
        """Reads `A-B-C-D-E-F-a-b-c-d-e-f-storeS-storeN-T`, with T the side to move, S or N.

        >>> Position.parse("1-0-0-0-0-3-1-0-1-1-0-0-20-21-S", rules="abapa").play("F").stores
        (22, 21)

        Raises InvalidValueError naming the field that is wrong.
        """
        chosen = rules_of(rules)
        return wrap_position(_core.Position.parse(as_text(text, "position"), chosen._core), chosen)

    @classmethod
    def from_counts(
        cls,
        pits: Sequence[int],
        stores: tuple[int, int] = (0, 0),
        side: str = "S",
        rules: Rules | str = "wari",
    ) -> Position:
        """A position from twelve counts A..F a..f, South's and North's stores, the side to move.

        Pits and stores hold 1 to 96 seeds together.

        >>> str(Position.from_counts([0, 0, 0, 0, 0, 3] + [1] * 6, stores=(20, 19)))
        '0-0-0-0-0-3-1-1-1-1-1-1-20-19-S'

        Raises InvalidValueError naming the pit, the store or the total that is wrong.
        """
        counts = _counts("pits", pits, len(PITS))
        both = _counts("stores", stores, 2)
        chosen = rules_of(rules)
        core = _core.Position.from_counts(
            counts, (both[0], both[1]), as_text(side, "side"), chosen._core
        )
        return wrap_position(core, chosen)

    @property
    def rules(self) -> Rules:
        """The rules in force.

        >>> Position("awari").rules.repetition
        'split'
        """
        return self._rules

    @property
    def pits(self) -> tuple[int, ...]:
        """The seeds in each pit, A..F a..f."""
        return self._core.pits()

    @property
    def stores(self) -> tuple[int, int]:
        """The seeds in South's and North's stores."""
        return self._core.stores()

    @property
    def side(self) -> Side:
        """The side to move: "S" or "N".

        >>> Position().play("F").side
        'N'
        """
        return cast(Side, self._core.side())

    @property
    def total(self) -> int:
        """The seeds in pits and stores together.

        >>> Position(rules="abapa,seeds_per_pit=3").total
        36
        """
        return self._core.total()

    @property
    def is_over(self) -> bool:
        """Whether the game is over here, judged without history.

        >>> Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S").is_over
        True
        """
        return self._core.ending() is not None

    @property
    def ending(self) -> EndingReason | None:
        """Why the game is over here, judged without history: majority, empty_board or stuck.

        A move that itself ends the game leaves an empty board; `Game.ending` knows that reason.

        >>> Position.parse("5-2-3-2-1-0-0-0-0-0-0-0-17-18-S").ending
        'stuck'
        """
        return cast("EndingReason | None", self._core.ending())

    @property
    def result(self) -> Result | None:
        """The result where the game is over here, or None.

        >>> print(Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", rules="abapa").result)
        25-23
        """
        return result_from(self._core.outcome())

    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves in letter order; ("-",) for a pass; none where the game is over.

        >>> Position().legal_moves()
        ('A', 'B', 'C', 'D', 'E', 'F')
        """
        return self._core.legal_moves()

    def is_legal(self, move: str) -> bool:
        """Whether a move may be played here.

        >>> Position().is_legal("A"), Position().is_legal("a")
        (True, False)

        Raises InvalidValueError when `move` is no letter of a pit and no pass.
        """
        return self._core.refusal(as_text(move, "move")) is None

    def refusal(self, move: str) -> RefusalReason | None:
        """The code of the reason why a move may not be played, or None when it is legal.

        >>> Position.parse("1-1-0-3-1-1-0-0-0-0-0-0-20-21-S").refusal("A")
        'must_feed'
        >>> import wari
        >>> wari.REFUSALS["must_feed"]
        "the opponent's row is empty and this move leaves no seeds there"

        Raises InvalidValueError when `move` is no letter of a pit and no pass.
        """
        return cast("RefusalReason | None", self._core.refusal(as_text(move, "move")))

    def play(self, move: str) -> Position:
        """The position after a move.

        >>> Position().play("F").pits
        (4, 4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4)

        Raises IllegalMoveError with the reason, GameOverError where the game is over, and
        InvalidValueError when `move` is no letter of a pit and no pass.
        """
        return wrap_position(self._core.play(as_text(move, "move"))[0], self._rules)

    def settled(self) -> Position:
        """The position after the final sharing: pits empty, stores final.

        A majority stop shares nothing: the seeds stay where they lie.

        >>> str(Position.parse("5-2-3-2-1-0-0-0-0-0-0-0-17-18-S").settled())
        '0-0-0-0-0-0-0-0-0-0-0-0-30-18-S'

        Raises InvalidValueError while the game goes on.
        """
        core = self._core.settled()
        if core is None:
            raise InvalidValueError(f"position: the game is not over in {self}", "position")
        return wrap_position(core, self._rules)

    def perft(self, depth: int) -> int:
        """The number of lines of exactly `depth` plies; a finished game has no continuation.

        >>> [Position().perft(depth) for depth in range(5)]
        [1, 6, 36, 190, 1014]

        Raises InvalidValueError for a depth outside 0 to 64; KeyboardInterrupt on Ctrl-C.
        """
        return _core.perft(self._core, _depth(depth))[0]

    def divide(self, depth: int) -> dict[str, int]:
        """The lines of exactly `depth` plies that begin with each legal move.

        >>> Position().divide(2)
        {'A': 6, 'B': 6, 'C': 6, 'D': 6, 'E': 6, 'F': 6}

        Raises InvalidValueError for a depth outside 1 to 64; KeyboardInterrupt on Ctrl-C.
        """
        return _core.divide(self._core, _depth(depth))

    def __str__(self) -> str:
        """The text that `parse` reads."""
        return self._core.text()

    def __repr__(self) -> str:
        return f"wari.Position.parse({self._core.text()!r}, rules={str(self._rules)!r})"

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        from wari.svg import board

        return board(self)

    def __eq__(self, other: object) -> bool:
        return self._core.equals(other._core) if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._core.text(), self._rules))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Position.parse, (self._core.text(), str(self._rules)))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Position is immutable; play() and from_counts() make new ones")


def _set(position: Position, core: _core.Position, rules: Rules) -> None:
    object.__setattr__(position, "_core", core)
    object.__setattr__(position, "_rules", rules)


def wrap_position(core: _core.Position, rules: Rules) -> Position:
    """The Python value around a core one; `rules` must be those of the core one."""
    position: Position = object.__new__(Position)
    _set(position, core, rules)
    return position


def _depth(value: int) -> int:
    whole = as_whole(value)
    if whole is None:
        raise InvalidValueError(
            f"depth: expected a whole number up to 64, not {shown(value)}", "depth"
        )
    return whole


def _counts(field: str, values: Sequence[int], size: int) -> list[int]:
    """A list of whole numbers of that length; what they may be is the core's business."""
    try:
        given = list(values)
    except TypeError:
        given = []
    if len(given) != size:
        raise InvalidValueError(f"{field}: expected {size} counts, not {shown(values)}", field)
    names = PITS if size == len(PITS) else ("storeS", "storeN")
    counts = []
    for name, value in zip(names, given, strict=True):
        whole = as_whole(value)
        if whole is None:
            raise InvalidValueError(
                f"{name}: expected a count of 0 to {MAX_SEEDS} seeds, not {shown(value)}", name
            )
        counts.append(whole)
    return counts
