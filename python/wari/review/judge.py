"""Every move of a game through the engine: what it was worth, and what it gave away.

The positions are searched from the last to the first: what is learnt about the end of a game then
helps with the moves before, and each search sees at least as far as the one after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from wari._check import shown
from wari._literals import Side
from wari._repr import evaluable
from wari.engine import Analysis, Engine
from wari.errors import InvalidValueError
from wari.game import Game
from wari.limits import Limits, limits_of
from wari.position import Position

INACCURACY, MISTAKE, BLUNDER = 1.0, 2.0, 4.0
"""Seeds given away from which a move is called so; an estimate is good to about half a seed."""

_FADE = 3.0
"""Seeds: a move that gives away that much is worth 37 % in the accuracy."""

Progress = Callable[[int, int], object]


@evaluable("wari.review")
@dataclass(frozen=True)
class Judged:
    """A move of a game.

    >>> move = Judged(3, Position(), "A", -2.0, "F", 0.5, ("F", "f"), False, False, depth=8)
    >>> move.number, move.side, move.lost, move.kind
    ('2. A', 'S', 2.5, 'mistake')
    """

    ply: int
    """From 1."""
    position: Position
    """Before the move."""
    move: str
    """The letter of the move."""
    value: float
    """What the move was worth to the side that made it, in seeds of margin at the end."""
    best_move: str
    """The letter of the best move; the one played where nothing better was found."""
    best_value: float
    """What it was worth, in seeds as `value`."""
    best_line: tuple[str, ...]
    """The better line; the one played where nothing better was found."""
    exact: bool
    """Whether both values are proved."""
    forced: bool
    """Whether there was no other legal move."""
    depth: int
    """The plies searched."""

    @property
    def side(self) -> Side:
        """S or N."""
        return self.position.side

    @property
    def lost(self) -> float:
        """Seeds given away."""
        return max(0.0, self.best_value - self.value)

    @property
    def kind(self) -> str | None:
        """blunder, mistake, inaccuracy, or None."""
        for least, name in ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (INACCURACY, "inaccuracy")):
            if self.lost >= least:
                return name
        return None

    @property
    def number(self) -> str:
        """The move as people count: `12. F`, `12... f`."""
        dots = "." if self.ply % 2 == 1 else "..."
        return f"{(self.ply + 1) // 2}{dots} {self.move}"


@evaluable("wari.review")
@dataclass(frozen=True)
class Review:
    """A game with every move judged.

    >>> values = ((1, 0.5), (3, -4.0))
    >>> moves = [
    ...     Judged(ply, Position(), "A", value, "F", 0.5, ("F",), False, False, depth=8)
    ...     for ply, value in values
    ... ]
    >>> found = Review(Game(), tuple(moves), (None,))
    >>> [move.kind for move in found.faults], found.count("S", "blunder")
    (['blunder'], 1)
    >>> round(found.accuracy("S")), found.accuracy("N")
    (61, None)
    """

    game: Game
    """The game."""
    moves: tuple[Judged, ...]
    """Its moves in order."""
    scores: tuple[float | None, ...]
    """Seeds of margin seen from South, for the start and after each ply."""

    @property
    def faults(self) -> tuple[Judged, ...]:
        """The moves that have a name."""
        return tuple(move for move in self.moves if move.kind is not None)

    def count(self, side: str, kind: str) -> int:
        """How many moves of a side have that name."""
        return sum(move.side == side and move.kind == kind for move in self.moves)

    def accuracy(self, side: str) -> float | None:
        """0 to 100, the mean over the moves that were a choice; None where there was none.

        A move that gives away x seeds counts 100 exp(-x / 3).
        """
        worth = [
            100 * math.exp(-move.lost / _FADE)
            for move in self.moves
            if move.side == side and not move.forced
        ]
        return math.fsum(worth) / len(worth) if worth else None


def review(
    game: Game,
    engine: Engine,
    *,
    limits: Limits | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    progress: Progress | None = None,
) -> Review:
    """Judges every move of a game; the limits are those of `Engine.analyse`, for each position.

    `progress` is called with the positions done and the positions in all.

    >>> import wari
    >>> game = wari.Game.replay("FfEdAa", "abapa")
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     found = wari.review.review(game, engine, depth=6)
    >>> len(found.moves), len(found.scores)
    (6, 7)

    Raises as `Engine.analyse` does, and InvalidValueError for what is no game.
    """
    if not isinstance(game, Game):
        raise InvalidValueError(f"game: expected a Game, not {shown(game)}", "game")
    ends = limits_of(limits, depth=depth, nodes=nodes, time=time)
    plies = len(game)
    found: list[Judged] = []
    scores: list[float | None] = [None] * (plies + 1)
    engine.new_game()
    played = Game.replay(game.moves, game.rules, game.start)
    after = _value(played, engine, ends, scores)
    for ply in range(plies, 0, -1):
        if progress is not None:
            progress(plies - ply, plies)
        move = played.pop()
        judged = _judge(played, move, after, engine, ends)
        found.append(judged)
        best = judged.best_value
        after = _Value(0.0 - best, judged.exact, judged.best_line)
        scores[ply - 1] = best if judged.side == "S" else 0.0 - best
    if progress is not None:
        progress(plies, plies)
    return Review(game, tuple(reversed(found)), tuple(scores))


@dataclass(frozen=True)
class _Value:
    """What a position is worth to the side that has just moved."""

    value: float | None
    """None where only a search of the position before gives it."""
    exact: bool
    line: tuple[str, ...] = ()
    """How play would go on."""


def _value(game: Game, engine: Engine, limits: Limits, scores: list[float | None]) -> _Value:
    """The value of the last position."""
    result = game.result
    if result is not None:
        scores[-1] = float(result.margin("S"))
        if not game.moves or result.ending == "majority":
            return _Value(None, exact=False)  # what is still on the board counts for the value
        return _Value(float(result.margin(_mover_before(game))), exact=True)
    analysis = engine.analyse(game, limits=limits)
    value, exact = _value_of(analysis)
    scores[-1] = value if game.position.side == "S" else 0.0 - value
    return _Value(0.0 - value, exact, analysis.pv)


def _mover_before(game: Game) -> Side:
    """The side that made the last move."""
    return list(game.positions())[-2].side


def _value_of(analysis: Analysis) -> tuple[float, bool]:
    assert analysis.score is not None  # the game goes on
    return analysis.score.value, analysis.score.bound == "exact"


def _judge(game: Game, move: str, after: _Value, engine: Engine, limits: Limits) -> Judged:
    """A move in the position before it."""
    legal = game.legal_moves()
    analysis = engine.analyse(game, limits=limits)
    best = analysis.lines[0]
    value, exact = best.score.value, best.score.bound == "exact"
    best_value, best_move, best_line = value, best.move, best.pv
    if move != best.move:
        if after.value is None:
            value, exact_here = _value_of(engine.analyse(game, moves=move, limits=limits))
        else:
            value, exact_here = after.value, after.exact
        exact = exact and exact_here
        if value >= best_value:  # the search from the later position saw further
            best_value, best_move, best_line = value, move, (move, *after.line)
    return Judged(
        ply=len(game) + 1,
        position=game.position,
        move=move,
        value=value,
        best_move=best_move,
        best_value=best_value,
        best_line=best_line,
        exact=exact,
        forced=len(legal) == 1,
        depth=analysis.depth,
    )
