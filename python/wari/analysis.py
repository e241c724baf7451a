"""What a search found out, as values: Score, Line, Analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from wari import _core
from wari._literals import Bound, EndingReason, Source
from wari._repr import evaluable
from wari.position import Position


@evaluable("wari")
@dataclass(frozen=True)
class Score:
    """The margin at the end of the game, from the side to move: own store minus the other's.

    >>> print(Score(3.25), -Score(3.0, "lower"))
    +3.25 <=-3.00
    >>> max(Score(3.25), Score(-1.0)) >= Score(3.25, "exact")
    True
    """

    value: float
    """In seeds."""
    bound: Bound = "estimate"
    """"exact", "lower" (at least) or "upper" (at most): proved under the rules; else "estimate"."""
    source: Source = "search"
    """Where the value comes from: "search", "tablebase" or "end" (of the game)."""
    tags: tuple[str, ...] = ()
    """"history_ignored": a table decided, but positions since the last capture could recur."""

    def __neg__(self) -> Score:
        turned: dict[Bound, Bound] = {"lower": "upper", "upper": "lower"}
        bound = turned.get(self.bound, self.bound)
        return Score(0.0 - self.value, bound, self.source, self.tags)

    def __lt__(self, other: Score) -> bool:
        return self.value < other.value

    def __le__(self, other: Score) -> bool:  # `>` and `>=` are these two from the other side
        return self.value <= other.value

    def __str__(self) -> str:
        """The value with its sign; `>=`, `<=` or `=` where it is proved."""
        mark = {"lower": ">=", "upper": "<=", "exact": "="}.get(self.bound, "")
        return f"{mark}{self.value:+.2f}"


@evaluable("wari")
@dataclass(frozen=True)
class Line:
    """A move, what it is worth, and the line that shows it.

    >>> import wari
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     line = engine.analyse("0-0-0-0-0-2-1-2-4-0-0-0-20-19-S").lines[0]
    >>> line.move, str(line.score), line.pv[0]
    ('F', '=+10.00', 'F')
    """

    move: str
    """The letter of the move."""
    score: Score
    """What this move is worth to the side that makes it."""
    depth: int
    """The plies searched for it."""
    pv: tuple[str, ...]
    """The expected moves, this one first; the line ends where the game would."""


@evaluable("wari")
@dataclass(frozen=True)
class Analysis:
    """What a search found out about a position.

    >>> import wari
    >>> with wari.Engine(hash_mb=8, tablebase=None) as engine:
    ...     analysis = engine.analyse(wari.Position(), depth=6, multipv=2)
    >>> len(analysis.lines), analysis.depth, analysis.finished
    (2, 6, True)
    >>> analysis.best_move == analysis.lines[0].move == analysis.pv[0]
    True
    """

    position: Position
    """The position searched."""
    lines: tuple[Line, ...]
    """The best moves, best first; none when the game is over."""
    score: Score | None
    """What the position is worth to the side to move; None when the game is over."""
    ending: EndingReason | None = None
    """Why the game is over, or None."""
    depth: int = 0
    """The last iteration completed, in plies."""
    seldepth: int = 0
    """The deepest ply looked at."""
    nodes: int = 0
    """The positions made and visited."""
    seconds: float = 0.0
    """The time taken."""
    hashfull: int = 0
    """Thousandths of the transposition table in use."""
    tbhits: int = 0
    """Answers from the tablebase."""
    finished: bool = field(default=False)
    """Whether the depth was reached or all is proved, so that no limit cut the search short."""

    @property
    def best_move(self) -> str | None:
        """The best move, or None when the game is over."""
        return self.lines[0].move if self.lines else None

    @property
    def pv(self) -> tuple[str, ...]:
        """The expected moves; none when the game is over."""
        return self.lines[0].pv if self.lines else ()

    @property
    def nps(self) -> float:
        """Nodes a second.

        >>> import wari
        >>> Analysis(wari.Position(), (), None, nodes=3_000_000, seconds=2.0).nps
        1500000.0
        """
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def analysis_of(position: Position, found: _core.Analysis) -> Analysis:
    """The Python value of a core one."""
    lines = tuple(
        Line(move, _score(*score), depth, tuple(pv)) for move, score, depth, pv in found.lines
    )
    return Analysis(
        position=position,
        lines=lines,
        score=_score(*found.score) if lines else None,
        ending=cast("EndingReason | None", found.ending),
        depth=found.depth,
        seldepth=found.seldepth,
        nodes=found.nodes,
        seconds=found.seconds,
        hashfull=found.hashfull,
        tbhits=found.tbhits,
        finished=found.finished,
    )


def _score(value: float, bound: str, source: str, history_ignored: bool) -> Score:
    return Score(
        value,
        cast(Bound, bound),
        cast(Source, source),
        ("history_ignored",) if history_ignored else (),
    )
