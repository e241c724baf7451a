"""What tables and their building report, as values: TableProbe, BuildProgress and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wari._repr import evaluable


@evaluable("wari")
class BuildProgress(NamedTuple):
    """How far a build, or a proof, has come.

    >>> import wari
    >>> reports = []
    >>> _ = wari.Tablebase.build(seeds=5, progress=reports.append)
    >>> reports[-1].seeds, reports[-1].boards == reports[-1].total
    (5, True)
    """

    layer: int
    """The layer in work: boards of that many seeds."""
    seeds: int
    """The last layer wanted."""
    boards: int
    """The boards done, all layers together."""
    total: int
    """The boards of all layers."""
    seconds: float
    """The time since the start."""
    boards_per_second: float
    """The speed so far."""
    seconds_left: float
    """An estimate."""
    verifying: bool = False
    """Whether the layers are verified now; the counts then begin again."""


@evaluable("wari")
class BuildNeeds(NamedTuple):
    """What building a table needs at its peak.

    >>> import math, wari
    >>> wari.Tablebase.needs(12).boards == math.comb(24, 12)
    True
    """

    memory: int
    """Bytes of memory that the build adds to the process, from above."""
    disk: int
    """Bytes of the file, from above."""
    boards: int
    """The boards of all layers."""


@evaluable("wari")
@dataclass(frozen=True)
class TableMove:
    """A move that keeps what the side to move can be sure of.

    >>> import wari
    >>> probe = wari.Tablebase.build(seeds=4).probe("1-0-0-0-0-1-1-0-0-0-0-0-0-0-S")
    >>> probe.moves[0].move, probe.moves[0].lower
    ('A', -3)
    """

    move: str
    """The letter of the move."""
    lower: int
    """The least it is worth: net future seeds of the side that moves."""
    upper: int
    """The most it is worth."""
    distance: int
    """Plies to the next capture or end along a line that keeps it; 0 where nothing is forced."""


@evaluable("wari")
@dataclass(frozen=True)
class TableProbe:
    """What a tablebase knows of a position; values are net future seeds of the side to move.

    >>> import wari
    >>> table = wari.Tablebase.build(seeds=4, rules="abapa")
    >>> probe = table.probe("1-0-0-0-0-0-1-0-0-0-0-0-0-0-S")
    >>> probe.lower, probe.upper, probe.value
    (-2, 2, None)
    """

    lower: int
    """The least the position is worth."""
    upper: int
    """The most it is worth."""
    reason: str
    """"exact", "bounds" (a cycle may decide), or "history_ignored" (plies since the last capture
    could recur, which no table knows of)."""
    mover: int
    """The seeds the side to move can be sure of (force tables), or its net value."""
    other: int
    """The same for the other side."""
    distance: int
    """Plies to the next capture or end that can be forced; 0 where nothing is."""
    over: bool
    """The game is over here."""
    moves: tuple[TableMove, ...]
    """The best moves. Whoever always plays the first one collects what the table promises."""

    @property
    def value(self) -> int | None:
        """The value where both bounds agree, else None."""
        return self.lower if self.lower == self.upper else None


@evaluable("wari")
class EntryCount(NamedTuple):
    """How many boards of a layer have an entry.

    >>> import wari
    >>> wari.Tablebase.build(seeds=1).stats()[1][0]
    wari.EntryCount(mover=-1, other=0, boards=7)
    """

    mover: int
    """The value, or in force tables the seeds that the side to move can be sure of."""
    other: int
    """In force tables the seeds that the other side can be sure of, else 0."""
    boards: int
    """How many."""
